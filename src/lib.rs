//! Lerpscope shows what image interpolation does: the same place of one image, made by one kernel beside another.
//!
//! This page is the ten-minute tour: the spaces that positions live in, the objects by how long they live, and the path of
//! one frame.
//!
//! # Floors
//! A module imports from those below it only.
//!
//! ```text
//!   app     cli                the window; the commands
//!     bench    race             how long each method takes by each path; which block shape suits which kernel
//!      arguments               requests as text, both ways
//!       backend                who makes pixels: one request in, one raster out
//!        filter                what is done to samples before the interpolation, and to values after it
//!       sampling               methods give weights, address modes give indices
//!     view    image            where one looks; what one looks at
//!              memory          whether work fits the machine's memory, before it is begun
//!        panics                panics as values, one function
//!      files                   files written whole, or as they were; short texts read
//!     signals                  which signals ask the program to end
//! ```
//! Nothing below `app` knows a window toolkit, and [`sampling`] knows no backend.
//!
//! # Features
//! * `window` (default): the module `app`, and `cli` with it.
//! * `cuda` (default): the CUDA backend, `backend::CudaBackend`. Without it the row `cuda` of [`backend::BACKENDS`] reports
//!   that it is not built in.
//! * `cli`: the modules `cli`, `bench` and `race`, and the program `lerpscope`. Without `window` the program renders and
//!   measures, and refuses to open a window.
//!
//! Without any, `default-features = false`, there are images, sampling, filters and the CPU backend, with fewer than 80 crates.
//! `examples/zoom.rs` is a program on it. Every error type prints one sentence with its causes, as `Display` and as `Debug`,
//! so that `fn main() -> Result<(), E>` reports it readably.
//!
//! # Spaces
//! * **Image**: sample (m, n) lies at x = m, y = n. x runs right, y down; positions are `f64`, since a picture may be
//!   magnified a thousand times at its hundred-thousandth sample.
//! * **Output**: pixel (i, j) of the picture that is made. A [`view::View`] (translation, scale, angle) says which image
//!   position an output pixel shows; [`view::View::image_from_output`] is that map. The scale counts samples per pixel.
//! * **Panel**: physical pixels of the window. One output pixel is one of them; a pointer at p is at output position p − ½.
//!   The toolkit's points are turned into pixels in one place of `app`.
//! * **Values**: a sample means number / maxval, in `f32`. Kernels work on values; a [`backend::Display`] maps them to what is
//!   shown; only then are they clamped and rounded. Exact paths keep premultiplied values within 2·10⁻⁶ of the double-precision
//!   [`backend::reference`]; a straight colour c at alpha a is a quotient and within 2·10⁻⁶·(1 + |c|)/a.
//!
//! ```
//! use lerpscope::image::Size;
//! use lerpscope::view::View;
//! let (output, image) = (Size::new(512, 512).unwrap(), Size::new(512, 512).unwrap());
//! let map = View::new([100.0, 100.0], 0.125)?.image_from_output(output, image);
//! assert_eq!(map.at([256.0, 256.0]), [356.0, 356.0]);
//! # Ok::<(), lerpscope::view::ViewError>(())
//! ```
//!
//! # Objects, the longest-lived first
//! * **Rows** live for ever: [`sampling::METHODS`], [`sampling::ADDRESSES`], [`sampling::PATHS`], [`backend::BACKENDS`],
//!   [`backend::COLOUR_MAPS`], [`filter::FILTERS`], [`filter::STAGES`], [`image::synth::SYNTHS`]. Menus, options and tests
//!   walk them.
//! * A **[`Backend`](backend::Backend)** lives as long as the window or the command, and keeps what it made from pages
//!   (B-spline coefficients, textures).
//! * An **[`Image`](image::Image)** lives while it is open: [`Page`](image::Page)s that never change, each with an id by which
//!   backends keep what they made of it.
//! * A **[`RenderRequest`](backend::RenderRequest)** is a value: size, view, sampler, page, filters, display. It decides every
//!   pixel. Whoever wants a picture fills one; a panel renders again exactly when its request differs from its last.
//! * A **[`Raster`](image::Raster)** is a rectangle of numbers: what a file held, or what a backend wrote. A panel's is
//!   written again and again.
//!
//! # The path of one frame
//! 1. An event becomes a gesture, a gesture becomes the next [`View`](view::View). On the command line, options do.
//!    What a person sets is noted at the frame's end, as a step that can be undone.
//! 2. Each panel's view and [`Sampler`](sampling::Sampler) make its request. The same as its last? Then nothing happens.
//! 3. [`RenderRequest::check`](backend::RenderRequest::check) refuses what no path serves, by name.
//! 4. The backend walks the output. Where the view is not turned, one [`AxisTable`](sampling::AxisTable) for each axis says
//!    for every column and row which samples count and how much; where it is, each pixel is asked for itself. CUDA has
//!    kernels of many shapes for this; those that are not in two passes make the weights themselves, from curves of the
//!    same rows.
//!    Where filters act on the CPU, the window leaves this to a thread of its own, shows the last picture dimmed, and asks
//!    again in its next frames; the newest request wins.
//! 5. The values are subtracted from, mapped, clamped and rounded by the backend: what it writes is final.
//! 6. The window draws that raster one texel a pixel; `render` saves it. Both have the same bytes.

#[cfg(feature = "window")]
pub mod app;
pub mod arguments;
pub mod backend;
#[cfg(feature = "cli")]
pub mod bench;
#[cfg(feature = "cli")]
pub mod cli;
pub mod files;
pub mod filter;
pub mod image;
pub mod memory;
mod panics;
#[cfg(feature = "cli")]
pub mod race;
mod rows;
pub mod sampling;
mod sentence;
#[cfg(all(unix, feature = "cli"))]
mod signals;
mod text;
pub mod view;
