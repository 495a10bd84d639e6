//! Views whose pixels are samples: the file's integers are copied.
//!
//! Where every position is that of a sample, an interpolating kernel weighs this sample by 1 and the others by 0; the nearest
//! sample is weighed so everywhere. A view without display mapping, in the number type of the page, then has the page's numbers.
//! Rows that show the same samples are copied from the first of them.

#[cfg(target_arch = "x86_64")]
mod permuted;

use std::ops::Range;
use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
use self::permuted::Permuted;
use super::aligned::Aligned;
use super::band_rows;
use super::finish::{Finish, Number};
use super::instructions::Instructions;
use crate::backend::prepared::{Numbers, Prepared};
use crate::filter::ExecOptions;
use crate::image::{Raster, Samples};

/// Smallest number of adjacent samples that are copied at once.
const MIN_RUN: usize = 16;
/// Smallest number of adjacent columns of one sample that are filled at once.
const MIN_REPEATS: usize = 3;
/// Columns that are filled at once: the ones behind a piece are written again by the next pieces.
const FILLED: usize = 16;

/// Samples of every output column and row.
pub(super) struct Selected<'a> {
    prepared: &'a Arc<Prepared>,
    columns: Vec<u32>,
    rows: Vec<u32>,
    pieces: Vec<Piece>,
    /// Rows of bytes by permutations, where the machine has them.
    #[cfg(target_arch = "x86_64")]
    permuted: Option<Permuted>,
    /// The border's number.
    border: f32,
}

/// Adjacent output columns.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// They show adjacent samples, from this one on.
    Run(Range<usize>, usize),
    /// They show one sample, or the border.
    Repeated(Range<usize>, usize),
    /// They show samples anywhere, or the border.
    Single(Range<usize>),
}

impl<'a> Selected<'a> {
    /// For the pixels of `aligned` in the format of `out`; `None` if they are not the page's numbers.
    pub(super) fn new(aligned: &'a Aligned, finish: &Finish, out: &Raster, instructions: Instructions) -> Option<Self> {
        let prepared = &aligned.prepared;
        let is_same_type = match (prepared.numbers(), out.samples()) {
            (Numbers::U8(_), Samples::U8 { maxval, .. }) => u16::from(*maxval) == prepared.maxval(),
            (Numbers::U16(_), Samples::U16 { maxval, .. }) => *maxval == prepared.maxval(),
            _ => false,
        };
        if !is_same_type || !finish.keeps_numbers() {
            return None;
        }
        let [columns, rows] = aligned.selection()?;
        let pieces = pieces(&columns, prepared.width());
        #[cfg(target_arch = "x86_64")]
        let permuted = match prepared.numbers() {
            // Pieces of adjacent samples are copied quicker.
            Numbers::U8(_) if !matches!(pieces[..], [Piece::Run(..)]) => instructions.avx512_bytes().and_then(|simd| {
                let channels = [prepared.channels().count(), out.channels().count()];
                let border = u8::from_number(aligned.border, f32::from(prepared.maxval()));
                let opaque = u8::from_value(1.0, f32::from(prepared.maxval()));
                Permuted::new(simd, (&columns, prepared.width()), channels, [border, opaque])
            }),
            _ => None,
        };
        #[cfg(not(target_arch = "x86_64"))]
        let _ = instructions;
        Some(Self {
            prepared,
            columns,
            rows,
            pieces,
            #[cfg(target_arch = "x86_64")]
            permuted,
            border: aligned.border,
        })
    }

    /// Fills `out`, band by band.
    pub(super) fn write(&self, out: &mut Raster, work: &ExecOptions) {
        let from = self.prepared.channels().count();
        let to = out.channels().count();
        match (self.prepared.numbers(), out.samples_mut()) {
            (Numbers::U8(numbers), Samples::U8 { values, .. }) => {
                self.write_numbers(numbers, values, [from, to], work, |from, out| {
                    #[cfg(target_arch = "x86_64")]
                    return self.permuted.as_ref().is_some_and(|permuted| permuted.write(&numbers[from..], out));
                    #[cfg(not(target_arch = "x86_64"))]
                    false
                });
            }
            (Numbers::U16(numbers), Samples::U16 { values, .. }) => {
                self.write_numbers(numbers, values, [from, to], work, |_, _| false);
            }
            _ => unreachable!("`new` compares the types"),
        }
    }

