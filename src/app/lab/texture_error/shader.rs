//! The measurement of OpenGL's texture unit, on the window's thread: a picture of some thousand pixels, when the method changes.

use crate::app::render::gl::{Canvas, GlError, ShaderRequest, ShaderSampler};
use crate::image::Size;
use crate::lab::texture_error::{Precision, ShaderRow, ShaderTexel, TexelRequest};

/// The shader with what it measured last.
#[derive(Debug, Default)]
pub(super) struct ShaderUnit {
    made: Option<Result<Unit, String>>,
    texel: Option<(TexelRequest, Result<ShaderTexel, String>)>,
}

#[derive(Debug)]
struct Unit {
    sampler: ShaderSampler,
    precision: Precision,
}

impl ShaderUnit {
    /// The values of `request` by the texture unit of `canvas`; else why there are none, in a sentence.
    pub(super) fn texel(&mut self, canvas: Option<&Canvas>, request: TexelRequest) -> &Result<ShaderTexel, String> {
        let kept = self.texel.take().filter(|(measured, _)| *measured == request);
        let kept = kept.unwrap_or_else(|| (request, self.measured(canvas, request)));
        &self.texel.insert(kept).1
    }

    /// What was measured last, if that is `request`.
    pub(super) fn last(&self, request: TexelRequest) -> Option<&ShaderTexel> {
        self.texel.as_ref().filter(|(measured, _)| *measured == request)?.1.as_ref().ok()
    }

    fn measured(&mut self, canvas: Option<&Canvas>, request: TexelRequest) -> Result<ShaderTexel, String> {
        let canvas = canvas.ok_or_else(|| "The window has no OpenGL to ask".to_owned())?;
        let row = ShaderRow::of(request);
        let row = row.ok_or_else(|| "OpenGL is asked for methods without prefilter".to_owned())?;
        let unit = self.made.get_or_insert_with(|| Unit::new(canvas).map_err(|error| error.to_string()));
        let Unit { sampler, precision } = unit.as_ref().map_err(Clone::clone)?;
        let points = values(sampler, &row).map_err(|error| error.to_string())?;
        Ok(ShaderTexel { renderer: sampler.renderer().to_owned(), precision: *precision, points })
    }
}

impl Unit {
    fn new(canvas: &Canvas) -> Result<Self, GlError> {
        let sampler = canvas.shader_sampler()?;
        let precision = Precision::of(&values(&sampler, &ShaderRow::ramp())?);
        Ok(Self { sampler, precision })
    }
}

/// Fractions and values of a row, whose places are the pixels of as many rows as they need: a picture may be at most some
/// thousand pixels wide.
fn values(sampler: &ShaderSampler, row: &ShaderRow) -> Result<Vec<[f64; 2]>, GlError> {
    const WIDTH: u32 = 1024;
    let size = Size::new(row.samples.len() as u32, 1)?;
    let output = Size::new(WIDTH.min(row.places), 1)?;
    let mut found = Vec::with_capacity(row.places as usize);
    for piece in 0..row.places.div_ceil(WIDTH) {
        let spacing = 1.0 / row.places as f32;
        let first = row.first + (piece * WIDTH) as f32 * spacing;
        let request = ShaderRequest {
            samples: &row.samples,
            size,
            method: row.method,
            first: [first, 0.0],
            spacing: [spacing, 0.0],
            output,
        };
        found.extend(sampler.render(&request)?);
    }
    Ok(row.points(&found))
}
