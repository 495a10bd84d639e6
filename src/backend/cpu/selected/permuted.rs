//! Rows of bytes by permutations with AVX-512: the samples of 64 bytes of the output lie in a window of 128 bytes.

use std::arch::x86_64::{__m512i, _mm512_maskz_permutex2var_epi8, _mm512_maskz_permutexvar_epi8, _mm512_or_si512};

use super::super::cache_lines::CacheLines;
use super::super::instructions::Avx512Bytes;

/// Bytes of the output that are written at once.
const BLOCK: usize = 64;
/// Bytes of a window.
const WINDOW: usize = 128;

/// The columns of a view.
pub(super) struct Permuted {
    /// The first byte of each block's window.
    from: Vec<u32>,
    /// Bytes of the output that show samples.
    mask: Vec<u64>,
    /// The place of each in the window.
    index: CacheLines,
    /// The other bytes.
    constant: CacheLines,
    /// Bytes of a row of the output.
    len: usize,
    /// Bytes of the longest window that are read.
    reach: usize,
}

impl Permuted {
    /// For rows that show the samples `columns`, from and to so many channels; the sample at `width` is the border's. `None` if a
    /// window does not hold the samples of a block.
    pub(super) fn new(
        _: Avx512Bytes,
        (columns, width): (&[u32], u32),
        [from, to]: [usize; 2],
        [border, opaque]: [u8; 2],
    ) -> Option<Self> {
        let len = columns.len() * to;
        let byte = |place: usize| {
            let (column, channel) = (columns[place / to], place % to);
            (column < width && channel < from).then(|| column * from as u32 + channel as u32)
        };
        let (mut windows, mut masks, mut index, mut constants) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut reach = 0;
        for begin in (0..len).step_by(BLOCK) {
            let bytes = begin..len.min(begin + BLOCK);
            let least = bytes.clone().filter_map(byte).min().unwrap_or(0);
            let mut mask = 0;
            for place in begin..begin + BLOCK {
                let shown = bytes.contains(&place).then(|| byte(place)).flatten();
                if let Some(byte) = shown {
                    mask |= 1 << (place - begin);
                    reach = reach.max((byte - least) as usize + 1);
                }
                index.push(shown.map_or(0, |byte| (byte - least) as u8));
                let is_border = bytes.contains(&place) && place % to < from;
                constants.push(if shown.is_some() {
                    0
                } else if is_border {
                    border
                } else {
                    opaque
                });
            }
            windows.push(least);
            masks.push(mask);
        }
        (reach <= WINDOW).then(|| Self {
            from: windows,
            mask: masks,
            index: CacheLines::of(&index),
            constant: CacheLines::of(&constants),
            len,
            reach,
        })
    }

    /// Fills the row `out` from the row at the begin of `samples`; false if there is no whole window behind its last sample.
    #[expect(unsafe_code, reason = "instructions that not every machine has")]
    pub(super) fn write(&self, samples: &[u8], out: &mut [u8]) -> bool {
        let last = self.from.iter().max().map_or(0, |&from| from as usize);
        if samples.len() < last + WINDOW || out.len() != self.len {
            return false;
        }
        // SAFETY: `new` takes an `Avx512Bytes`, which is proof of these features.
        unsafe {
            if self.reach <= BLOCK {
                self.write_windows::<false>(samples, out);
            } else {
                self.write_windows::<true>(samples, out);
            }
        }
        true
    }

    /// `WIDE`: windows of two vectors.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn write_windows<const WIDE: bool>(&self, samples: &[u8], out: &mut [u8]) {
        let index = self.index.numbers::<[u8; BLOCK]>();
        let constants = self.constant.numbers::<[u8; BLOCK]>();
        let blocks = self.from.iter().zip(&self.mask).zip(index.iter().zip(constants));
        for (out, ((&from, &mask), (index, constant))) in out.chunks_mut(BLOCK).zip(blocks) {
            let Some(window) = samples[from as usize..].first_chunk::<WINDOW>() else { return };
            let [lower, upper]: [__m512i; 2] = pulp::cast(*window);
            let index = pulp::cast(*index);
            let shown = if WIDE {
                _mm512_maskz_permutex2var_epi8(mask, lower, index, upper)
            } else {
                _mm512_maskz_permutexvar_epi8(mask, index, lower)
            };
            let bytes: [u8; BLOCK] = pulp::cast(_mm512_or_si512(shown, pulp::cast(*constant)));
            match out.first_chunk_mut() {
                Some(out) => *out = bytes,
                None => out.copy_from_slice(&bytes[..out.len()]),
            }
        }
    }
}
