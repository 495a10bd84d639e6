//! Planes of values on the device: the samples of a page, filtered samples and B-spline coefficients.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, sys};

use super::filter_kernels::reads_texture;
use super::filters::{Extent, FilterMemory};
use super::input::{Input, InputSource};
use crate::backend::cuda::abi::arguments::{Plane, PrefilterArguments};
use crate::backend::cuda::abi::sample_kind::{SampleKind, floats_of};
use crate::backend::cuda::driver::array::{Array, ArrayUse, upload_rows};
use crate::backend::cuda::driver::destination::{Destination, DeviceBuffer};
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::{DriverError, invalid, missing};
use crate::backend::cuda::driver::texture::{Texture, TextureSource, TextureUse};
use crate::backend::cuda::kernels::entry::TypedEntry;
use crate::backend::cuda::kernels::launch::{Launch, Launcher};
use crate::backend::cuda::plan::prefilter_poles::PrefilterPoles;
use crate::backend::demand::upload_demand;
use crate::backend::prepared::{Numbers, Prepared};
use crate::backend::{BackendError, PreparedCache, RenderRequest};
use crate::filter::{Chain, Filters};
use crate::image::{Channels, Page, PageId, Size};
use crate::lru::{Lru, LruLimits, Weigh};
use crate::memory::Memory;
use crate::sampling::{AddressMode, Prefilter, Sampler};

/// Rows start at multiples of this many pixels, so that four numbers at once are always one load, and of bytes those 32 that
/// textures over plain rows ask for.
const ROW_PIXELS: usize = 32;

/// Values on the device: one channel, or four (grey with alpha as grey, grey, grey, alpha; opaque colour with a fourth
/// that nobody reads).
#[derive(Debug)]
pub(crate) struct DevicePlane {
    pub(crate) kind: SampleKind,
    pub(crate) colour: bool,
    has_alpha: bool,
    maxval: u16,
    values: Arc<CudaSlice<u8>>,
    pitch: usize,
    stored: Size,
    halo: [u32; 2],
    textures: Vec<(TextureUse, Texture)>,
    array: Option<Arc<Array>>,
}

impl DevicePlane {
    /// A page's numbers, as `prepared` has them.
    fn upload(device: &Device, prepared: &Prepared) -> Result<Self, DriverError> {
        match prepared.numbers() {
            Numbers::U8(numbers) => Self::upload_numbers(device, prepared, numbers, SampleKind::U8),
            Numbers::U16(numbers) => Self::upload_numbers(device, prepared, numbers, SampleKind::U16),
            Numbers::F32(numbers) => Self::upload_numbers(device, prepared, numbers, SampleKind::F32),
        }
    }

    fn upload_numbers<T: Copy + Default + cudarc::driver::DeviceRepr>(
        device: &Device,
        prepared: &Prepared,
        numbers: &[T],
        kind: SampleKind,
    ) -> Result<Self, DriverError> {
        let channels = prepared.channels();
        let expanded: Vec<T>;
        let numbers = match channels {
            Channels::Grey | Channels::Rgba => numbers,
            Channels::GreyAlpha => {
                expanded =
                    numbers.as_chunks::<2>().0.iter().flat_map(|&[grey, alpha]| [grey, grey, grey, alpha]).collect();
                &expanded
            }
            Channels::Rgb => {
                let opaque = |&[red, green, blue]: &[T; 3]| [red, green, blue, T::default()];
                expanded = numbers.as_chunks::<3>().0.iter().flat_map(opaque).collect();
                &expanded
            }
        };
        let Ok(stored) = Size::new(prepared.width(), prepared.height()) else {
            return Err(lost());
        };
        let mut plane = Self::unset(device, stored, kind, channels)?;
        let shape = (stored.width() as usize * plane.bytes_a_pixel(), stored.height() as usize);
        let pitch = plane.pitch_bytes();
        let values = Arc::get_mut(&mut plane.values).ok_or_else(lost)?;
        upload_rows(device, numbers, values, shape, pitch)?;
        Ok(Self { maxval: prepared.maxval(), ..plane })
    }

    /// Memory for a plane of `stored` values.
    fn unset(device: &Device, stored: Size, kind: SampleKind, channels: Channels) -> Result<Self, DriverError> {
        let colour = channels != Channels::Grey;
        let pitch = (stored.width() as usize).next_multiple_of(ROW_PIXELS);
        let bytes = pitch * kind.bytes() * if colour { 4 } else { 1 } * stored.height() as usize;
        Ok(Self {
            kind,
            colour,
            has_alpha: channels.has_alpha(),
            maxval: 1,
            values: Arc::new(device.allocate(bytes)?),
            pitch,
            stored,
            halo: [0; 2],
            textures: Vec::new(),
            array: None,
        })
    }

