//! The work of repeated rotation: errors and pictures of every turn.

use std::sync::Arc;

use egui::ColorImage;

use crate::app::render::task::Work;
use crate::backend::CpuBackend;
use crate::image::{Page, PageId, Raster};
use crate::lab::rotations::{RotationReport, RotationTest};
use crate::sampling::Sampler;

/// Largest side of the square that is turned, in samples: all turns of nine panels are kept as pictures.
pub(super) const MOST_SIDE: u32 = 256;

/// An experiment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RotationJob {
    pub(super) page: PageId,
    pub(super) samplers: Vec<Sampler>,
    pub(super) turns: u32,
}

/// What is done of an experiment.
#[derive(Clone, Debug, Default)]
pub(super) struct MadeTurns {
    /// The errors so far.
    pub(super) report: RotationReport,
    /// Pictures of each sampler after 0, 1, 2 … turns.
    pub(super) pictures: Vec<Vec<Arc<ColorImage>>>,
}

impl RotationJob {
    /// Nothing of the experiment.
    pub(super) fn none(&self) -> MadeTurns {
        let report = RotationReport { turns: self.turns, samplers: self.samplers.clone(), rows: Vec::new() };
        MadeTurns { report, pictures: Vec::new() }
    }

    /// The work on `page`, which publishes what is made after each turn of all samplers.
    pub(super) fn work(self, page: Arc<Page>) -> Work<MadeTurns> {
        Box::new(move |options, publish| {
            let test = RotationTest::new(&page, self.turns, Some(MOST_SIDE)).map_err(|error| error.to_string())?;
            let first = Arc::new(picture(test.original()));
            let mut made = MadeTurns { pictures: vec![vec![first]; self.samplers.len()], ..self.none() };
            publish(made.clone());
            let turned = test.run(&mut CpuBackend::new(), &self.samplers, options, &mut |turned| {
                made.report.push(&turned);
                made.pictures[turned.sampler].push(Arc::new(picture(turned.picture)));
                if turned.sampler + 1 == self.samplers.len() {
                    publish(made.clone());
                }
            });
            turned.map_err(|error| error.to_string())?;
            Ok(made)
        })
    }
}

/// The values of a raster without alpha, clamped to black … white.
fn picture(values: &Raster) -> ColorImage {
    let size = values.size();
    let places = (0..size.height()).flat_map(|row| (0..size.width()).map(move |column| (column, row)));
    let byte = |column: u32, row: u32, channel: usize| {
        (values.number(column, row, channel).clamp(0.0, 1.0) * 255.0).round() as u8
    };
    let colour = |(column, row)| match values.channels().count() {
        1 => egui::Color32::from_gray(byte(column, row, 0)),
        _ => egui::Color32::from_rgb(byte(column, row, 0), byte(column, row, 1), byte(column, row, 2)),
    };
    ColorImage::new([size.width() as usize, size.height() as usize], places.map(colour).collect())
}

#[cfg(test)]
mod tests {
    use egui::Context;

    use super::*;
    use crate::app::render::task::Task;
    use crate::image::{Formula, Synth};
    use crate::sampling::Method;
    use crate::test_support::size;

    fn page() -> Arc<Page> {
        Arc::new(Formula::new(Synth::Disc, size(64, 64)).expect("a formula").page())
    }

    fn job(page: &Page, turns: u32) -> RotationJob {
        let samplers = [Method::Nearest, Method::Linear].map(|method| Sampler::default().with_method(method));
        RotationJob { page: page.id(), samplers: samplers.to_vec(), turns }
    }

    #[test]
    fn result_has_the_errors_and_the_pictures_of_every_turn() {
        let (mut task, ctx, page) = (Task::default(), Context::default(), page());
        let job = job(&page, 6);
        let made = task.wait(&ctx, &job, || job.clone().work(Arc::clone(&page))).expect("six turns");
        assert_eq!((made.report.rows.len(), made.pictures.len(), made.pictures[1].len()), (12, 2, 7));
        assert_ne!(made.pictures[1][0], made.pictures[1][6], "the image is blurred");
    }

    #[test]
    fn other_experiment_cancels_the_one_in_progress_and_a_failure_is_said() {
        let (mut task, ctx, page) = (Task::default(), Context::default(), page());
        let work = |turns: u32| {
            let (job, page) = (job(&page, turns), Arc::clone(&page));
            move || job.clone().work(Arc::clone(&page))
        };
        drop(task.state(&ctx, &job(&page, 360), work(360)));
        assert!(!task.is_idle());
        let made = task.wait(&ctx, &job(&page, 3), work(3)).expect("three turns");
        assert_eq!(made.report.turns, 3);
        let failed = task.wait(&ctx, &job(&page, 1), work(1));
        assert_eq!(failed.err().as_deref(), Some("1 turns: from 2 to 360 are possible"));
        drop(task.state(&ctx, &job(&page, 360), work(360)));
        task.rest();
        assert!(task.is_idle());
    }
}
