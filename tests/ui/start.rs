//! The start of the device behind the window, without a screen and without a GPU.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::Lerpscope;
use lerpscope::backend::{
    BackendError, BackendKind, CpuBackend, FallbackBackend, PixelFormat, RenderRequest, Unusable, render,
};
use lerpscope::image::{self, BUILT_IN};
use lerpscope::sampling::Method;

use crate::harness::fake_backend::FakeBackend;
use crate::harness::{Window, app, window_of};

/// How long a test waits for a thread.
const PATIENCE: Duration = Duration::from_secs(60);
/// The methods of the four panels.
const METHODS: [Method; 4] = [Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM];

/// A device that starts when the test says so and then has the kernels that the test adds.
#[derive(Default)]
struct Device {
    is_open: AtomicBool,
    /// Whether the wait for `is_open` has ended.
    has_opened: AtomicBool,
    kernels: Mutex<Vec<Method>>,
}

impl Device {
    fn add(&self, method: Method) {
        self.kernels.lock().expect("no panic").push(method);
    }

    fn has(&self, request: &RenderRequest) -> bool {
        self.kernels.lock().expect("no panic").contains(&request.sampler.method)
    }
}

/// A window whose backend starts with `device`.
fn open(device: &Arc<Device>) -> Window {
    let opened = Arc::clone(device);
    start(move || {
        let start = Instant::now();
        while !opened.is_open.load(SeqCst) && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        opened.has_opened.store(true, SeqCst);
        let rendered = Arc::clone(&opened);
        let check = move |request: &RenderRequest| assert!(rendered.has(request), "a kernel is missing");
        let mut backend = FakeBackend::new(check, None);
        backend.has_kernels = Box::new(move |request| opened.has(request));
        Ok(Box::new(backend))
    })
}

fn start(open: impl FnOnce() -> Result<Box<dyn lerpscope::backend::Backend>, BackendError> + Send + 'static) -> Window {
    let backend = FallbackBackend::starting(open);
    let make = move |ctx: &egui::Context| {
        let image = image::open_source(BUILT_IN.as_ref()).expect("an image").image;
        let mut app = Lerpscope::with_backend(ctx, vec![image], backend).expect("an image");
        let samplers = METHODS.map(|method| lerpscope::sampling::Sampler::default().with_method(method));
        app.arrange(&samplers);
        app
    };
    window_of(Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16), make)
}

/// The backends that rendered the panels. Each panel must show the pixels of its newest request.
fn rendered_by(window: &Window) -> Vec<BackendKind> {
    let app = app(window);
    let session = app.session();
    let kind = |index: usize| {
        let picture = app.picture(index).expect("a picture");
        assert!(picture.refusal().is_none() && picture.late_since().is_none());
        let request = session.request(index);
        let expected = render(&mut CpuBackend::new(), session.image_of(index), &request, PixelFormat::TEXTURE);
        assert!(*picture.pixels() == expected.expect("a picture"), "panel {index} shows other pixels");
        picture.rendered_by().expect("a backend")
    };
    (0..METHODS.len()).map(kind).collect()
}

/// Runs frames until `is_done`, with a correct picture in every panel in each of them.
fn run_until(window: &mut Window, is_done: impl Fn(&[BackendKind]) -> bool) {
    let start = Instant::now();
    loop {
        window.step();
        let kinds = rendered_by(window);
        if is_done(&kinds) {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "{kinds:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn window_of_a_starting_device_shows_pictures_of_the_cpu_at_once_and_reports_the_start() {
    let device = Arc::<Device>::default();
    let mut window = open(&device);
    window.step();
    assert_eq!(rendered_by(&window), [BackendKind::Cpu; 4], "the first frame has every picture");
    window.step();
    assert!(window.query_by_label_contains("CPU: CUDA is starting").is_some());
    assert!(!app(&window).has_settled(), "the device will render the pictures anew");
    device.is_open.store(true, SeqCst);
}

#[test]
fn device_takes_over_panel_by_panel_as_its_kernels_arrive_while_the_view_moves() {
    let device = Arc::<Device>::default();
    let mut window = open(&device);
    window.step();
    device.is_open.store(true, SeqCst);
    let start = Instant::now();
    while window.query_by_label_contains("CUDA loads its kernels").is_none() {
        assert!(start.elapsed() < PATIENCE, "the device does not open");
        window.step();
        assert_eq!(rendered_by(&window), [BackendKind::Cpu; 4], "no kernel is loaded yet");
    }
    for (count, method) in METHODS.into_iter().enumerate() {
        // A moved view is shown in the same frame, by whichever backend can.
        window.key_press(Key::ArrowRight);
        window.step();
        rendered_by(&window);
        device.add(method);
        run_until(&mut window, |kinds| kinds.iter().filter(|kind| **kind == BackendKind::Cuda).count() == count + 1);
        let kinds = rendered_by(&window);
        for (panel, kind) in kinds.into_iter().enumerate() {
            assert_eq!(kind == BackendKind::Cuda, panel <= count, "panel {panel} after {} kernels", count + 1);
        }
    }
    window.step();
    window.step();
    assert!(window.query_by_label_contains("CUDA loads its kernels").is_none());
    assert!(app(&window).has_settled());
}

#[test]
fn device_that_does_not_open_leaves_the_pictures_to_the_cpu_with_its_reason() {
    let cause = Unusable::MemoryTaken { what: "no memory".to_owned() };
    let mut window = start(move || Err(BackendError::Unusable { backend: BackendKind::Cuda, cause }));
    let start = Instant::now();
    while window.query_by_label_contains("GPU memory taken").is_none() {
        assert!(start.elapsed() < PATIENCE, "the failure is not shown");
        window.step();
        assert_eq!(rendered_by(&window), [BackendKind::Cpu; 4]);
    }
    window.step();
    assert!(app(&window).has_settled());
}

#[test]
fn window_closes_without_waiting_for_a_device_that_starts() {
    let device = Arc::<Device>::default();
    let mut window = open(&device);
    window.step();
    drop(window);
    assert!(!device.has_opened.load(SeqCst));
    device.is_open.store(true, SeqCst);
}
