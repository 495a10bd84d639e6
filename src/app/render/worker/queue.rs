//! The jobs of the worker that wait, run and are done.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::job::{JobKey, Rendered, Submission, Task};
use crate::backend::BackendError;
use crate::filter::{CancelToken, StageProgress};
use crate::image::Raster;

/// How long a job goes on after a newer one of the same client was submitted. Where each job takes less, a slider that is
/// dragged shows every step.
const GRACE: Duration = Duration::from_millis(150);

/// A job that waits or runs.
#[derive(Debug)]
struct Job {
    task: Arc<Task>,
    /// The last frame that submitted it.
    frame: u64,
    /// When it was submitted; once it runs, when it was started.
    since: Instant,
}

/// A job that is done.
#[derive(Debug)]
struct Done {
    key: JobKey,
    result: Result<Raster, BackendError>,
    took: Duration,
    /// The last frame that submitted it.
    frame: u64,
}

/// All jobs, and the current frame.
#[derive(Debug, Default)]
pub(super) struct JobQueue {
    frame: u64,
    waiting: Vec<Job>,
    running: Option<Job>,
    done: Vec<Done>,
    is_closed: bool,
}

impl JobQueue {
    /// Begins the next frame.
    pub(super) fn begin_frame(&mut self) {
        self.frame += 1;
    }

    /// Cancels the jobs that this frame did not submit. Results live one frame longer.
    pub(super) fn end_frame(&mut self) {
        let frame = self.frame;
        self.waiting.retain(|job| job.frame == frame);
        self.done.retain(|done| done.frame + 1 >= frame);
        if let Some(job) = self.running.as_ref().filter(|job| job.frame != frame) {
            job.task.stop.cancel();
        }
    }

    /// Whether no job waits or runs, and no picture waits to be taken.
    pub(super) fn is_idle(&self) -> bool {
        let is_kept = |done: &Done| !done.key.client.is_picture();
        self.waiting.is_empty() && self.running.is_none() && self.done.iter().all(is_kept)
    }

    /// Progress of the job that runs; `None` before its first stage.
    pub(super) fn progress(&self) -> Option<StageProgress> {
        self.running.as_ref()?.task.progress.now()
    }

    /// Cancels all jobs for good.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
        if let Some(job) = &self.running {
            job.task.stop.cancel();
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Queues the job of `submission`, or notes that this frame submitted it as well. Returns whether it was queued.
    pub(super) fn submit(&mut self, submission: &Submission<'_>) -> bool {
        let frame = self.frame;
        if let Some(done) = self.done.iter_mut().find(|done| done.key.is(submission)) {
            done.frame = frame;
            return false;
        }
        if let Some(job) = self.waiting.iter_mut().chain(&mut self.running).find(|job| job.task.key.is(submission))
            && !job.task.stop.is_set()
        {
            job.frame = frame;
            return false;
        }
        let client = submission.client;
        if client.has_one_job() {
            self.waiting.retain(|job| job.task.key.client != client);
        }
        if let Some(job) = &mut self.running {
            let key = &job.task.key;
            if client.has_one_job() && key.client == client {
                job.frame = frame;
                // The filtered samples of the older job serve the newer one: a view that moves on does not discard them.
                if !key.source.shares_filtered_samples(submission.image, submission.request) {
                    job.task.stop.cancel_at(job.since + GRACE);
                }
            } else if client.is_picture() && !key.client.is_picture() {
                job.task.stop.cancel();
            }
        }
        let task = Task {
            key: JobKey::new(submission),
            image: submission.image.clone(),
            stop: CancelToken::default(),
            progress: Arc::default(),
        };
        // Pictures first, each kind in the order of submission.
        let is_behind = |job: &Job| client.is_picture() && !job.task.key.client.is_picture();
        let place = self.waiting.iter().position(is_behind).unwrap_or(self.waiting.len());
        self.waiting.insert(place, Job { task: Arc::new(task), frame, since: Instant::now() });
        true
    }

    /// The result of `submission`; of a picture the latest one, which may be of an earlier request. A picture is taken once.
    /// Other results stay for as long as they are submitted: a tool may need many, and starts over until all have arrived.
    pub(super) fn take(&mut self, submission: &Submission<'_>) -> Option<Rendered> {
        let client = submission.client;
        let is_wanted = |done: &Done| done.key.is(submission) || (client.is_picture() && done.key.client == client);
        let place = self.done.iter().position(is_wanted)?;
        Some(if client.is_picture() {
            let Done { key, result, took, .. } = self.done.remove(place);
            Rendered { source: key.source, result, took }
        } else {
            let Done { key, result, took, .. } = &self.done[place];
            Rendered { source: key.source.clone(), result: result.clone(), took: *took }
        })
    }

    /// Starts the first job that waits.
    pub(super) fn start_next(&mut self) -> Option<Arc<Task>> {
        if self.waiting.is_empty() {
            return None;
        }
        let job = Job { since: Instant::now(), ..self.waiting.remove(0) };
        let task = Arc::clone(&job.task);
        self.running = Some(job);
        Some(task)
    }

    /// Ends the job that runs. Returns whether there is a result: a cancelled job has none.
    pub(super) fn finish(&mut self, result: Result<Raster, BackendError>) -> bool {
        let Some(Job { task, frame, since }) = self.running.take() else {
            return false;
        };
        if matches!(result, Err(BackendError::Cancelled)) {
            return false;
        }
        self.done.push(Done { key: task.key.clone(), result, took: since.elapsed(), frame });
        true
    }
}

#[cfg(test)]
impl JobQueue {
    /// The task that runs.
    pub(super) fn running_task(&self) -> Option<&Task> {
        self.running.as_ref().map(|job| &*job.task)
    }

    /// The client of the first job that is not cancelled.
    pub(super) fn first_client(&self) -> Option<super::Client> {
        let running = self.running.iter().filter(|job| !job.task.stop.is_set());
        running.chain(&self.waiting).next().map(|job| job.task.key.client)
    }

    /// Results that are kept.
    pub(super) fn done_count(&self) -> usize {
        self.done.len()
    }
}
