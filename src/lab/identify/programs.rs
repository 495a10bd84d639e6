//! Which programs resample how.

use std::sync::LazyLock;

use super::edges::EdgeRule;
use super::geometry::{Convention, Widening};
use super::hypothesis::Hypothesis;
use super::pair::Pair;
use super::passes::Between;
use super::shape::Shape;
use crate::lab::cubics::NamedCubic;
use crate::sampling::Method;

/// A program that resamples so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program or library.
    pub program: &'static str,
    /// What to ask it for.
    pub call: String,
}

impl Program {
    /// Its name with the call: `Pillow, Image.resize(…, BICUBIC)`.
    pub fn label(&self) -> String {
        format!("{}, {}", self.program, self.call)
    }
}

/// A way of resampling of a program.
struct ProgramRow {
    program: &'static str,
    /// The call, with `…` for pictures and sizes.
    call: &'static str,
    /// A further argument where the picture becomes smaller.
    smaller: &'static str,
    shape: Shape,
    convention: Convention,
    /// Antialiasing of smaller pictures.
    widening: Widening,
    edge: EdgeRule,
    between: &'static [Between],
}

/// The programs that do what `hypothesis` says; of them those with these edges and passes, if there are any.
pub(super) fn of(hypothesis: &Hypothesis, (edges, between): (&[EdgeRule], Between), pair: &Pair) -> Vec<Program> {
    let is_smaller = pair.axes.iter().any(|axis| axis.scale > 1.0);
    let is_same = |row: &&ProgramRow| {
        let widening = if is_smaller { row.widening } else { Widening::Off };
        (row.shape, row.convention, widening) == (hypothesis.shape, hypothesis.convention, hypothesis.widening)
            // Larger pictures are made in the same way with and without antialiasing.
            && (is_smaller || row.widening != Widening::Gaussian)
    };
    let has_edges = |row: &&ProgramRow| edges.is_empty() || edges.contains(&row.edge);
    // Samples that are only copied are not rounded.
    let copies = hypothesis.shape == Shape::plain(Method::Nearest) && hypothesis.widening == Widening::Off;
    let has_passes = |row: &&ProgramRow| copies || row.between.contains(&between);
    let all: Vec<&ProgramRow> = PROGRAMS.iter().filter(is_same).collect();
    let exact: Vec<&ProgramRow> = all.iter().copied().filter(has_edges).filter(has_passes).collect();
    let rows = if exact.is_empty() { all } else { exact };
    let program = |row: &ProgramRow| {
        let smaller = if is_smaller { row.smaller } else { "" };
        Program { program: row.program, call: row.call.replace(")", &format!("{smaller})")) }
    };
    rows.into_iter().map(program).collect()
}