    /// `vectors(from, out)` fills a row from the number `from` on, or returns false.
    fn write_numbers<T: Number>(
        &self,
        numbers: &[T],
        out: &mut [T],
        channels: [usize; 2],
        work: &ExecOptions,
        vectors: impl Fn(usize, &mut [T]) -> bool + Sync,
    ) {
        match channels {
            [1, 1] => self.write_pixels::<T, 1, 1>(numbers, out, work, vectors),
            [3, 3] => self.write_pixels::<T, 3, 3>(numbers, out, work, vectors),
            [3, 4] => self.write_pixels::<T, 3, 4>(numbers, out, work, vectors),
            _ => unreachable!("pages with alpha are prepared as floats"),
        }
    }

    fn write_pixels<T: Number, const FROM: usize, const TO: usize>(
        &self,
        numbers: &[T],
        out: &mut [T],
        work: &ExecOptions,
        vectors: impl Fn(usize, &mut [T]) -> bool + Sync,
    ) {
        let maxval = f32::from(self.prepared.maxval());
        let border = T::from_number(self.border, maxval);
        // A fourth channel is opaque.
        let opaque = T::from_value(1.0, maxval);
        let pixel = |sample: Option<&[T; FROM]>| -> [T; TO] {
            std::array::from_fn(|channel| match sample {
                _ if channel >= FROM => opaque,
                Some(sample) => sample[channel],
                None => border,
            })
        };
        let width = self.columns.len();
        let page_width = self.prepared.width() as usize;
        let page = numbers.as_chunks::<FROM>().0;
        let fill = |row: u32, out: &mut [T]| {
            let from = row as usize * page_width;
            let Some(samples) = page.get(from..from + page_width) else {
                out.as_chunks_mut::<TO>().0.fill(pixel(None));
                return;
            };
            if vectors(from * FROM, out) {
                return;
            }
            let out = out.as_chunks_mut::<TO>().0;
            for piece in &self.pieces {
                match piece {
                    Piece::Run(columns, first) => {
                        let samples = &samples[*first..][..columns.len()];
                        let out = &mut out[columns.clone()];
                        if FROM == TO {
                            out.as_flattened_mut().copy_from_slice(samples.as_flattened());
                        } else {
                            out.iter_mut().zip(samples).for_each(|(out, sample)| *out = pixel(Some(sample)));
                        }
                    }
                    Piece::Repeated(columns, sample) => {
                        let shown = pixel(samples.get(*sample));
                        match out[columns.start..].first_chunk_mut::<FILLED>() {
                            Some(out) if columns.len() <= FILLED => *out = [shown; FILLED],
                            _ => out[columns.clone()].fill(shown),
                        }
                    }
                    Piece::Single(columns) => {
                        let shown = out[columns.clone()].iter_mut().zip(&self.columns[columns.clone()]);
                        shown.for_each(|(out, &column)| *out = pixel(samples.get(column as usize)));
                    }
                }
            }
        };
        let stride = width * TO;
        work.for_bands(
            (out, stride),
            band_rows(self.rows.len(), stride),
            || (),
            |(), from, band| {
                for row in 0..band.len() / stride {
                    let shown = self.rows[from + row];
                    if row > 0 && self.rows[from + row - 1] == shown {
                        band.copy_within((row - 1) * stride..row * stride, row * stride);
                    } else {
                        fill(shown, &mut band[row * stride..][..stride]);
                    }
                }
            },
        );
    }
}