    /// The B-spline coefficients of `samples` under the address modes and border of `sampler`.
    fn coefficients(
        launcher: &mut Launcher,
        samples: &Self,
        channels: Channels,
        sampler: &Sampler,
    ) -> Result<Self, DriverError> {
        let device = &launcher.device;
        let halo = [0, 1].map(|axis| sampler.halo(axis));
        let Some(poles) = PrefilterPoles::of(sampler.method) else {
            return Err(invalid("a method without poles has no coefficients"));
        };
        let side = [samples.stored.width() + 2 * halo[0], samples.stored.height() + 2 * halo[1]];
        let Ok(stored) = Size::new(side[0], side[1]) else {
            return Err(invalid("coefficients are larger than an image can be"));
        };
        let plane = Self { halo, ..Self::unset(device, stored, SampleKind::F32, channels)? };
        let arguments = PrefilterArguments {
            plane: samples.arguments(device, sampler),
            coefficients: device.address(&plane.values),
            pitch: plane.pitch as i32,
            stored: [stored.width() as i32, stored.height() as i32],
            halo: halo.map(|halo| halo as i32),
            ..poles.arguments()
        };
        let config = poles.config(stored, plane.colour);
        let entry = TypedEntry::prefilter(samples.kind, plane.colour, poles.is_cascade());
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: both planes are borrowed or owned here and hold what they say, rows of their pitch; the coefficients are
        // larger by their halo on each side, and every index of a sample goes through the address mode. Memory is freed in the
        // order of the stream. The blocks are the kernel's own.
        unsafe {
            launcher.launch(&Launch { entry, arguments, config })?;
        }
        Ok(plane)
    }

    /// These samples as filters read them: integers through a texture, or all from memory.
    pub(crate) fn filter_input<'a>(
        &'a mut self,
        device: &Device,
        (channels, sampler): (Channels, &Sampler),
        through_texture: bool,
    ) -> Result<Input<'a>, BackendError> {
        let textured = through_texture && self.kind != SampleKind::F32;
        let [width, height] = device.limits.texture;
        if textured && (self.stored.width() > width || self.stored.height() > height) {
            return Err(BackendError::Limit { what: format!("a texture of {}", self.stored) });
        }
        let texture = if textured { Some(self.texture_arguments(device, sampler, false)?) } else { None };
        let plane = self.arguments(device, sampler);
        let source = InputSource::Samples { _memory: &self.values };
        Ok(Input { plane, textured: texture, kind: self.kind, channels, border: sampler.border, _source: source })
    }

    /// `samples` after `chain`, under the address modes and border of `sampler`.
    fn filtered(
        launcher: &mut Launcher,
        memory: &mut FilterMemory,
        samples: &mut Self,
        (channels, sampler): (Channels, &Sampler),
        chain: &Chain,
    ) -> Result<Self, BackendError> {
        let plane = Self::unset(&launcher.device, samples.stored, SampleKind::F32, channels)?;
        let input = samples.filter_input(&launcher.device, (channels, sampler), reads_texture(chain))?;
        let floats = floats_of(channels);
        let size_px = [plane.pitch as u32, plane.stored.height()];
        let destination = Destination::values(DeviceBuffer::Bytes(Arc::clone(&plane.values)), size_px, floats)?;
        memory.run(launcher, (chain, Extent::Whole), input, &destination)?;
        Ok(plane)
    }

    fn bytes_a_pixel(&self) -> usize {
        self.kind.bytes() * if self.colour { 4 } else { 1 }
    }

    pub(crate) fn pitch_bytes(&self) -> usize {
        self.pitch * self.bytes_a_pixel()
    }

    /// Its memory as the rows of a texture of one channel.
    pub(crate) fn rows(&self) -> TextureSource {
        let memory = Arc::clone(&self.values);
        TextureSource::Rows { memory, kind: self.kind, size: self.stored, pitch: self.pitch_bytes() }
    }

    /// Its memory as the one line of a texture.
    pub(crate) fn line(&self) -> TextureSource {
        TextureSource::Line { memory: Arc::clone(&self.values), kind: self.kind }
    }

    /// What lies beyond the stored values: beyond a halo the last coefficient goes on.
    fn address(&self, sampler: &Sampler) -> [AddressMode; 2] {
        std::array::from_fn(|axis| if self.halo[axis] > 0 { AddressMode::Clamp } else { sampler.address[axis] })
    }

    /// The kernels' view of it in memory.
    pub(crate) fn arguments(&self, device: &Device, sampler: &Sampler) -> Plane {
        Plane {
            values: device.address(&self.values),
            texture: 0,
            pitch: self.pitch as i32,
            stored: [self.stored.width() as i32, self.stored.height() as i32],
            halo: self.halo.map(|halo| halo as i32),
            address: self.address(sampler).map(|address| address as i32),
            border: sampler.border * f32::from(self.maxval),
            inv_maxval: 1.0 / f32::from(self.maxval),
            texcoord_scale: [1.0; 2],
            has_alpha: i32::from(self.has_alpha),
        }
    }

    /// The kernels' view of it through the texture unit.
    pub(crate) fn texture_arguments(
        &mut self,
        device: &Device,
        sampler: &Sampler,
        linear: bool,
    ) -> Result<Plane, DriverError> {
        let how = TextureUse { address: self.address(sampler), linear };
        let texture = match self.textures.iter().find(|(kept, _)| *kept == how) {
            Some((_, texture)) => texture.handle(),
            None => {
                let array = match &self.array {
                    Some(array) => Arc::clone(array),
                    None => {
                        let channels = if self.colour { 4 } else { 1 };
                        let array = Array::new(device, self.stored, self.kind, channels, ArrayUse::Texture)?;
                        array.copy_from(device, &self.values, self.pitch_bytes())?;
                        Arc::clone(self.array.insert(Arc::new(array)))
                    }
                };
                let texture = Texture::new(device, TextureSource::Array(array), how)?;
                let handle = texture.handle();
                self.textures.push((how, texture));
                handle
            }
        };
        Ok(self.behind(texture, how, self.arguments(device, sampler), sampler))
    }

    /// `plane` read through `texture`, which divides integers by the largest that their type holds.
    pub(crate) fn behind(&self, texture: sys::CUtexObject, how: TextureUse, plane: Plane, sampler: &Sampler) -> Plane {
        let largest = match self.kind {
            SampleKind::U8 => 255.0,
            SampleKind::U16 => 65535.0,
            SampleKind::F32 => 1.0,
        };
        let texcoord_scale = [self.stored.width(), self.stored.height()]
            .map(|side| if how.is_normalized() { (1.0 / f64::from(side)) as f32 } else { 1.0 });
        Plane { texture, border: sampler.border, inv_maxval: largest / f32::from(self.maxval), texcoord_scale, ..plane }
    }
}

