//! The source of a step: which lines of the program compute it. Places in the source are found by anchors, texts that occur
//! once in their file, so that they follow the source wherever it moves.

use super::{Footprint, StepKind};
use crate::backend::cpu::{StretchedColumns, stretched_columns};
use crate::backend::{DeviceKernel, DeviceKernelKind, DeviceWeights, Display, RenderRequest};
use crate::image::Channels;
use crate::rows::rows;
use crate::sampling::{Method, Sampler, SamplingPath};

/// Description of a file of source.
#[derive(Debug)]
pub struct SourceFileRow {
    /// The file.
    pub file: SourceFile,
    /// Its path in the repository.
    pub path: &'static str,
    /// Its text.
    text: &'static str,
}

/// Declares the files with their texts; paths are those of the repository.
macro_rules! files {
    ($($(#[$attribute:meta])* $File:ident => $path:literal),+ $(,)?) => {
        rows! {
            /// A file of source that a step refers to.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum SourceFile {
                $($(#[$attribute])* $File => { path: $path, text: include_str!(concat!("../../../", $path)) }),+
            }

            /// The files.
            pub static SOURCE_FILES: [SourceFileRow { file, .. }];
        }
    };
}

files! {
    /// Address modes on the device.
    AddressCuh => "kernels/address.cuh",
    /// `columns`.
    ColumnsCuh => "kernels/columns.cuh",
    /// `direct`.
    DirectCuh => "kernels/direct.cuh",
    /// The display mapping on the device.
    DisplayCu => "kernels/display.cu",
    /// `filtered`.
    FilteredCu => "kernels/filtered.cu",
    /// w(d) on the device.
    KernelCurveCuh => "kernels/kernel_curve.cuh",
    /// `lookup`.
    LookupCu => "kernels/lookup.cu",
    /// Bytes of the output on the device.
    OutputCuh => "kernels/output.cuh",
    /// Two passes, and `memory`.
    PassesCu => "kernels/passes.cu",
    /// Positions on the device.
    PositionCuh => "kernels/position.cuh",
    /// Reads through the texture unit.
    TextureCuh => "kernels/texture.cuh",
    /// `tiled`.
    TiledCuh => "kernels/tiled.cuh",
    /// The walk down the rows of `direct` and `columns`.
    WalkCuh => "kernels/walk.cuh",
    /// Weights on the device.
    WeightsCuh => "kernels/weights.cuh",
    /// The CPU's horizontal pass for views without rotation.
    ColumnsRs => "src/backend/cpu/aligned/columns.rs",
    /// The same for columns that are far apart.
    DotsRs => "src/backend/cpu/aligned/dots.rs",
    /// The vertical one.
    VerticalRs => "src/backend/cpu/aligned/vertical.rs",
    /// Both for kernels that the others do not serve.
    WideRs => "src/backend/cpu/aligned/wide.rs",
    /// The CPU's loop for rotated views of stretched kernels.
    DirectRs => "src/backend/cpu/rotated/direct.rs",
    /// The sums over kernels of few samples.
    BlockRs => "src/backend/cpu/rotated/block.rs",
    /// Bytes of the output on the CPU.
    FinishRs => "src/backend/cpu/finish.rs",
    /// Axis tables.
    AxisRs => "src/sampling/axis.rs",
    /// Weights of linear filtering.
    FilteredRs => "src/sampling/filtered.rs",
    /// Weights of the cubic B-spline from a look-up table.
    FilteredTableRs => "src/sampling/filtered_table.rs",
    /// Kernels.
    KernelRs => "src/sampling/kernel.rs",
    /// Views.
    ViewRs => "src/view.rs",
}

impl SourceFile {
    /// Its lines, without unit tests.
    pub fn lines(self) -> Vec<&'static str> {
        let text = self.row().text;
        text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text).trim_end().lines().collect()
    }

    /// Its name without folders.
    pub fn name(self) -> &'static str {
        let path = self.row().path;
        path.rsplit('/').next().unwrap_or(path)
    }
}

/// Where the lines of a step end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// At the brace that closes the first one opened from the anchor on.
    Block,
    /// At the first line from the anchor on that contains this text.
    Line(&'static str),
}

/// The lines of a file that compute a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The file.
    pub file: SourceFile,
    anchor: &'static str,
    end: End,
}

impl Excerpt {
    const fn block(file: SourceFile, anchor: &'static str) -> Self {
        Self { file, anchor, end: End::Block }
    }

    const fn through(file: SourceFile, anchor: &'static str, last: &'static str) -> Self {
        Self { file, anchor, end: End::Line(last) }
    }

