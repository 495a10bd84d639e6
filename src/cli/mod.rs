//! The command line: arguments become a [`Command`], a command becomes the same requests that the window makes.

mod bench;
mod failure;
mod filters;
mod info;
mod input;
mod options;
mod output;
mod progress;
mod render;
mod stdout;
mod synth;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use bench::BenchCommandOptions;
pub use failure::report;
pub use info::InfoOptions;
pub use options::{DisplayOptions, FilterOptions, SamplerOptions, ViewOptions};
pub use render::RenderOptions;
pub use synth::SynthOptions;

use crate::app::{self, Launch, Layout};
use crate::arguments::parse_panel;
use crate::files;
use crate::filter::Filters;
use crate::sampling::Sampler;

/// See what interpolation does: one image in linked panels, each filled by another kernel.
#[derive(Debug, Parser)]
#[command(name = "lerpscope", version, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(after_help = "Without a command, a window opens on the files, or on the Basilica where there is none.")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    window: WindowOptions,
}

/// All that the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the window: what happens where no command is named
    #[command(skip)]
    Window(WindowOptions),
    /// Render one view of a picture into a file; needs no display
    Render(Box<RenderOptions>),
    /// Write a synthetic picture
    Synth(SynthOptions),
    /// Say which backends there are and what a picture is
    Info(InfoOptions),
    /// List the filters of render --filter with their parameters
    Filters,
    /// Measure how long each method takes by each path
    Bench(BenchCommandOptions),
}

/// What the window opens with.
#[derive(Args, Debug)]
pub struct WindowOptions {
    /// Pictures to open: files, synth:NAME:WxH, or builtin:basilica
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What renders
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::interactive_backend())]
    backend: String,
    /// Open a session that was saved in the window
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    session: Option<PathBuf>,
    /// A panel, instead of the usual four: method=catmull-rom,address=wrap:mirror,path=filtered,filter=gaussian=2;negative; up to nine times
    #[arg(long = "panel", value_name = "SPEC", value_parser = parse_panel)]
    panels: Vec<(Sampler, Filters)>,
    /// How the panels stand
    #[arg(long, value_name = "NAME", value_parser = options::layout())]
    layout: Option<Layout>,
    /// Save what the window shows, and close it
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
}

/// Reads the program's arguments, its own name first.
///
/// # Errors
/// Where they are wrong, or ask for help or the version: [`report`] tells these apart.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Command> {
    let Arguments { command, window } = Arguments::try_parse_from(arguments)?;
    Ok(command.unwrap_or(Command::Window(window)))
}

/// Does what `command` says.
///
/// # Errors
/// Whatever went wrong, to be given to [`report`].
pub fn run(command: Command) -> anyhow::Result<()> {
    if !matches!(command, Command::Window(_))
        && let Err(error) = files::clean_up_on_signals(progress::cancels)
    {
        log::warn!("a signal may leave a temporary file behind: {error}");
    }
    match command {
        Command::Window(WindowOptions { files, backend, session, panels, layout, screenshot }) => {
            if panels.len() > app::Session::MOST_PANELS {
                return Err(failure::Usage(format!("there are at most {} panels", app::Session::MOST_PANELS)).into());
            }
            if let Some(file) = &screenshot {
                output::check_picture(file)?;
            }
            app::run(Launch { inputs: files, backend, session, panels, layout, screenshot })
        }
        Command::Render(options) => render::run(&options),
        Command::Synth(options) => synth::run(&options),
        Command::Info(options) => info::run(&options),
        Command::Filters => filters::run(),
        Command::Bench(options) => bench::run(&options),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_option_has_one_line_of_help() {
        for command in Arguments::command().get_subcommands().chain([&Arguments::command()]) {
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.is_empty() && !help.contains('\n'), "{} {}", command.get_name(), argument.get_id());
            }
        }
    }

    #[test]
    fn files_open_the_window_even_when_called_like_a_command() {
        let command = parse(["lerpscope", "a.pgm", "render"].map(OsString::from)).expect("arguments");
        let Command::Window(options) = command else { panic!("{command:?}") };
        assert_eq!(options.files, [PathBuf::from("a.pgm"), PathBuf::from("render")]);
    }
}
