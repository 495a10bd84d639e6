//! Command line: arguments are parsed into a [`Command`], which makes the same requests as the window.

mod bench;
mod chart_output;
mod errors;
mod exit;
mod failure;
mod figure;
mod filters;
mod footprint;
mod identify;
mod info;
mod input;
mod lab1d;
mod lens;
#[cfg(feature = "window")]
mod lesson;
mod measure;
mod methods;
mod notices;
mod options;
mod output;
mod overshoot;
mod pairs;
mod plot;
mod progress;
mod render;
mod rotations;
mod sample;
mod samples;
mod stdout;
mod synth;
mod texture_error;
#[cfg(feature = "window")]
mod window;
#[cfg(not(feature = "window"))]
#[path = "no_window.rs"]
mod window;

use std::ffi::OsString;

use clap::{Parser, Subcommand};

pub use bench::BenchCommandOptions;
pub use exit::exit;
pub use failure::report;
pub use figure::FigureOptions;
pub use footprint::FootprintOptions;
pub use identify::IdentifyOptions;
pub use info::InfoOptions;
pub use lab1d::Lab1dOptions;
pub use lens::LensOptions;
#[cfg(feature = "window")]
pub use lesson::LessonOptions;
pub use measure::MeasureOptions;
pub use options::{DisplayOptions, FilterOptions, SamplerOptions, ViewOptions};
pub use overshoot::OvershootOptions;
pub use pairs::PairsOptions;
pub use plot::PlotOptions;
pub use render::RenderOptions;
pub use rotations::RotationsOptions;
pub use sample::SampleOptions;
pub use samples::SamplesOptions;
pub use synth::SynthOptions;
pub use texture_error::TextureErrorOptions;
pub use window::WindowOptions;

use crate::files;

/// Image viewer that compares interpolation methods: one image in linked panels, one method each
#[derive(Debug, Parser)]
#[command(name = "lerpscope", version, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(after_help = window::WITHOUT_A_COMMAND)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    window: WindowOptions,
}

/// Commands of the program.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the window (default)
    #[command(skip)]
    Window(WindowOptions),
    /// Render one view of an image to a file; needs no display
    Render(Box<RenderOptions>),
    /// Put pictures on one sheet, each below its label
    Figure(FigureOptions),
    /// Write a synthetic image
    Synth(SynthOptions),
    /// Print the available backends, and the properties of an image
    Info(InfoOptions),
    /// List the filters of render --filter with their parameters
    Filters,
    /// Measure the time of each method by each path
    Bench(BenchCommandOptions),
    /// Measure the errors of methods against the true image
    Measure(Box<MeasureOptions>),
    /// Plot kernels, weights and responses of methods
    Plot(Box<PlotOptions>),
    /// Print the arithmetic of one pixel: samples, weights, sums, step by step
    Footprint(Box<FootprintOptions>),
    /// Print the values of methods at points between samples on a line
    #[command(name = "lab1d")]
    Lab1d(Box<Lab1dOptions>),
    /// Name the kernel of a picture that another program resampled
    Identify(IdentifyOptions),
    /// Measure what is lost when an image is made smaller and larger again
    Pairs(PairsOptions),
    /// Turn an image N times by 360/N degrees and measure the errors of methods
    Rotations(Box<RotationsOptions>),
    /// Show what the texture unit returns between two texels, and its error on a picture
    TextureError(Box<TextureErrorOptions>),
    /// Interpolate a grid of 1 to 6 dimensions at points
    Sample(Box<SampleOptions>),
    /// Count the samples that the interpolation by each method keeps
    Samples(Box<SamplesOptions>),
    /// Count the pixels whose values leave the range of their samples
    Overshoot(Box<OvershootOptions>),
    /// Show how smooth an interpolated image is: isolines, relief, slope or second derivative
    Lens(Box<LensOptions>),
    /// List, check, begin and export lessons
    #[cfg(feature = "window")]
    Lesson(LessonOptions),
    /// Print the licences of the crates and fonts inside the program
    Notices,
}

/// Parses the program's arguments, its own name first.
///
/// # Errors
/// Wrong arguments, and requests for help or the version; [`report`] handles both.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Command> {
    let Arguments { command, window } = Arguments::try_parse_from(arguments)?;
    Ok(command.unwrap_or(Command::Window(window)))
}

/// Runs `command`.
///
/// # Errors
/// Any error of the command, for [`report`].
pub fn run(command: Command) -> anyhow::Result<()> {
    if !matches!(command, Command::Window(_))
        && let Err(error) = files::clean_up_on_signals(progress::cancel)
    {
        log::warn!("a signal may leave a temporary file behind: {error}");
    }
    match command {
        Command::Window(options) => window::run(options),
        Command::Render(options) => render::run(&options),
        Command::Figure(options) => figure::run(&options),
        Command::Synth(options) => synth::run(&options),
        Command::Info(options) => info::run(&options),
        Command::Filters => filters::run(),
        Command::Bench(options) => bench::run(&options),
        Command::Measure(options) => measure::run(&options),
        Command::Identify(options) => identify::run(&options),
        Command::Pairs(options) => pairs::run(&options),
        Command::Plot(options) => plot::run(&options),
        Command::Footprint(options) => footprint::run(&options),
        Command::Lab1d(options) => lab1d::run(&options),
        Command::Rotations(options) => rotations::run(&options),
        Command::TextureError(options) => texture_error::run(&options),
        Command::Sample(options) => sample::run(&options),
        Command::Samples(options) => samples::run(&options),
        Command::Overshoot(options) => overshoot::run(&options),
        Command::Lens(options) => lens::run(&options),
        #[cfg(feature = "window")]
        Command::Lesson(options) => lesson::run(&options),
        Command::Notices => notices::run(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn clap_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_each_have_one_line_of_help() {
        for command in Arguments::command().get_subcommands().chain([&Arguments::command()]) {
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.is_empty() && !help.contains('\n'), "{} {}", command.get_name(), argument.get_id());
            }
        }
    }
}