    /// Its lines, counted from 0, the last one included; `None` if an anchor is missing.
    pub fn lines(&self) -> Option<std::ops::RangeInclusive<usize>> {
        let lines = self.file.lines();
        let first = lines.iter().position(|line| line.contains(self.anchor))?;
        let rest = lines[first..].iter();
        let last = match self.end {
            End::Line(text) => first + rest.clone().position(|line| line.contains(text))?,
            End::Block => {
                let (mut depth, mut is_open) = (0, false);
                let closes = |line: &&str| {
                    for c in line.chars() {
                        depth += match c {
                            '{' => 1,
                            '}' => -1,
                            _ => 0,
                        };
                        is_open |= c == '{';
                    }
                    is_open && depth <= 0
                };
                first + rest.clone().position(closes)?
            }
        };
        Some(first..=last)
    }

    /// The lines of `step` in the source of `kernel`; in that of the CPU if there is none. `None` for a step that `footprint`
    /// does not have.
    pub fn of_step(
        step: StepKind,
        kernel: Option<DeviceKernel>,
        footprint: &Footprint,
        request: &RenderRequest,
    ) -> Option<Self> {
        step.is_of(footprint).then(|| match kernel {
            Some(kernel) => of_device(step, kernel, footprint, request),
            None => of_cpu(step, footprint, request),
        })
    }
}

