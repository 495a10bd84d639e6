//! Shared code of the window tests without a screen.

pub(crate) mod consistency;
pub(crate) mod documents;
pub(crate) mod dropped;
pub(crate) mod fake_backend;
pub(crate) mod painted;
pub(crate) mod pictures;
pub(crate) mod pointer;
pub(crate) mod saving;
pub(crate) mod side_bar;
pub(crate) mod waiting;

use egui_kittest::{Harness, HarnessBuilder};
use lerpscope::app::Lerpscope;

/// A window without a screen; its state is created in its first frame.
pub(crate) type Window = Harness<'static, Option<Lerpscope>>;

/// The window created by `make`, before its first frame. The window catches panics of frames; here they are raised
/// again.
pub(crate) fn window_of(
    builder: HarnessBuilder<Option<Lerpscope>>,
    make: impl FnOnce(&egui::Context) -> Lerpscope + 'static,
) -> Window {
    let mut make = Some(make);
    builder.build_ui_state(
        move |ui, app: &mut Option<Lerpscope>| {
            let app = app.get_or_insert_with(|| (make.take().expect("the app is made once"))(ui.ctx()));
            app.show(ui);
            assert_eq!(app.last_panic(), None);
        },
        None,
    )
}

/// State of the window.
pub(crate) fn app(window: &Window) -> &Lerpscope {
    window.state().as_ref().expect("the app was made in the first frame")
}
