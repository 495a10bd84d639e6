//! OpenEXR decoding by the `exr` crate: the first part with red, green and blue, at full resolution.
//!
//! The raster covers the display window. Samples of the data window outside it are dropped; pixels without samples are
//! 0. The decoder holds the raster and some blocks of the data window.

use std::io::Cursor;

use exr::math::Vec2;
use exr::meta::header::Header;
use exr::prelude::{IntegerBounds, ReadChannels, ReadLayers, Text, read};

use super::limits::HeaderFault;
use super::{Channels, Raster, Samples, Size};
use crate::memory::{Demand, Memory};

/// Decodes an OpenEXR file. `limit` bounds each of the raster, the data window and the blocks in use, in bytes.
///
/// # Errors
/// [`HeaderFault`] for a malformed file, a file without a part of red, green and blue, and one above `limit` or
/// `memory`.
pub(super) fn decode(bytes: &[u8], limit: u64, memory: Memory) -> Result<Raster, HeaderFault> {
    let malformed = |error: exr::error::Error| HeaderFault::of_decoder(&error);
    let reader = exr::block::read(Cursor::new(bytes), false).map_err(malformed)?;
    let mut block_bytes = 0;
    for header in reader.headers() {
        // A chunk names its own part, so the blocks of every part count.
        block_bytes = largest_block(header).max(block_bytes);
        let window = area(header.layer_size).saturating_mul(header.channels.bytes_per_pixel as u64);
        let taken = window.max(block_bytes);
        if taken > limit {
            return Err(HeaderFault::TooLarge(taken));
        }
    }
    let picture = reader.headers().iter().find_map(Picture::of);
    let none = || HeaderFault::Malformed("no part has channels R, G and B".to_owned());
    let picture = picture.ok_or_else(none)??;
    let taken = (picture.len() as u64).saturating_mul(4);
    if taken > limit {
        return Err(HeaderFault::TooLarge(taken));
    }
    // A block exists compressed, decompressed, and in between.
    let at_work = (rayon::current_num_threads() as u64 + 2).saturating_mul(block_bytes).saturating_mul(3);
    let is_parallel = at_work <= limit;
    let mut demand = Demand::default();
    demand.hold(|| format!("{} samples take", picture.size), taken);
    demand.pass(|| "blocks of samples take".to_owned(), if is_parallel { at_work } else { 3 * block_bytes });
    memory.check(&demand).map_err(HeaderFault::Memory)?;
    let zeros = move |_: Vec2<usize>, _: &_| vec![0_f32; picture.len()];
    let put = move |values: &mut Vec<f32>, at: Vec2<usize>, (r, g, b, a): (f32, f32, f32, f32)| {
        picture.put(values, at, [r, g, b, a]);
    };
    let reading =
        read().no_deep_data().largest_resolution_level().rgba_channels(zeros, put).first_valid_layer().all_attributes();
    let reading = if is_parallel { reading } else { reading.non_parallel() };
    let values = reading.from_chunks(reader).map_err(malformed)?.layer_data.channel_data.pixels;
    let raster = Raster::new(picture.size, picture.channels, Samples::F32(values));
    raster.map_err(|_| HeaderFault::Malformed("its samples do not fill it".to_owned()))
}

/// Bytes of the largest block of `header`.
fn largest_block(header: &Header) -> u64 {
    use exr::meta::BlockDescription::{ScanLines, Tiles};
    let pixels = match header.blocks {
        Tiles(tiles) => area(tiles.tile_size),
        ScanLines => area(Vec2(header.layer_size.width(), header.compression.scan_lines_per_block())),
    };
    pixels.saturating_mul(header.channels.bytes_per_pixel as u64)
}

fn area(size: Vec2<usize>) -> u64 {
    (size.width() as u64).saturating_mul(size.height() as u64)
}

/// Display window of a part.
#[derive(Clone, Copy)]
struct Picture {
    size: Size,
    channels: Channels,
    /// Offset from the data window's first sample to the display window's.
    offset: [i64; 2],
}

impl Picture {
    /// The display window of `header`; `None` for a part without red, green and blue.
    fn of(header: &Header) -> Option<Result<Self, HeaderFault>> {
        let has = |name: &str| header.channels.find_index_of_channel(&Text::from(name)).is_some();
        if header.deep || !["R", "G", "B"].into_iter().all(has) {
            return None;
        }
        let IntegerBounds { position, size } = header.shared_attributes.display_window;
        let data = header.own_attributes.layer_position;
        let offset = [data.x(), data.y()].map(i64::from);
        let offset = [offset[0] - i64::from(position.x()), offset[1] - i64::from(position.y())];
        let channels = if has("A") { Channels::Rgba } else { Channels::Rgb };
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        let (width, height) = (side(size.width()), side(size.height()));
        let is_possible = [width, height].iter().all(|side| (1..=Size::MAX_SIDE).contains(side));
        if !is_possible {
            return Some(Err(HeaderFault::Malformed(format!("its display window is {width}×{height} samples"))));
        }
        let size = Size::new(width, height).expect("both sides are possible");
        Some(Ok(Self { size, channels, offset }))
    }

    fn len(&self) -> usize {
        self.size.area() * self.channels.count()
    }

    /// Stores a sample of the data window if it is inside the display window.
    fn put(self, values: &mut [f32], Vec2(column, row): Vec2<usize>, sample: [f32; 4]) {
        let [width, height] = [self.size.width(), self.size.height()].map(i64::from);
        let [x, y] = [column as i64 + self.offset[0], row as i64 + self.offset[1]];
        if (0..width).contains(&x) && (0..height).contains(&y) {
            let count = self.channels.count();
            let at = (y * width + x) as usize * count;
            values[at..at + count].copy_from_slice(&sample[..count]);
        }
    }
}