/// The pieces of a row that shows the samples `columns`; `border` is the index of the border.
fn pieces(columns: &[u32], border: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut single = 0..0;
    while single.end < columns.len() {
        let from = single.end;
        let first = columns[from];
        let repeats = columns[from..].iter().take_while(|&&column| column == first).count();
        let run = columns[from..].iter().zip(first..border).take_while(|&(&column, next)| column == next).count();
        let piece = if run >= MIN_RUN {
            Piece::Run(from..from + run, first as usize)
        } else if repeats >= MIN_REPEATS {
            Piece::Repeated(from..from + repeats, first as usize)
        } else {
            // A run may begin at the next column, and repetitions after this sample's.
            single.end += repeats.min(run.max(1));
            continue;
        };
        if !single.is_empty() {
            pieces.push(Piece::Single(single));
        }
        let to = from + run.max(repeats);
        pieces.push(piece);
        single = to..to;
    }
    if !single.is_empty() {
        pieces.push(Piece::Single(single));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::super::aligned::Axes;
    use super::*;
    use crate::backend::{Backend as _, CpuBackend, PixelFormat, RenderRequest, render};
    use crate::image::{Channels, Depth, Image, Page};
    use crate::sampling::{ADDRESS_MODES, METHODS, Method, Sampler, SamplingPath};
    use crate::test_support::size;
    use crate::view::View;

    fn image(random: &mut fastrand::Rng, channels: Channels, is_wide: bool) -> Image {
        let size = size(random.u32(1..60), random.u32(1..40));
        let count = size.area() * channels.count();
        let samples = if is_wide {
            Samples::U16 { values: (0..count).map(|_| random.u16(..=4095)).collect(), maxval: 4095 }
        } else {
            Samples::U8 { values: (0..count).map(|_| random.u8(..)).collect(), maxval: 255 }
        };
        Image::of_page("random", Page::new(Raster::new(size, channels, samples).expect("a raster")))
    }

    /// A view whose pixels are on samples, or any view of the nearest samples.
    fn request(random: &mut fastrand::Rng, method: Method) -> RenderRequest {
        // Positions of an output of an even number more pixels than this are whole or halves of them.
        let output = size(2 * random.u32(1..50), 2 * random.u32(1..40));
        let scale = f64::from(random.u32(1..4));
        let [translation, scale] = match method {
            Method::Nearest => [random.f64() * 40.0 - 20.0, scale * random.f64() + 0.05],
            _ => [f64::from(random.i32(-30..30)), scale],
        };
        let view = View::new([translation, 3.0 - translation], scale).expect("a view");
        let address = [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address);
        let border = [0.0, 0.25, 0.5, 1.0, -0.3][random.usize(..5)];
        RenderRequest {
            view,
            // Other views are exact on this path.
            sampler: Sampler { method, address, border, path: SamplingPath::Lookup, ..Sampler::default() },
            ..RenderRequest::new(output)
        }
    }

    /// Whether the pixels of `request` are copied.
    fn is_selected(image: &Image, request: &RenderRequest, out: &Raster) -> bool {
        let page = &image.pages()[0];
        let prepared = crate::backend::PreparedCache::default().get(page, request);
        let map = request.view.image_from_output(request.size, page.size());
        let aligned = Aligned::new(prepared, request, &map, &mut Axes::default(), Instructions::best());
        let finish = Finish::new(page.channels(), false, &request.display, out.channels(), Instructions::best());
        Selected::new(&aligned, &finish, out, Instructions::best()).is_some()
    }

    #[test]
    fn copied_numbers_are_the_rounded_values_of_every_method_address_mode_and_pixel_type() {
        let mut random = fastrand::Rng::with_seed(7);
        let interpolating: Vec<Method> =
            METHODS.iter().map(|row| row.method).filter(|method| method.kernel().interpolates).collect();
        let mut copied = [0; 2];
        for round in 0..400 {
            let is_wide = random.bool();
            let image = image(&mut random, [Channels::Grey, Channels::Rgb][round % 2], is_wide);
            let method = interpolating[random.usize(..interpolating.len())];
            let request = request(&mut random, method);
            let depth = image.pages()[0].depth();
            let mut backend = CpuBackend::new();
            let found = render(&mut backend, &image, &request, PixelFormat::file(depth)).expect("a picture");
            let values = render(&mut backend, &image, &request, PixelFormat::file(Depth::Float)).expect("values");
            let maxval = f32::from(found.samples().maxval());
            for index in 0..found.samples().len() {
                let value = (values.samples().number(index) * maxval).clamp(0.0, maxval).round_ties_even();
                assert_eq!(found.samples().number(index), value, "{index} of {request:?}");
            }
            copied[usize::from(is_selected(&image, &request, &found))] += 1;
            // The window shows colours with an opaque fourth channel.
            if !is_wide && image.pages()[0].channels() == Channels::Rgb {
                let mut shown = Raster::zeros(request.size, Channels::Rgba, Depth::EIGHT);
                backend.render(&image, &request, PixelFormat::TEXTURE, &mut shown).expect("a picture");
                for (place, pixel) in (0..request.size.area()).map(|place| (place, 4 * place)) {
                    let [red, green, blue, alpha] = [0, 1, 2, 3].map(|channel| shown.samples().number(pixel + channel));
                    assert_eq!(
                        [red, green, blue],
                        [0, 1, 2].map(|channel| found.samples().number(3 * place + channel))
                    );
                    assert_eq!(alpha, 255.0);
                }
            }
        }
        // Images of odd sides have positions between samples.
        assert!(copied[1] > 150 && copied[0] > 20, "{copied:?}");
    }

    #[test]
    fn runs_end_before_the_border_and_short_ones_are_single() {
        let run: Vec<u32> = (5..30).collect();
        assert_eq!(pieces(&run, 30), [Piece::Run(0..25, 5)]);
        assert_eq!(pieces(&run, 29), [Piece::Run(0..24, 5), Piece::Single(24..25)]);
        assert_eq!(pieces(&[3, 3, 4, 5], 9), [Piece::Single(0..4)]);
        let clamped: Vec<u32> = [0, 0].into_iter().chain(0..20).chain([19]).collect();
        assert_eq!(pieces(&clamped, 20), [Piece::Repeated(0..3, 0), Piece::Run(3..22, 1), Piece::Single(22..23)]);
    }

    #[test]
    fn repeated_samples_are_one_piece_each_and_the_border_is_one() {
        let twice: Vec<u32> = [9, 9, 9, 9, 0, 0, 0, 1, 1, 1].into();
        let expected = [Piece::Repeated(0..4, 9), Piece::Repeated(4..7, 0), Piece::Repeated(7..10, 1)];
        assert_eq!(pieces(&twice, 9), expected);
    }

    #[test]
    fn mapped_or_widened_pixels_and_positions_between_samples_are_computed() {
        let mut random = fastrand::Rng::with_seed(3);
        let image = image(&mut random, Channels::Grey, false);
        let sides = image.pages()[0].size();
        let identity =
            RenderRequest { sampler: Sampler::default().with_method(Method::Linear), ..RenderRequest::new(sides) };
        let out = |depth| Raster::zeros(sides, Channels::Grey, depth);
        assert!(is_selected(&image, &identity, &out(Depth::EIGHT)));
        assert!(!is_selected(&image, &identity, &out(Depth::SIXTEEN)));
        let mut mapped = identity.clone();
        mapped.display.exposure = 1.0;
        assert!(!is_selected(&image, &mapped, &out(Depth::EIGHT)));
        let between = View::new([0.5, 0.0], 1.0).expect("a view");
        assert!(!is_selected(&image, &RenderRequest { view: between, ..identity.clone() }, &out(Depth::EIGHT)));
        let smoothed = Sampler::default().with_method(Method::BSPLINE);
        assert!(!is_selected(&image, &RenderRequest { sampler: smoothed, ..identity }, &out(Depth::EIGHT)));
    }
}
