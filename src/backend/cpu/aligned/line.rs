//! One row of the image, from the first to the last sample that the output's columns read, after the
//! address mode: every column's samples are adjacent in it.

use std::ops::Range;

use crate::sampling::Axis;

/// Which stored values make up a line.
#[derive(Debug)]
pub(super) struct Line {
    channels: usize,
    /// Number of samples.
    len: usize,
    runs: Vec<Run>,
}

/// Adjacent samples of a line.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    place: Range<usize>,
    stored: Stored,
}

/// The stored values of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stored {
    /// From this one on, rising.
    Rising(usize),
    /// From this one on, falling.
    Falling(usize),
    /// This one alone.
    Same(usize),
    /// The border's constant.
    Border,
}

impl Line {
    /// The samples `first` to `last` of rows along `axis`.
    pub(super) fn new([first, last]: [i64; 2], axis: Axis, channels: usize) -> Self {
        let stored: Vec<u32> = (first..=last).map(|sample| axis.stored(sample)).collect();
        Self { channels, len: stored.len(), runs: runs(&stored, axis.stored_len()) }
    }

    /// Number of values.
    pub(super) fn len(&self) -> usize {
        self.len * self.channels
    }

    /// The values of a row of the image that the line has, from the first to the last.
    pub(super) fn reads(&self) -> Range<usize> {
        let ends = self.runs.iter().filter_map(|Run { place, stored }| match *stored {
            Stored::Rising(from) => Some([from, from + place.len()]),
            Stored::Falling(from) => Some([from + 1 - place.len(), from + 1]),
            Stored::Same(at) => Some([at, at + 1]),
            Stored::Border => None,
        });
        let all = ends.reduce(|[first, last], [from, to]| [first.min(from), last.max(to)]);
        let [first, last] = all.unwrap_or_default();
        first * self.channels..last * self.channels
    }

    /// The first stored sample, if all are adjacent and rising.
    pub(super) fn rising(&self) -> Option<usize> {
        match self.runs[..] {
            [Run { stored: Stored::Rising(from), .. }] => Some(from * self.channels),
            _ => None,
        }
    }

    /// Fills `line` from a row of the image, or with the border's constant. `convert`: from a sample to a value.
    #[inline(always)]
    pub(super) fn fill<T: Copy, V: Copy>(
        &self,
        row: Option<&[T]>,
        border: V,
        line: &mut [V],
        convert: impl Fn(T) -> V + Copy,
    ) {
        let channels = self.channels;
        let Some(row) = row else {
            line[..self.len()].fill(border);
            return;
        };
        for Run { place, stored } in &self.runs {
            let line = &mut line[place.start * channels..place.end * channels];
            match *stored {
                Stored::Rising(from) => {
                    let samples = &row[from * channels..][..line.len()];
                    for place in 0..line.len() {
                        line[place] = convert(samples[place]);
                    }
                }
                Stored::Falling(from) => {
                    let samples = row[..(from + 1) * channels].rchunks_exact(channels);
                    for (values, samples) in line.chunks_exact_mut(channels).zip(samples) {
                        values.iter_mut().zip(samples).for_each(|(value, &sample)| *value = convert(sample));
                    }
                }
                Stored::Same(from) if channels == 1 => line.fill(convert(row[from])),
                Stored::Same(from) => {
                    let samples = &row[from * channels..][..channels];
                    for values in line.chunks_exact_mut(channels) {
                        values.iter_mut().zip(samples).for_each(|(value, &sample)| *value = convert(sample));
                    }
                }
                Stored::Border => line.fill(border),
            }
        }
    }
}

/// The longest runs of `stored`, where `border` is the index of the border's constant.
fn runs(stored: &[u32], border: u32) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut from = 0;
    while from < stored.len() {
        let first = stored[from];
        let step = stored.get(from + 1).map_or(0, |&next| i64::from(next) - i64::from(first));
        let is_next = |pair: &&[u32]| i64::from(pair[1]) - i64::from(pair[0]) == step && pair[1] != border;
        let is_run = step.abs() <= 1 && first != border;
        let len = if first == border {
            stored[from..].iter().take_while(|&&index| index == border).count()
        } else if is_run {
            1 + stored[from..].windows(2).take_while(is_next).count()
        } else {
            1
        };
        let at = first as usize;
        let stored = match step {
            _ if first == border => Stored::Border,
            _ if len == 1 => Stored::Same(at),
            1 => Stored::Rising(at),
            -1 => Stored::Falling(at),
            _ => Stored::Same(at),
        };
        runs.push(Run { place: from..from + len, stored });
        from += len;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{ADDRESS_MODES, AddressMode};

    #[test]
    fn line_has_the_stored_values_of_every_sample() {
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..400 {
            let address = ADDRESS_MODES[round % ADDRESS_MODES.len()].address;
            let halo = if round % 5 == 0 { random.u32(0..9) } else { 0 };
            let axis = Axis { len: random.u32(1..12), halo, address };
            let channels = random.usize(1..5);
            let first = random.i64(-40..40);
            let last = first + random.i64(0..60);
            let row: Vec<u16> = (0..axis.stored_len() as usize * channels).map(|value| value as u16).collect();
            let line = Line::new([first, last], axis, channels);
            let mut found = vec![f32::NAN; line.len() + 3];
            line.fill(Some(&row), -1.0, &mut found, f32::from);
            let expected = (first..=last).flat_map(|sample| {
                let stored = axis.stored(sample) as usize;
                let row = &row;
                (0..channels).map(move |c| row.get(stored * channels + c).map_or(-1.0, |&value| f32::from(value)))
            });
            assert_eq!(found[..line.len()], expected.collect::<Vec<_>>(), "{axis:?} from {first} to {last}");
            let read: Vec<usize> = (first..=last).map(|sample| axis.stored(sample) as usize).collect();
            let inside = || read.iter().copied().filter(|&stored| stored < axis.stored_len() as usize);
            let ends = inside().min().zip(inside().max());
            assert_eq!(line.reads(), ends.map_or(0..0, |(from, to)| from * channels..(to + 1) * channels));
        }
    }

    #[test]
    fn clamped_mirrored_and_wrapped_lines_are_few_runs() {
        let count = |address| {
            let axis = Axis { len: 10, halo: 0, address };
            Line::new([-10, 19], axis, 1).runs.len()
        };
        for row in &ADDRESS_MODES {
            assert!(count(row.address) <= 5, "{}: {}", row.name, count(row.address));
        }
        assert_eq!(count(AddressMode::Border), 3);
    }
}
