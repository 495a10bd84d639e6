//! NPY files that a test opens.

/// An NPY file of version 1.0: numbers of a type such as `<f4`, of a shape as Python writes it, in C's or Fortran's order.
pub(crate) fn npy(kind: &str, is_fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if is_fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}");
    // Magic bytes, length and header fill 128 bytes.
    let header = format!("{header:<117}\n");
    let len = u16::try_from(header.len()).expect("short").to_le_bytes();
    [b"\x93NUMPY\x01\x00", &len[..], header.as_bytes(), data].concat()
}
