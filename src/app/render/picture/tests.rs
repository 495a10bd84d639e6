use super::*;
use crate::app::render::gl::fake;
use crate::app::session::PanelId;
use crate::backend::fake::FakeBackend;
use crate::backend::{CpuBackend, Feature, render};
use crate::filter::Filter;
use crate::image::{Page, Samples};
use crate::test_support::size;

/// Two pages of noise.
fn image(size: Size) -> Arc<Image> {
    let mut random = fastrand::Rng::with_seed(5);
    let mut page = || {
        let samples = Samples::U8 { values: (0..size.area()).map(|_| random.u8(..)).collect(), maxval: 255 };
        Page::new(Raster::new(size, Channels::Grey, samples).expect("a raster"))
    };
    Arc::new(Image::new("two pages", vec![page(), page()]).expect("an image"))
}

/// What three pictures that wait for `backend` become: for each whether the host made it, and why it is refused.
fn drawn_by(backend: FakeBackend) -> Vec<(bool, Option<String>)> {
    let image = image(size(8, 8));
    let request = RenderRequest::new(size(8, 8));
    let mut backend = FallbackBackend::new(Box::new(backend));
    let (mut sharing, mut worker) = (TextureSharing::default(), RenderWorker::new(egui::Context::default()));
    let mut context = RenderContext { backend: &mut backend, canvas: None, sharing: &mut sharing, worker: &mut worker };
    let picture = |number| {
        let (source, image) = (PageRequest::new(&image, &request), Arc::clone(&image));
        Picture { state: PictureState::Queued { source, image, target: GlTarget(number) }, ..Picture::default() }
    };
    let mut pictures = [1, 2, 3].map(picture);
    draw_queued(pictures.iter_mut(), &mut context);
    let expected = render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("a picture");
    let told = |picture: &Picture| {
        assert!(picture.gl_panel().is_none(), "no picture stays queued");
        (*picture.pixels() == expected, picture.refusal().map(ToString::to_string))
    };
    pictures.iter().map(told).collect()
}

#[test]
fn panel_that_the_device_cannot_render_is_rendered_by_the_cpu_alone() {
    let memory = Err(BackendError::Memory { what: "a plane".to_owned() });
    let told = drawn_by(FakeBackend::writing(vec![vec![Ok(()), memory, Ok(())], Vec::new()]));
    assert_eq!(told, [(false, None), (true, None), (false, None)]);
    let stopped = || Err(BackendError::Cancelled);
    let told = drawn_by(FakeBackend::writing(vec![vec![stopped(), Ok(()), Ok(())], Vec::new()]));
    assert_eq!(told[0], (false, Some(BackendError::Cancelled.to_string())));
}

#[test]
fn panels_that_wait_for_a_lost_device_are_drawn_by_the_host() {
    assert_eq!(drawn_by(FakeBackend::writing(Vec::new())), vec![(true, None); 3]);
    let lost = || Err(BackendError::Device { what: "a kernel trapped".to_owned(), lost: true });
    let told = drawn_by(FakeBackend::writing(vec![vec![lost(), lost(), lost()]]));
    assert_eq!(told, vec![(true, None); 3]);
}

/// A device that fails after it was given its work is noticed when it is asked, and its pictures are made anew.
#[test]
fn device_failure_after_a_frame_is_detected() {
    let size = size(8, 8);
    let (image, request) = (image(size), RenderRequest::new(size));
    let lost = BackendError::Device { what: "a kernel trapped".to_owned(), lost: true };
    let mut backend = FallbackBackend::new(Box::new(FakeBackend::writing(vec![vec![Ok(())], vec![Err(lost)]])));
    let gl = fake::context();
    let mut pictures = [Some(GlTarget(1)), None].map(|target| {
        let shown = Shown { source: PageRequest::new(&image, &request), origin: Origin::Backend(BackendKind::Cuda) };
        let texture = Some(SharedTexture { texture: Rc::new(fake::texture(&gl)), target });
        Picture { state: PictureState::Shown(shown), texture, ..Picture::default() }
    });
    assert!(!check_shared(pictures.iter_mut(), &mut backend), "it is still at work");
    assert!(pictures.iter().all(|picture| picture.texture().is_some()) && !backend.has_notices());
    assert!(check_shared(pictures.iter_mut(), &mut backend));
    assert_eq!(backend.take_notices().len(), 1);
    assert_eq!(pictures.each_ref().map(|picture| picture.texture().is_some()), [false, true]);
    let (mut sharing, mut worker) = (TextureSharing::default(), RenderWorker::new(egui::Context::default()));
    let mut context = RenderContext { backend: &mut backend, canvas: None, sharing: &mut sharing, worker: &mut worker };
    assert!(pictures[0].update(Client::Picture(PanelId::next()), &image, &request, &mut context));
    let expected = render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("a picture");
    assert_eq!(*pictures[0].pixels(), expected);
}

