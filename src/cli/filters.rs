//! `lerpscope filters`: the filters of `--filter` and their parameters, and the matrices of `convolve` by name.

use std::io::Write;

use super::stdout;
use crate::filter::{FILTERS, MATRICES};

/// Prints one line for each filter, and one below it for each parameter.
///
/// # Errors
/// An error of standard output.
pub(super) fn run() -> anyhow::Result<()> {
    stdout::write(|out| {
        for row in &FILTERS {
            writeln!(out, "{:<12}{}", row.name, row.help)?;
            for (index, parameter) in row.parameters.iter().enumerate() {
                let (range, default) = (parameter.range_text(), row.default_text(index));
                writeln!(out, "  {:<10}{}: {range}; default {default}", parameter.name, parameter.help)?;
            }
        }
        writeln!(out, "\nThe matrices of convolve by name:")?;
        for row in &MATRICES {
            writeln!(out, "  {:<10}{}", row.name, row.help)?;
        }
        writeln!(
            out,
            "\nA step is a name and its parameters, in this order or by name: gaussian=1.5, bilateral=3,0.1,threshold=0.5."
        )?;
        writeln!(
            out,
            "Parameters left out have their defaults; a last ,off switches a step off. --filter acts on the image's samples,"
        )?;
        writeln!(
            out,
            "--filter-after on the output's pixels; both may be repeated, and the steps act in their order."
        )?;
        Ok(())
    })
}
