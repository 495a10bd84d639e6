//! libFuzzer entry point of `targets::npy`.
#![no_main]

#[path = "../targets/mod.rs"]
#[expect(dead_code, reason = "each executable has one of the targets")]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::npy(bytes));