/// The lines of `step` in the source of a CUDA kernel. Its axis tables are made by the host.
fn of_device(step: StepKind, kernel: DeviceKernel, footprint: &Footprint, request: &RenderRequest) -> Excerpt {
    use DeviceKernelKind as Kind;
    use SourceFile::{
        ColumnsCuh, DirectCuh, FilteredCu, KernelCurveCuh, LookupCu, PassesCu, PositionCuh, TextureCuh, TiledCuh,
        WalkCuh, WeightsCuh,
    };
    let is_one = footprint.sampler.method.kernel().taps == 1;
    let is_colour = footprint.channels != Channels::Grey;
    match (step, kernel.kind) {
        (
            StepKind::Position | StepKind::Fraction | StepKind::Weights | StepKind::Indices | StepKind::Fetches,
            Kind::Passes,
        ) => of_cpu(step, footprint, request),
        (StepKind::Position, Kind::Tiled | Kind::DirectUnit | Kind::DirectSpread | Kind::Columns) => {
            Excerpt::block(PositionCuh, "double position_along(")
        }
        (StepKind::Position, Kind::Gather | Kind::Points | Kind::Filtered | Kind::Memory) => {
            Excerpt::block(PositionCuh, "void position_at(")
        }
        (StepKind::Fraction, Kind::Memory) => Excerpt::block(KernelCurveCuh, "Support support_of("),
        (StepKind::Fraction, _) => Excerpt::block(PositionCuh, "Place place_of("),
        (StepKind::Weights, Kind::Memory) => Excerpt::block(PassesCu, "float prepare(const KernelCurve"),
        // The texture unit makes the weights of one fetch.
        (StepKind::Weights, Kind::Filtered) if is_one => {
            Excerpt::through(FilteredCu, "if constexpr (SCHEME == FETCH_POINT) {", "return")
        }
        (StepKind::Weights, Kind::Filtered) if footprint.axes[0].fetches.len() == 1 => {
            Excerpt::through(FilteredCu, "if constexpr (SCHEME == FETCH_LINEAR) {", "return")
        }
        (StepKind::Weights, _) => of_weights(kernel, &footprint.sampler),
        (StepKind::Indices, Kind::Gather | Kind::Points | Kind::Filtered) => {
            Excerpt::block(TextureCuh, "Reading reading_at(")
        }
        (StepKind::Indices, Kind::Tiled) if is_colour => {
            Excerpt::through(TiledCuh, "int at = resolve(plane.address[0]", "if (stored_row")
        }
        (StepKind::Indices, Kind::Tiled) => {
            Excerpt::through(TiledCuh, "at[k] = resolve(plane.address[0]", "int stored_row")
        }
        (StepKind::Indices, Kind::DirectUnit | Kind::DirectSpread) => Excerpt::block(WeightsCuh, "int first_stored("),
        (StepKind::Indices, Kind::Columns) => {
            Excerpt::through(ColumnsCuh, "int at = resolved(plane.address[0]", "scattered[k * 32 + lane] = at;")
        }
        (StepKind::Indices, Kind::Memory) => Excerpt::block(SourceFile::AddressCuh, "int resolve("),
        // Only `filtered` has fetches.
        (StepKind::Fetches, _) if kernel.weights == DeviceWeights::LookUpTable => {
            Excerpt::block(FilteredCu, "fetches_from(unsigned long long")
        }
        (StepKind::Fetches, _) => Excerpt::block(FilteredCu, "fetches_of(const WeightCurves"),
        (StepKind::Rows, Kind::Tiled) => {
            Excerpt::through(TiledCuh, "sums[c] = times(horizontal[c][0]", "horizontal[c][tap]")
        }
        (StepKind::Rows, Kind::DirectUnit) if is_one => {
            Excerpt::through(DirectCuh, "to[c] = words.sample(c);", "to[c]")
        }
        (StepKind::Rows, Kind::DirectSpread) if is_one => {
            Excerpt::through(DirectCuh, "picked.words[k] = __byte_perm(", "to[c] = picked.sample(c);")
        }
        (StepKind::Rows, Kind::DirectUnit) => {
            Excerpt::through(DirectCuh, "to[c] = times(weights[0], samples[c]);", "add_weighted(to[c]")
        }
        (StepKind::Rows, Kind::DirectSpread) => {
            Excerpt::through(DirectCuh, "to[c] = times(weights[c][0], samples[0]);", "add_weighted(to[c]")
        }
        (StepKind::Rows, Kind::Columns) => {
            Excerpt::through(ColumnsCuh, "to[c] = times(of[c][Columns::least(c)], values[", "add_weighted(to[c]")
        }
        (StepKind::Rows, Kind::Gather) => {
            Excerpt::through(LookupCu, "float upper = 0.0f, lower = 0.0f;", "add_weighted(lower, horizontal[m + 1]")
        }
        (StepKind::Rows, Kind::Points) => {
            Excerpt::through(LookupCu, "Value line = times(horizontal[0]", "add_weighted(line, horizontal[m]")
        }
        (StepKind::Rows, Kind::Filtered) => {
            Excerpt::through(FilteredCu, "Value line = times(horizontal.weight[0]", "add_weighted(line, horizontal")
        }
        (StepKind::Rows, Kind::Passes) => Excerpt::through(
            PassesCu,
            "const float4 four = __ldg(table.weights + k);",
            "add_weighted(parts[row][c], weights[row], values",
        ),
        (StepKind::Rows, Kind::Memory) => {
            Excerpt::through(PassesCu, "for (int from = 0; from < horizontal.count", "add_weighted(line, 1.0f, part);")
        }
        (StepKind::Sum, Kind::Tiled) => Excerpt::through(TiledCuh, "sums[c] = TAPS == 1", "add_last<OUTPUT>"),
        (StepKind::Sum, Kind::DirectUnit | Kind::DirectSpread | Kind::Columns) => {
            Excerpt::through(WalkCuh, "sums[c] = times(weights[0], ring[oldest % TAPS][c]);", "add_last<OUTPUT>")
        }
        (StepKind::Sum, Kind::Gather) => {
            Excerpt::through(LookupCu, "add_weighted(sum, vertical[n], upper);", "sum *= args.plane.inv_maxval;")
        }
        (StepKind::Sum, Kind::Points) => {
            Excerpt::through(LookupCu, "sum = times(vertical[0], line);", "sum = times(args.plane.inv_maxval, sum);")
        }
        (StepKind::Sum, Kind::Filtered) => {
            Excerpt::through(FilteredCu, "sum = times(vertical.weight[0], line);", "sum = times(args.plane.inv_maxval")
        }
        (StepKind::Sum, Kind::Passes) => Excerpt::through(
            PassesCu,
            "const int j = min(j0 + 2 * r, height - 1);",
            "add_weighted(parts[r][channel][c]",
        ),
        (StepKind::Sum, Kind::Memory) => {
            Excerpt::through(PassesCu, "add_weighted(sum, float(vertical.weight(", "write_pixel(")
        }
        (StepKind::Display, _) if request.display != Display::default() || request.subtract.is_some() => {
            Excerpt::block(SourceFile::DisplayCu, "void show_pixel(")
        }
        (StepKind::Display, _) if is_colour => Excerpt::block(SourceFile::OutputCuh, "unsigned straight_rgba("),
        (StepKind::Display, _) => Excerpt::block(SourceFile::OutputCuh, "unsigned byte_of_saturated("),
    }
}

/// The lines that evaluate the weights of a CUDA kernel.
fn of_weights(kernel: DeviceKernel, sampler: &Sampler) -> Excerpt {
    use SourceFile::WeightsCuh;
    match kernel.weights {
        _ if sampler.method == Method::Nearest => {
            Excerpt::through(WeightsCuh, "if constexpr (TAPS == 1) {", "weights[0]")
        }
        DeviceWeights::Linear => Excerpt::through(WeightsCuh, "weights[0] = (1.0f - fraction) * unit;", "weights[1]"),
        DeviceWeights::Symmetric => Excerpt::block(WeightsCuh, "void weigh_symmetric("),
        DeviceWeights::Cubic => Excerpt::block(WeightsCuh, "void weigh_cubics("),
        DeviceWeights::Lanczos => Excerpt::block(WeightsCuh, "void weigh_lanczos("),
        DeviceWeights::Segments => Excerpt::block(WeightsCuh, "void weigh_segments("),
        DeviceWeights::LookUpTable => Excerpt::block(SourceFile::FilteredCu, "fetches_from(unsigned long long"),
        DeviceWeights::Curve => Excerpt::block(SourceFile::KernelCurveCuh, "double polynomial_at("),
    }
}

