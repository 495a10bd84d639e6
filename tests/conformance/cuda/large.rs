//! Outputs of many blocks, and pictures of 4097 × 3001 samples. The reference's values are made while another test has the
//! device, and once for all paths.

use lerpscope::backend::cuda::testing;
use lerpscope::backend::{RenderRequest, reference};
use lerpscope::image::Channels;
use lerpscope::sampling::{ADDRESS_MODES, METHODS, Method, Sampler, SamplingPath};
use lerpscope::view::View;

use super::cuda;
use crate::cases::{TOLERANCE, error_against_values, random_image, size};

const SAMPLING_PATHS: [SamplingPath; 3] = [SamplingPath::Auto, SamplingPath::Lookup, SamplingPath::Tiled];
/// The seeds of [`random_image`] for each kind of numbers.
const KINDS: [u64; 5] = [0, 1, 2, 3, 4];

/// Compares every path that serves `request` with the reference; how many did.
fn compare(image: &lerpscope::image::Image, request: &RenderRequest) -> usize {
    let expected = reference::values(image, request).expect("a request that is served");
    let Some(mut backend) = cuda() else { return 0 };
    let mut compared = 0;
    for path in SAMPLING_PATHS {
        let request = RenderRequest { sampler: Sampler { path, ..request.sampler }, ..request.clone() };
        if request.check(&image.pages()[0]).is_ok() {
            testing::poison(&mut backend).expect("a device that works");
            let error = error_against_values(&expected, &mut *backend, image, &request);
            assert!(error <= TOLERANCE, "off by {error:e}: {request:#?}");
            compared += 1;
        }
    }
    compared
}

/// Every kind of numbers in grey and in colour, in outputs several blocks wide and tall.
#[test]
fn outputs_of_many_blocks_agree() {
    if cuda().is_none() {
        return;
    }
    let mut compared = 0;
    for kind in KINDS {
        for (number, channels) in [Channels::Grey, Channels::Rgb, Channels::Rgba].into_iter().enumerate() {
            let image = random_image(kind, size(403, 211), channels);
            for (index, row) in METHODS.iter().enumerate() {
                // Inside, one sample a pixel, over the edges, zoomed out, turned: each method meets each in some kind.
                let (scale, translation, degrees) = [
                    (0.37, [12.3, -8.6], 0.0),
                    (1.0, [3.25, -1.5], 0.0),
                    (0.61, [-150.4, 77.9], 0.0),
                    (1.7, [0.4, 0.3], 0.0),
                    (0.45, [5.5, 2.5], 28.0),
                ][(index + kind as usize + 2 * number) % 5];
                let view = View::new(translation, scale).and_then(|view| view.rotated(degrees)).expect("a view");
                let address =
                    [index + number, index + kind as usize].map(|k| ADDRESS_MODES[k % ADDRESS_MODES.len()].address);
                let prefilter = row.method == Method::BSPLINE && number != 1;
                let sampler =
                    Sampler { address, prefilter, border: 0.375, ..Sampler::default().with_method(row.method) };
                compared += compare(&image, &RenderRequest { view, sampler, ..RenderRequest::new(size(331, 137)) });
            }
        }
    }
    assert!(compared >= 2 * 5 * 3 * METHODS.len(), "only {compared} requests were compared");
}

/// Every pair of address modes at the corners of a picture larger than any tile, each method with every kind of numbers.
#[test]
fn address_pairs_of_a_large_image_agree() {
    if cuda().is_none() {
        return;
    }
    let side = size(4097, 3001);
    for kind in KINDS {
        let image = random_image(kind, side, Channels::Grey);
        for pair in 0..ADDRESS_MODES.len() * ADDRESS_MODES.len() {
            for (index, row) in METHODS.iter().enumerate() {
                if (pair + index) % KINDS.len() != kind as usize {
                    continue;
                }
                let address =
                    [pair % ADDRESS_MODES.len(), pair / ADDRESS_MODES.len()].map(|k| ADDRESS_MODES[k].address);
                // The four corners in turn; a prefilter of so many samples is dear, so every other time.
                let corner = [pair & 1, pair >> 1 & 1].map(|far| if far == 1 { 0.5 } else { -0.5 });
                let translation = [corner[0] * 4097.0 + 0.31, corner[1] * 3001.0 - 0.27];
                let prefilter = row.method == Method::BSPLINE && pair % 2 == 0;
                let sampler =
                    Sampler { address, prefilter, border: -0.7, ..Sampler::default().with_method(row.method) };
                let view = View::new(translation, [0.37, 1.0, 2.9][pair % 3]).expect("a view");
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(301, 37)) };
                assert!(compare(&image, &request) > 1, "{request:#?}");
            }
        }
    }
}
