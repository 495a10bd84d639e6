//! The program: parses, runs, and reports an error once.

use std::io::Write;
use std::process::ExitCode;

use lerpscope::cli;

fn main() -> ExitCode {
    let environment = env_logger::Env::default().default_filter_or("lerpscope=warn");
    env_logger::Builder::from_env(environment)
        .format(|out, record| writeln!(out, "lerpscope: {}: {}", name(record.level()), record.args()))
        .init();
    let result = cli::parse(std::env::args_os()).and_then(cli::run);
    cli::exit(result.map_or_else(|error| cli::report(&error), |()| 0))
}

/// Name of a log level, as in the warnings of `render`.
fn name(level: log::Level) -> &'static str {
    match level {
        log::Level::Error => "error",
        log::Level::Warn => "warning",
        log::Level::Info => "info",
        log::Level::Debug => "debug",
        log::Level::Trace => "trace",
    }
}