/// The lines of `step` in the source of the CPU backend.
fn of_cpu(step: StepKind, footprint: &Footprint, request: &RenderRequest) -> Excerpt {
    use SourceFile::{
        AxisRs, BlockRs, ColumnsRs, DirectRs, DotsRs, FilteredRs, FilteredTableRs, FinishRs, KernelRs, VerticalRs,
        ViewRs, WideRs,
    };
    use StretchedColumns::{Far, Near};
    let is_aligned = request.view.is_axis_aligned();
    let is_stretched = footprint.axes.iter().any(|axis| axis.stretch.is_some());
    let is_grey = footprint.channels.count() == 1;
    let columns = stretched_columns(request, footprint.channels.count());
    match step {
        StepKind::Position if is_aligned => Excerpt::block(ViewRs, "pub fn along("),
        StepKind::Position => Excerpt::block(ViewRs, "pub fn at(&self, pos_in_output"),
        StepKind::Fraction | StepKind::Weights if is_stretched => Excerpt::block(AxisRs, "fn weigh_stretched("),
        StepKind::Fraction => Excerpt::block(KernelRs, "pub fn first_sample("),
        StepKind::Weights => Excerpt::block(KernelRs, "pub fn weights_at("),
        StepKind::Indices => Excerpt::block(AxisRs, "pub fn stored(&self"),
        StepKind::Fetches if footprint.sampler.path == SamplingPath::FilteredTable => {
            Excerpt::block(FilteredTableRs, "pub fn looked_up(")
        }
        StepKind::Fetches => Excerpt::block(FilteredRs, "pub fn weigh_filtered("),
        StepKind::Rows | StepKind::Sum if !is_aligned && is_stretched => Excerpt::block(DirectRs, "fn sum_runs("),
        StepKind::Rows | StepKind::Sum if !is_aligned => Excerpt::block(BlockRs, "fn sum<"),
        StepKind::Rows if columns == Some(Far) && is_grey => Excerpt::block(DotsRs, "fn filter_grey("),
        StepKind::Rows if columns == Some(Far) => Excerpt::block(DotsRs, "fn filter_pixels("),
        StepKind::Rows if columns == Some(Near) || !is_stretched => Excerpt::block(ColumnsRs, "fn indexed<"),
        StepKind::Rows => Excerpt::block(WideRs, "fn horizontal_wide<"),
        StepKind::Sum if columns.is_some() => Excerpt::block(VerticalRs, "fn add_rows<"),
        StepKind::Sum if is_stretched => Excerpt::block(WideRs, "fn vertical<"),
        StepKind::Sum => Excerpt::block(VerticalRs, "fn weighed<"),
        StepKind::Display => Excerpt::block(FinishRs, "fn write_mapped<"),
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::view::View;

    /// Every kernel with every form of weights.
    pub(in crate::lab::footprint) fn kernels() -> Vec<Option<DeviceKernel>> {
        use DeviceKernelKind as Kind;
        use DeviceWeights as Weights;
        let kinds = [
            Kind::Tiled,
            Kind::DirectUnit,
            Kind::DirectSpread,
            Kind::Columns,
            Kind::Gather,
            Kind::Points,
            Kind::Filtered,
            Kind::Passes,
            Kind::Memory,
        ];
        let weights = [
            Weights::Linear,
            Weights::Symmetric,
            Weights::Cubic,
            Weights::Lanczos,
            Weights::Segments,
            Weights::LookUpTable,
            Weights::Curve,
        ];
        let device = kinds.into_iter().flat_map(|kind| weights.map(|weights| Some(DeviceKernel { kind, weights })));
        device.chain([None]).collect()
    }

    /// Requests that select different lines: rotated or not, identity display or not.
    pub(in crate::lab::footprint) fn requests(base: &RenderRequest) -> Vec<RenderRequest> {
        let turned = base.view.rotated(30.0).expect("a view");
        let lighter = Display { exposure: 1.0, ..Display::default() };
        [base.view, turned]
            .into_iter()
            .flat_map(|view: View| {
                [Display::default(), lighter].map(|display| RenderRequest { view, display, ..base.clone() })
            })
            .collect()
    }

    impl Excerpt {
        /// How often its anchor occurs in its file.
        pub(in crate::lab::footprint) fn count(&self) -> usize {
            self.file.lines().iter().filter(|line| line.contains(self.anchor)).count()
        }
    }
}