/// Two requests with the same key read the same plane. Samples do not depend on what lies beyond them; what filters that
/// look around make of them does, and coefficients do.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    page: PageId,
    /// Those that act.
    filters: Chain,
    /// The filter that made coefficients of them.
    prefilter: Option<Prefilter>,
    edges: Option<([AddressMode; 2], f32)>,
}

impl Key {
    fn new(page: &Page, sampler: &Sampler, filters: &Chain) -> Self {
        let prefilter = sampler.coefficients();
        let edges = (prefilter.is_some() || filters.reach() > 0).then_some((sampler.address, sampler.border));
        Self { page: page.id(), filters: Chain(filters.active().copied().collect()), prefilter, edges }
    }
}

/// Planes on the device, evicted by the rule of [`Lru`]: the planes of the request at hand are kept whatever their size.
#[derive(Debug)]
pub(crate) struct PlaneCache {
    kept: Lru<Key, DevicePlane>,
}

impl Default for PlaneCache {
    fn default() -> Self {
        Self { kept: Lru::new(Self::LIMITS) }
    }
}

impl Weigh for DevicePlane {
    fn bytes(&self) -> usize {
        self.values.len() * if self.array.is_some() { 2 } else { 1 }
    }
}

impl PlaneCache {
    /// An upload takes milliseconds, so idle planes may fill a quarter of the cache.
    const LIMITS: LruLimits = LruLimits { bytes: 2 << 30, idle_bytes: 512 << 20 };

    /// The plane that the sampler of `request` reads: samples of `page` after the filters before the interpolation, or their
    /// coefficients. Planes that are not kept are made now.
    ///
    /// # Errors
    /// If the host or the device has too little memory, or the device fails.
    pub(crate) fn get(
        &mut self,
        launcher: &mut Launcher,
        memory: &mut FilterMemory,
        prepared: &mut PreparedCache,
        page: &Arc<Page>,
        request: &RenderRequest,
    ) -> Result<&mut DevicePlane, BackendError> {
        self.kept.next_turn();
        let (sampler, filters) = (&request.sampler, &request.filters.before);
        let plain = Sampler { prefilter: false, ..*sampler };
        // Samples are uploaded as they are, or after the host has filled their holes; the device applies the other filters.
        let (on_host, on_device) = filters.split_behind_inpainting();
        let mut key = Key::new(page, &plain, &on_host);
        if self.kept.get(&key).is_none() {
            let filters = Filters { before: on_host, ..Filters::default() };
            let samples = RenderRequest { sampler: plain, filters, ..RenderRequest::new(request.size) };
            Memory::Machine.check(&upload_demand(page, &samples))?;
            let plane = DevicePlane::upload(&launcher.device, &prepared.get(page, &samples))?;
            self.kept.insert(key.clone(), plane);
        }
        let channels = page.channels();
        if on_device.is_active() {
            let filtered = Key::new(page, &plain, filters);
            if self.kept.get(&filtered).is_none() {
                let samples = self.kept.get(&key).ok_or_else(lost)?;
                let plane = DevicePlane::filtered(launcher, memory, samples, (channels, sampler), &on_device)?;
                self.kept.insert(filtered.clone(), plane);
            }
            key = filtered;
        }
        if sampler.uses_coefficients() {
            let coefficients = Key::new(page, sampler, filters);
            if self.kept.get(&coefficients).is_none() {
                let samples = self.kept.get(&key).ok_or_else(lost)?;
                let plane = DevicePlane::coefficients(launcher, samples, channels, sampler)?;
                self.kept.insert(coefficients.clone(), plane);
            }
            key = coefficients;
        }
        Ok(self.kept.get(&key).ok_or_else(lost)?)
    }

    /// Frees all planes.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

fn lost() -> DriverError {
    missing("a plane of values is lost")
}
