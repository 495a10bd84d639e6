use super::*;
use crate::app::session::PanelId;
use crate::backend::{self, PixelFormat, RenderRequest};
use crate::filter::Filters;
use crate::image::{Channels, Image, Page, Samples};
use crate::memory::Memory;
use crate::test_support::size;
use crate::view::View;

/// A filter chain that takes seconds.
const LONG: &str = "bilateral=16,0.5,32;bilateral=16,0.5,32";

fn panel() -> Client {
    Client::Picture(PanelId::next())
}

fn worker() -> RenderWorker {
    RenderWorker::new(egui::Context::default())
}

fn noise(side: u32) -> Image {
    let size = size(side, side);
    let mut random = fastrand::Rng::with_seed(9);
    let values = (0..size.area()).map(|_| random.u8(..)).collect();
    let raster = Raster::new(size, Channels::Grey, Samples::U8 { values, maxval: 255 }).expect("a raster");
    Image::new("noise", vec![Page::new(raster)]).expect("an image")
}

fn request(side: u32, before: &str) -> RenderRequest {
    let filters = Filters { before: before.parse().expect("a chain"), ..Filters::default() };
    RenderRequest { filters, ..RenderRequest::new(size(side, side)) }
}

fn submission<'a>(client: Client, image: &'a Image, request: &'a RenderRequest) -> Submission<'a> {
    Submission { client, image, request, format: PixelFormat::TEXTURE }
}

/// Polls in one frame that does not block.
fn poll_at_once(worker: &mut RenderWorker, submission: &Submission<'_>) -> Option<Rendered> {
    worker.begin_frame();
    worker.deadline = Instant::now();
    let rendered = worker.poll(submission);
    worker.end_frame();
    rendered
}

/// Polls frame by frame until the result of this very request arrives.
fn result_of(worker: &mut RenderWorker, submission: &Submission<'_>) -> Rendered {
    loop {
        worker.begin_frame();
        let rendered = worker.poll(submission);
        worker.end_frame();
        if let Some(rendered) = rendered.filter(|rendered| rendered.source.is(submission.image, submission.request)) {
            return rendered;
        }
    }
}

#[test]
fn worker_renders_the_pixels_of_the_cpu_backend() {
    let (image, mut worker) = (noise(64), worker());
    for text in ["gaussian=3", "median=2;negative", "bilateral"] {
        let request = request(64, text);
        let rendered = result_of(&mut worker, &submission(panel(), &image, &request)).result.expect("a picture");
        let expected = backend::render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE);
        assert_eq!(rendered, expected.expect("a picture"));
    }
    assert!(worker.is_idle());
}

/// The errors that were logged.
struct Errors(Mutex<Vec<String>>);

static ERRORS: Errors = Errors(Mutex::new(Vec::new()));

impl log::Log for Errors {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() == log::Level::Error
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            self.0.lock().expect("the lines").push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

#[test]
fn panic_of_a_job_is_its_error_and_is_logged() {
    log::set_logger(&ERRORS).expect("no other test of the library keeps the log");
    log::set_max_level(log::LevelFilter::Error);
    let error = render_or_replace(&mut CpuBackend::new(), |_| panic!("no such row")).expect_err("it panics");
    let error = error.to_string();
    assert!(error.starts_with("the device failed: no such row (src/app/render/worker/tests.rs:"), "{error}");
    let logged = ERRORS.0.lock().expect("the lines").clone();
    let is_logged = |line: &String| line.contains("failed: no such row (src/app/render/worker/tests.rs:");
    assert!(logged.iter().any(is_logged), "{logged:?}");
}

#[test]
fn backend_that_panicked_is_replaced() {
    let (image, request) = (noise(8), request(8, "none"));
    let serve = |backend: &mut CpuBackend| backend::render(backend, &image, &request, PixelFormat::TEXTURE);
    let mut backend = CpuBackend::within(Memory::Bytes(0));
    serve(&mut backend).expect_err("it may take no memory");
    render_or_replace(&mut backend, |_| panic!("half made")).expect_err("it panics");
    serve(&mut backend).expect("the new one takes what the machine has");
}

#[test]
fn newer_request_replaces_the_older_one_and_an_abandoned_one_is_cancelled() {
    let (image, mut worker, client) = (noise(700), worker(), panel());
    let long = request(700, LONG);
    assert!(poll_at_once(&mut worker, &submission(client, &image, &long)).is_none());
    // Another takes its place long before it is done.
    let short = request(700, "negative");
    let rendered = result_of(&mut worker, &submission(client, &image, &short));
    assert!(rendered.result.is_ok());
    // No frame submits this one again.
    assert!(poll_at_once(&mut worker, &submission(Client::Tool, &image, &long)).is_none());
    while !worker.is_idle() {
        worker.begin_frame();
        worker.end_frame();
    }
}

#[test]
fn moved_view_keeps_the_job_that_computes_its_filtered_samples() {
    let (image, mut worker) = (noise(500), worker());
    let at =
        |x: f64, text: &str| RenderRequest { view: View::new([x, 0.0], 1.0).expect("a view"), ..request(500, text) };
    // Whether the job that runs is to be cancelled.
    let mut submit = |request: &RenderRequest| {
        assert!(poll_at_once(&mut worker, &submission(Client::Difference, &image, request)).is_none());
        loop {
            if let Some(task) = worker.shared.lock().running_task() {
                return task.stop.is_wanted();
            }
            std::thread::yield_now();
        }
    };
    assert!(!submit(&at(0.0, LONG)) && !submit(&at(1.0, LONG)) && !submit(&at(2.0, LONG)));
    assert!(submit(&at(2.0, "median=16;bilateral=16,0.5,32")), "other samples replace the job");
}

#[test]
fn probed_value_is_rendered_once_while_it_is_submitted() {
    let (image, mut worker) = (noise(32), worker());
    let (request, client) = (request(1, "gaussian=2"), Client::Probe(PanelId::next()));
    let submission = submission(client, &image, &request);
    let first = result_of(&mut worker, &submission);
    for _ in 0..5 {
        let again = poll_at_once(&mut worker, &submission).expect("it is kept");
        assert!(again.took == first.took && worker.is_idle());
    }
    // No frame submits it again.
    for _ in 0..2 {
        worker.begin_frame();
        worker.end_frame();
    }
    assert_eq!(worker.shared.lock().done_count(), 0);
}

#[test]
fn picture_precedes_the_job_of_a_tool() {
    let (image, mut worker) = (noise(300), worker());
    let (tool, picture) = (request(300, "bilateral=16,0.5,32"), request(300, "sobel"));
    worker.begin_frame();
    worker.deadline = Instant::now();
    assert!(worker.poll(&submission(Client::Tool, &image, &tool)).is_none());
    assert!(worker.poll(&submission(Client::Difference, &image, &picture)).is_none());
    let queue = worker.shared.lock();
    let first = queue.first_client();
    assert!(first.is_none_or(|client| client == Client::Difference) || queue.done_count() == 1, "{queue:?}");
}