#[test]
fn panel_renders_once_per_request() {
    let size = size(8, 8);
    let image = image(size);
    let mut backend = FallbackBackend::new(Box::new(CpuBackend::new()));
    let (mut sharing, mut worker) = (TextureSharing::default(), RenderWorker::new(egui::Context::default()));
    let mut context = RenderContext { backend: &mut backend, canvas: None, sharing: &mut sharing, worker: &mut worker };
    let who = Client::Picture(PanelId::next());
    let mut picture = Picture::default();
    let mut request = RenderRequest::new(size);
    assert!(picture.update(who, &image, &request, &mut context));
    assert!(!picture.update(who, &image, &request, &mut context));
    request.page = 1;
    assert!(picture.update(who, &image, &request, &mut context));
    request.sampler.border = f32::NAN;
    assert!(picture.update(who, &image, &request, &mut context));
    let is_border = |error: &PictureError| matches!(error, PictureError::Backend(BackendError::Request(RequestError::Number(number))) if number.name == "border");
    assert!(picture.refusal().is_some_and(is_border));
    request.sampler.border = 0.0;
    request.page = 2;
    assert!(picture.update(who, &image, &request, &mut context));
    assert!(picture.refusal().is_some_and(|error| error.to_string().starts_with("page 3 is not among")));
}

/// No worker is needed: antiringing is quick.
#[test]
fn antiringing_that_the_device_lacks_is_rendered_by_the_cpu_and_its_reason_kept_with_the_picture() {
    let size = size(8, 8);
    let image = image(size);
    let lacks = BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::Antiringing };
    let mut backend = FallbackBackend::new(Box::new(FakeBackend::failing(vec![lacks])));
    let (mut sharing, mut worker) = (TextureSharing::default(), RenderWorker::new(egui::Context::default()));
    let mut context = RenderContext { backend: &mut backend, canvas: None, sharing: &mut sharing, worker: &mut worker };
    let (client, mut picture) = (Client::Picture(PanelId::next()), Picture::default());
    let mut request = RenderRequest::new(size);
    request.sampler.antiringing = 0.5;
    for page in [0, 1] {
        request.page = page;
        assert!(picture.update(client, &image, &request, &mut context));
        let expected = render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("a picture");
        assert_eq!((picture.pixels(), picture.rendered_by()), (&expected, Some(BackendKind::Cpu)));
        let reason = picture.failure().map(ToString::to_string);
        assert_eq!(reason.as_deref(), Some("backend 'cuda' has no antiringing"));
    }
    request.sampler.antiringing = 0.0;
    assert!(picture.update(client, &image, &request, &mut context));
    assert_eq!((picture.rendered_by(), picture.failure().is_none()), (Some(BackendKind::Cuda), true));
}

#[test]
fn filter_that_the_device_lacks_is_rendered_by_the_cpu_and_its_reason_kept_with_the_picture() {
    let size = size(8, 8);
    let image = image(size);
    let lacks = BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::Filter(Filter::Sobel) };
    // One failure: a second try of the device would succeed, and show no reason.
    let mut backend = FallbackBackend::new(Box::new(FakeBackend::failing(vec![lacks])));
    let mut filtered = RenderRequest::new(size);
    filtered.filters.before = "sobel".parse().expect("a chain");
    let moved = RenderRequest { page: 1, ..filtered.clone() };
    let plain = RenderRequest::new(size);
    let (mut sharing, mut worker) = (TextureSharing::default(), RenderWorker::new(egui::Context::default()));
    let mut context = RenderContext { backend: &mut backend, canvas: None, sharing: &mut sharing, worker: &mut worker };
    let client = Client::Picture(PanelId::next());
    let mut picture = Picture::default();
    let mut notices = Vec::new();
    for request in [&filtered, &moved] {
        while !picture.update(client, &image, request, &mut context) {
            context.worker.begin_frame();
        }
        let expected = render(&mut CpuBackend::new(), &image, request, PixelFormat::TEXTURE).expect("a picture");
        assert_eq!((picture.pixels(), picture.rendered_by()), (&expected, Some(BackendKind::Cpu)));
        let is_filter = |error: &BackendError| {
            matches!(error, BackendError::Unsupported { what: Feature::Filter(Filter::Sobel), .. })
        };
        assert!(picture.failure().is_some_and(is_filter) && picture.refusal().is_none());
        notices.push(context.backend.take_notices());
    }
    assert_eq!(notices, [vec!["backend 'cuda' has no filter 'sobel'; the CPU goes on".to_owned()], Vec::new()]);
    assert!(picture.update(client, &image, &plain, &mut context));
    assert_eq!((picture.rendered_by(), picture.failure().is_none()), (Some(BackendKind::Cuda), true));
}