static PROGRAMS: LazyLock<Vec<ProgramRow>> = LazyLock::new(|| {
    use Convention::{Centres, Corners, Floor, TopLeft};
    use EdgeRule::{Clamp, Inside, Reflect};
    use Widening::{Gaussian, Kernel, Off};
    const ONCE: &[Between] = &[Between::Exact];
    const ROUNDED: &[Between] = &[Between::RowsRounded];
    const CLAMPED: &[Between] = &[Between::RowsClamped, Between::ColumnsClamped, Between::Exact];
    const ANY: &[Between] = &[Between::RowsRounded, Between::Exact];
    let plain = Shape::plain;
    let cubic = |cubic: NamedCubic| plain(cubic.method());
    let spline = |degree: u32| Shape::prefiltered(Method::bspline(degree).unwrap_or(Method::BSPLINE));
    let [catmull_rom, linear, nearest] = [Method::CATMULL_ROM, Method::Linear, Method::Nearest].map(plain);
    let opencv = cubic(NamedCubic::OpenCv);
    let row = |[program, call, smaller]: [&'static str; 3], shape, (convention, widening), (edge, between)| {
        ProgramRow { program, call, smaller, shape, convention, widening, edge, between }
    };
    vec![
        row(["Pillow", "Image.resize(…, NEAREST)", ""], nearest, (Centres, Off), (Inside, ROUNDED)),
        row(["Pillow", "Image.resize(…, BOX)", ""], nearest, (Centres, Kernel), (Inside, ROUNDED)),
        row(["Pillow", "Image.resize(…, BILINEAR)", ""], linear, (Centres, Kernel), (Inside, ROUNDED)),
        row(["Pillow", "Image.resize(…, HAMMING)", ""], Shape::Hamming, (Centres, Kernel), (Inside, ROUNDED)),
        row(["Pillow", "Image.resize(…, BICUBIC)", ""], catmull_rom, (Centres, Kernel), (Inside, ROUNDED)),
        row(["Pillow", "Image.resize(…, LANCZOS)", ""], plain(Method::LANCZOS3), (Centres, Kernel), (Inside, ROUNDED)),
        row(["OpenCV", "resize(…, INTER_NEAREST)", ""], nearest, (Floor, Off), (Clamp, ONCE)),
        row(["OpenCV", "resize(…, INTER_NEAREST_EXACT)", ""], nearest, (Centres, Off), (Clamp, ONCE)),
        row(["OpenCV", "resize(…, INTER_LINEAR)", ""], linear, (Centres, Off), (Clamp, ONCE)),
        row(["OpenCV", "resize(…, INTER_CUBIC)", ""], opencv, (Centres, Off), (Clamp, ONCE)),
        row(["OpenCV", "resize(…, INTER_LANCZOS4)", ""], plain(Method::LANCZOS4), (Centres, Off), (Clamp, ONCE)),
        row(["OpenCV", "resize(…, INTER_AREA)", ""], Shape::Area, (Centres, Off), (Clamp, ONCE)),
        row(["scikit-image", "resize(…, order=0)", ", anti_aliasing=False"], nearest, (Centres, Off), (Reflect, ONCE)),
        row(
            ["scikit-image", "resize(…, order=0)", ", anti_aliasing=True"],
            nearest,
            (Centres, Gaussian),
            (Reflect, ONCE),
        ),
        row(["scikit-image", "resize(…, order=1)", ", anti_aliasing=False"], linear, (Centres, Off), (Reflect, ONCE)),
        row(
            ["scikit-image", "resize(…, order=1)", ", anti_aliasing=True"],
            linear,
            (Centres, Gaussian),
            (Reflect, ONCE),
        ),
        row(
            ["scikit-image", "resize(…, order=2)", ", anti_aliasing=False"],
            spline(2),
            (Centres, Off),
            (Reflect, ONCE),
        ),
        row(
            ["scikit-image", "resize(…, order=2)", ", anti_aliasing=True"],
            spline(2),
            (Centres, Gaussian),
            (Reflect, ONCE),
        ),
        row(
            ["scikit-image", "resize(…, order=3)", ", anti_aliasing=False"],
            spline(3),
            (Centres, Off),
            (Reflect, ONCE),
        ),
        row(
            ["scikit-image", "resize(…, order=3)", ", anti_aliasing=True"],
            spline(3),
            (Centres, Gaussian),
            (Reflect, ONCE),
        ),
        row(
            ["scikit-image", "resize(…, order=4)", ", anti_aliasing=False"],
            spline(4),
            (Centres, Off),
            (Reflect, ONCE),
        ),
        row(
            ["scikit-image", "resize(…, order=4)", ", anti_aliasing=True"],
            spline(4),
            (Centres, Gaussian),
            (Reflect, ONCE),
        ),
        row(
            ["scikit-image", "resize(…, order=5)", ", anti_aliasing=False"],
            spline(5),
            (Centres, Off),
            (Reflect, ONCE),
        ),
        row(
            ["scikit-image", "resize(…, order=5)", ", anti_aliasing=True"],
            spline(5),
            (Centres, Gaussian),
            (Reflect, ONCE),
        ),
        row(["SciPy", "ndimage.zoom(…, order=1)", ""], linear, (Corners, Off), (Reflect, ONCE)),
        row(["SciPy", "ndimage.zoom(…, order=2)", ""], spline(2), (Corners, Off), (Reflect, ONCE)),
        row(["SciPy", "ndimage.zoom(…, order=3)", ""], spline(3), (Corners, Off), (Reflect, ONCE)),
        row(["SciPy", "ndimage.zoom(…, order=4)", ""], spline(4), (Corners, Off), (Reflect, ONCE)),
        row(["SciPy", "ndimage.zoom(…, order=5)", ""], spline(5), (Corners, Off), (Reflect, ONCE)),
        row(["ImageMagick", "-filter Box -resize", ""], nearest, (Centres, Kernel), (Inside, CLAMPED)),
        row(["ImageMagick", "-filter Triangle -resize", ""], linear, (Centres, Kernel), (Inside, CLAMPED)),
        row(
            ["ImageMagick", "-filter Hermite -resize", ""],
            plain(Method::Hermite),
            (Centres, Kernel),
            (Inside, CLAMPED),
        ),
        row(["ImageMagick", "-filter Catrom -resize", ""], catmull_rom, (Centres, Kernel), (Inside, CLAMPED)),
        row(
            ["ImageMagick", "-filter Mitchell -resize", ""],
            plain(Method::MITCHELL),
            (Centres, Kernel),
            (Inside, CLAMPED),
        ),
        row(["ImageMagick", "-filter Cubic -resize", ""], plain(Method::BSPLINE), (Centres, Kernel), (Inside, CLAMPED)),
        row(
            ["ImageMagick", "-filter Robidoux -resize", ""],
            cubic(NamedCubic::Robidoux),
            (Centres, Kernel),
            (Inside, CLAMPED),
        ),
        row(
            ["ImageMagick", "-filter RobidouxSharp -resize", ""],
            cubic(NamedCubic::RobidouxSharp),
            (Centres, Kernel),
            (Inside, CLAMPED),
        ),
        row(
            ["ImageMagick", "-filter Lanczos2 -resize", ""],
            plain(Method::LANCZOS2),
            (Centres, Kernel),
            (Inside, CLAMPED),
        ),
        row(
            ["ImageMagick", "-filter Lanczos -resize", ""],
            plain(Method::LANCZOS3),
            (Centres, Kernel),
            (Inside, CLAMPED),
        ),
        row(["PyTorch", "interpolate(mode='nearest')", ""], nearest, (Floor, Off), (Clamp, ONCE)),
        row(["PyTorch", "interpolate(mode='bilinear')", ""], linear, (Centres, Off), (Clamp, ONCE)),
        row(["PyTorch", "interpolate(mode='bilinear', align_corners=True)", ""], linear, (Corners, Off), (Clamp, ONCE)),
        row(["PyTorch", "interpolate(mode='bilinear', antialias=True)", ""], linear, (Centres, Kernel), (Inside, ANY)),
        row(["PyTorch", "interpolate(mode='bicubic')", ""], opencv, (Centres, Off), (Clamp, ONCE)),
        row(["PyTorch", "interpolate(mode='bicubic', align_corners=True)", ""], opencv, (Corners, Off), (Clamp, ONCE)),
        row(
            ["PyTorch", "interpolate(mode='bicubic', antialias=True)", ""],
            catmull_rom,
            (Centres, Kernel),
            (Inside, ANY),
        ),
        row(["TensorFlow", "image.resize(method='bicubic')", ""], catmull_rom, (Centres, Off), (Inside, ONCE)),
        row(["TensorFlow 1", "image.resize_bilinear", ""], linear, (TopLeft, Off), (Clamp, ONCE)),
        row(["TensorFlow 1", "image.resize_bicubic", ""], opencv, (TopLeft, Off), (Clamp, ONCE)),
        row(["MATLAB", "imresize(…, 'bicubic')", ""], catmull_rom, (Centres, Kernel), (EdgeRule::Mirror, ONCE)),
    ]
});
