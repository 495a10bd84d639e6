//! Lerpscope compares image interpolation methods: one image in several panels, each rendered by another method.
//!
//! This page is a ten-minute tour: the modules, the coordinate spaces, the objects by lifetime, the path of one frame.
//! The numeric conventions are in `docs/numbers.md`; `CONTRIBUTING.md` says how to add a method, a filter or a command.
//!
//! # Modules
//! A module imports only from those below it.
//!
//! ```text
//!   app     cli                the window | the commands
//!       lesson               lessons: format, scenes of steps, conditions of tasks, proofs of numbers, handouts
//!     bench    block_sweep    grid_bench   time of each method by each path, and of frames of the window | of each kernel in
//!                            each block shape | of grids
//!     measure    lab         errors of each method against the truth | tools that explain methods: footprint,
//!                            1-D laboratory, repeated rotation, resize pairs, identification of kernels, the texture
//!                            unit's error, smoothness of the field
//!      plots     figure      kernels, weights and responses as curves; charts | several pictures on one sheet
//!      arguments  quality      requests as text: parsing and writing | true views, error metrics
//!       backend                renders a request into a raster; samples grids on the GPU
//!        volume                 volumes: planes, their samples and positions
//!        grid                   grids of 1 to 6 dimensions: values and derivatives at points; their files
//!        filter                image filters, on samples before the interpolation and on values after it
//!       sampling               methods give weights, address modes give indices, axis tables join them
//!      warp                    displaced positions: lens, swirl, perspective, B-spline lattice
//!      resize                pixel centres of a resized picture
//!     view    image            the map from pixels to positions | pages of samples, decoding, encoding
//!              memory          comparison of the memory that work needs with the available memory
//!        panics  background    panics as values | threads that leave the processor to the window
//!      files                   atomic writing of files; short texts
//!     signals                  termination signals
//! ```
//! Only `app` depends on a window toolkit, and [`sampling`] is independent of the backends.
//!
//! `app`, the top first:
//!
//! ```text
//!   window                     frame loop, actions, screenshot, start
//!   dialogs    panels          palette, paths, settings, keys, toasts, block sweep | header, picture, comparison of one panel
//!   files      bars            loader, session file, settings file, export, recovery | toolbar, status line, side bar
//!   lab        learn           drawer of the laboratory's tools | lessons: list, column, running lesson
//!   inspect                    overlays: cells, outside, clipping, field, loupe, pins, profile
//!   commands   input           rows, keymap, menus | pointer, fling, key taps
//!   session    render          what is shown, undo; independent of egui | pictures, worker thread, probe, OpenGL
//!   widgets                    theme, number field, rows, icons
//! ```
//!
//! `backend::cuda`, the top first:
//!
//! ```text
//!   mod, state                 the backend
//!   measure    gl_interop      bench, block sweep | OpenGL textures as destinations
//!   grids                      grids at points, beside the renderer: resident grids, their prefilter, streams of points
//!   render                     planes, filters, axis tables
//!   kernels                    entries, modules, loading ahead, launches
//!   plan                       which kernel serves a request, with which weights
//!   driver                     device, limits, errors, textures, events
//!   abi                        structs shared with the kernels, output and sample kinds
//! ```
//!
//! # Features
//! * `window` (default): the module `app`, and the feature `cli`.
//! * `cuda` (default): the CUDA backend, `backend::CudaBackend`. Without it the row `cuda` of [`backend::BACKENDS`]
//!   reports that it is not built in.
//! * `cli`: the modules `cli`, `bench`, `block_sweep`, `figure`, `grid_bench`, `lab`, `lesson`, `measure` and `plots`, files of grids, and the program `lerpscope`. Without `window` the program renders
//!   and measures, and refuses to open a window.
//! * `ndarray`: a [`grid::Grid`] of a view of the crate `ndarray`, of any number of dimensions and strides.
//!
//! `default-features = false` leaves images, sampling, filters, error metrics and the CPU backend, with fewer than 80 crates;
//! `examples/zoom.rs` is a program that uses it. Every error type prints one sentence with its causes, as `Display` and
//! as `Debug`, so that `fn main() -> Result<(), E>` reports it readably.
//!
//! # Spaces
//! * **Image**: sample (m, n) is at x = m, y = n; x runs right, y down. Positions are `f64`: at 1000× magnification and
//!   sample 100,000 they still move smoothly.
//! * **Grid**: sample (k₁, …, k_N) of a [`grid::Grid`] is at x₁ = k₁, …, x_N = k_N, in the order of its array's axes; an axis may
//!   be scaled or have unequal knots ([`grid::GridAxis`]).
//! * **Volume**: sample (k, l, m) of a [`volume::Volume`] is at x = k, y = l, z = m; a [`volume::PlaneFrame`] maps positions in a
//!   plane, which are those of an image, to positions in the volume.
//! * **Output**: pixel (i, j) of the rendered raster. A [`view::View`] (translation, a scale of each axis, angle) maps it to
//!   an image position by [`view::View::image_from_output`]. The scales are in samples per pixel. The view of a whole image as a
//!   resize shows it follows from a convention of [`resize::PixelCentres`].
//! * **Panel**: physical pixels of the window, one for each output pixel. A pointer at p is at output position p − ½.
//!   `app` converts the toolkit's points to pixels in one place.
//! * **Values**: the value of a sample is number / maxval, in `f32`. Kernels work on values; a [`backend::Display`]
//!   maps them for display; only then are they clamped and rounded. Exact paths are within 2·10⁻⁶ of the
//!   double-precision [`backend::reference`], for premultiplied values; a straight colour c at alpha a is a quotient,
//!   within 2·10⁻⁶·(1 + |c|)/a.
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
//! * **Rows** are static: [`sampling::METHODS`], [`sampling::METHOD_FORMS`], [`sampling::ADDRESS_MODES`],
//!   [`sampling::SAMPLING_PATHS`], [`backend::BACKENDS`], [`backend::COLOUR_MAPS`], [`filter::FILTERS`],
//!   [`filter::MATRICES`], [`filter::STAGES`],
//!   [`backend::CONTENTS`], [`image::synth::SYNTHS`], [`grid::VOLUMES`], [`volume::MAIN_PLANES`], [`complex::COMPONENTS`], [`quality::DECIMATIONS`],
//!   `plots::PLOT_KINDS`. Menus, options, documentation and tests are generated from them.
//! * A **[`Method`](sampling::Method)** is a value: a kernel family with its parameters. Every part of a backend gets
//!   weights from it; named methods are rows.
//! * A **[`Backend`](backend::Backend)** lives as long as the window or the command. It caches what it computes from
//!   pages (B-spline coefficients, filtered samples, textures).
//! * An **[`Image`](image::Image)** lives while it is open: immutable [`Page`](image::Page)s, each with an id that is
//!   the key of those caches. The page of a volume holds the [`Volume`](volume::Volume), which keeps the planes taken from it.
//! * A **[`RenderRequest`](backend::RenderRequest)** is a value: size, view, content, sampler, page, plane, filters, display,
//!   subtracted request. It determines every pixel. Its content is an interpolation or the truth of the page: a formula, or the
//!   original of a decimated image. Of complex numbers it names the component that is shown. The window, the command line, tests and benches make the same requests; a panel renders
//!   again exactly when its request differs from the last.
//! * A **[`Raster`](image::Raster)** is a rectangle of numbers: the contents of a file, or the output of a backend. A
//!   panel reuses its raster for each frame.
//!
//! * A **[`Grid`](grid::Grid)** has samples of any dimension, an [`Interpolator`](grid::Interpolator) the coefficients of one
//!   sampler. It borrows the samples where they need neither a prefilter nor a border, and serves any number of points.
//!
//! # The path of one frame
//! 1. Events become gestures, and gestures change the [`View`](view::View); on the command line, options give it. At
//!    the end of the frame, changed settings are recorded as a step for undo.
//! 2. Each panel's view and [`Sampler`](sampling::Sampler) make its request. If it equals the last one, nothing is
//!    rendered.
//! 3. [`RenderRequest::check`](backend::RenderRequest::check) refuses a request that no path serves, with an error that
//!    names the cause.
//! 4. The page of a volume is resolved to that of the request's plane ([`volume::resolved`]); all that follows is
//!    two-dimensional, except for an oblique plane, whose pixels are interpolated in the volume. The page of complex
//!    numbers is resolved to that of a component ([`complex::resolved`]); a magnitude or a phase is computed from both interpolated
//!    parts.
//! 5. The backend computes the values. For a view without rotation, one [`AxisTable`](sampling::AxisTable) for each
//!    axis has the samples and weights of every column and row, or [`AxisWeights`](sampling::AxisWeights) where each reads a few
//!    samples; for a rotated view each pixel has its own weights. CUDA
//!    has several kernels for this, which evaluate polynomials or tables of the same method. Until CUDA has started and
//!    has loaded the kernels of a request, the CPU renders it. If filters run on the CPU, a worker thread of the window
//!    renders: the last image is shown dimmed, the request is submitted again in each frame, and the newest request
//!    wins.
//! 6. The backend subtracts, maps, clamps and rounds the values: its output is final.
//! 7. The window draws that raster one texel per pixel; `render` saves it. Both have the same bytes. Where the view of a panel on the
//!    CPU moved by whole pixels, its [`PannedPicture`](backend::PannedPicture) moves the pixels and renders what came into view.

#[cfg(feature = "window")]
pub mod app;
pub mod arguments;
pub mod backend;
#[cfg(feature = "window")]
mod background;
#[cfg(feature = "cli")]
pub mod bench;
#[cfg(feature = "cli")]
pub mod block_sweep;
#[cfg(feature = "cli")]
pub mod cli;
pub mod complex;
#[cfg(feature = "cli")]
pub mod figure;
pub mod files;
pub mod filter;
pub mod grid;
#[cfg(feature = "cli")]
pub mod grid_bench;
pub mod image;
#[cfg(feature = "cli")]
pub mod lab;
#[cfg(feature = "cli")]
pub mod lesson;
mod lru;
#[cfg(feature = "cli")]
pub mod measure;
pub mod memory;
mod panics;
#[cfg(feature = "cli")]
pub mod plots;
pub mod quality;
pub mod resize;
mod rows;
pub mod sampling;
mod sentence;
#[cfg(all(unix, feature = "cli"))]
mod signals;
#[cfg(test)]
mod test_support;
mod text;
pub mod view;
pub mod volume;
pub mod warp;
