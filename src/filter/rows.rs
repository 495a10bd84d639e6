//! The filters. The limits of the parameters keep a filter interactive on a GPU.

use super::{Action, FilterRow, GaussianBlur, ParameterRow};
use super::{Chain, Mask};
use super::{
    NamedMatrix, bilateral, convolve, gaussian, inpaint, median, noise, noise_level, point, reference, sobel, unsharp,
};
use crate::rows::rows;

const SIGMA: ParameterRow = ParameterRow {
    name: "sigma",
    title: "Sigma",
    help: "standard deviation of the weights",
    unit: "samples",
    range: (0.01, 64.0),
    default: 2.0,
    whole: false,
    choices: &[],
    for_noise: None,
    follows: None,
};

const CENTRE: ParameterRow = ParameterRow {
    name: "x",
    title: "Centre x",
    help: "centre of the matrix, columns right of half their number, rounded down",
    unit: "samples",
    range: (-16.0, 16.0),
    default: 0.0,
    whole: true,
    choices: &[],
    for_noise: None,
    follows: None,
};

rows! {
    /// An image filter.
    ///
    /// ```
    /// use lerpscope::filter::Filter;
    /// assert_eq!(Filter::by_name("median"), Some(Filter::Median));
    /// assert_eq!(Filter::by_name("mean"), None);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Filter {
        /// I^γ, sign kept.
        Gamma => {
            name: "gamma",
            title: "Gamma",
            help: "power of the value, its sign kept: above 1 darkens mid-tones, below 1 lightens them",
            parameters: &[ParameterRow {
                name: "exponent",
                title: "Exponent",
                help: "exponent of the value",
                unit: "",
                range: (0.01, 100.0),
                default: 2.2,
                whole: false,
                choices: &[],
                for_noise: None,
                follows: None,
            }],
            reach: |_| 0,
            action: Action::Point { cpu: point::gamma, reference: reference::gamma },
        },
        /// 1 − I.
        Negative => {
            name: "negative",
            title: "Negative",
            help: "1 minus the value",
            parameters: &[],
            reach: |_| 0,
            action: Action::Point { cpu: point::negative, reference: reference::negative },
        },
        /// Scales values and moves colour towards its luminance.
        Brightness => {
            name: "brightness",
            title: "Brightness",
            help: "factor, and blend of colour and luminance (0.3 red, 0.59 green, 0.11 blue)",
            parameters: &[
                ParameterRow {
                    name: "factor",
                    title: "Factor",
                    help: "factor of all values",
                    unit: "",
                    range: (0.0, 100.0),
                    default: 1.0,
                    whole: false,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
                ParameterRow {
                    name: "colour",
                    title: "Colour",
                    help: "share of the colour: 0 gives the luminance; no effect on grey images",
                    unit: "",
                    range: (0.0, 1.0),
                    default: 1.0,
                    whole: false,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
            ],
            reach: |_| 0,
            action: Action::Point { cpu: point::brightness, reference: reference::brightness },
        },
        /// Weighted mean; weights decrease with distance.
        Gaussian => {
            name: "gaussian",
            title: "Gaussian blur",
            help: "weighted mean, weights exp(-d²/2σ²) out to 4σ: blurs noise and edges",
            parameters: &[
                ParameterRow { for_noise: Some(noise_level::blur_for), ..SIGMA },
                ParameterRow {
                    name: "sigma-y",
                    title: "Sigma y",
                    help: "standard deviation of the weights along y; 0 leaves the columns",
                    range: (0.0, 64.0),
                    follows: Some(0),
                    ..SIGMA
                },
                ParameterRow {
                    name: "radius",
                    title: "Radius",
                    help: "distance to which both axes are weighted; 0 selects four times the sigma of each axis, rounded up",
                    range: (0.0, 256.0),
                    default: 0.0,
                    whole: true,
                    ..SIGMA
                },
            ],
            reach: |step| GaussianBlur::new(step.parameters()).reach(),
            action: Action::Neighbourhood { cpu: gaussian::gaussian, reference: reference::gaussian, keeps_alpha: false },
        },
        /// Weighted mean; weights decrease with distance and with difference in value.
        Bilateral => {
            name: "bilateral",
            title: "Bilateral blur",
            help: "weighted mean, weights by distance and difference: smooths noise, keeps edges",
            parameters: &[
                ParameterRow { default: 3.0, ..SIGMA },
                ParameterRow {
                    name: "range",
                    title: "Range sigma",
                    help: "standard deviation of the weights by difference, Euclidean over the channels",
                    unit: "of white",
                    range: (0.001, 1000.0),
                    default: 0.1,
                    whole: false,
                    choices: &[],
                    for_noise: Some(noise_level::range_for),
                    follows: None,
                },
                ParameterRow {
                    name: "radius",
                    title: "Radius",
                    help: "half width of the square window; 0 selects twice sigma, rounded up, at most 32",
                    unit: "samples",
                    range: (0.0, 32.0),
                    default: 0.0,
                    whole: true,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
                ParameterRow {
                    name: "threshold",
                    title: "Weight threshold",
                    help: "blends with the original by the share of neighbours whose weight reaches it; 0 selects all",
                    unit: "",
                    range: (0.0, 1.0),
                    default: 0.0,
                    whole: false,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
                ParameterRow {
                    name: "show",
                    title: "Show",
                    help: "the result, or the share of neighbours whose weight reaches the threshold: bright where the image is flat, dark along edges",
                    unit: "",
                    range: (0.0, 1.0),
                    default: 0.0,
                    whole: true,
                    choices: bilateral::SHOWN,
                    for_noise: None,
                    follows: None,
                },
            ],
            reach: |step| bilateral::bilateral_radius(step.parameters()),
            action: Action::Neighbourhood {
                cpu: bilateral::bilateral,
                reference: reference::bilateral,
                keeps_alpha: false,
            },
        },
        /// Adds the difference from a Gaussian blur.
        Unsharp => {
            name: "unsharp",
            title: "Unsharp mask",
            help: "adds the difference from a Gaussian blur: steeper edges, more noise",
            parameters: &[
                SIGMA,
                ParameterRow {
                    name: "amount",
                    title: "Amount",
                    help: "factor of the difference",
                    unit: "",
                    range: (0.0, 10.0),
                    default: 1.0,
                    whole: false,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
                ParameterRow {
                    name: "threshold",
                    title: "Threshold",
                    help: "smallest difference that is added",
                    unit: "of white",
                    range: (0.0, 1.0),
                    default: 0.0,
                    whole: false,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
            ],
            reach: |step| gaussian::gaussian_radius(step.parameters()[0]),
            action: Action::Neighbourhood { cpu: unsharp::unsharp, reference: reference::unsharp, keeps_alpha: true },
        },
        /// Median of a square window.
        Median => {
            name: "median",
            title: "Median",
            help: "median of a square window, for each channel: removes specks, keeps edges",
            parameters: &[ParameterRow {
                name: "radius",
                title: "Radius",
                help: "half width of the square window",
                unit: "samples",
                range: (1.0, 16.0),
                default: 1.0,
                whole: true,
                choices: &[],
                for_noise: None,
                follows: None,
            }],
            reach: |step| step.parameters()[0] as u32,
            action: Action::Neighbourhood { cpu: median::median, reference: reference::median, keeps_alpha: false },
        },
        /// Gradient magnitude.
        Sobel => {
            name: "sobel",
            title: "Sobel edges",
            help: "gradient magnitude, for each channel: a step from 0 to 1 along an axis gives 1",
            parameters: &[ParameterRow {
                name: "scale",
                title: "Scale",
                help: "factor of the magnitude",
                unit: "",
                range: (0.01, 100.0),
                default: 1.0,
                whole: false,
                choices: &[],
                for_noise: None,
                follows: None,
            }],
            reach: |_| 1,
            action: Action::Neighbourhood { cpu: sobel::sobel, reference: reference::sobel, keeps_alpha: true },
        },
        /// Sum weighted by a matrix.
        Convolve => {
            name: "convolve",
            title: "Convolution",
            help: "sum weighted by a matrix: its name, [0,-1,0;-1,5,-1;0,-1,0] or a CSV file",
            parameters: &[
                ParameterRow {
                    name: "normalized",
                    title: "Normalized",
                    help: "divides the weights by their sum, unless they cancel",
                    unit: "",
                    range: (0.0, 1.0),
                    default: 0.0,
                    whole: true,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
                CENTRE,
                ParameterRow {
                    name: "y",
                    title: "Centre y",
                    help: "centre of the matrix, rows below half their number, rounded down",
                    ..CENTRE
                },
            ],
            reach: |step| step.convolution().map_or(0, |convolution| convolution.reach()),
            action: Action::Convolution {
                default: NamedMatrix::Sharpen,
                cpu: convolve::convolve,
                reference: reference::convolve,
            },
        },
        /// Random numbers by place.
        Noise => {
            name: "noise",
            title: "Noise",
            help: "noise by the place of each value: the same on every backend",
            parameters: &[
                ParameterRow {
                    name: "kind",
                    title: "Kind",
                    help: "distribution of the noise",
                    unit: "",
                    range: (0.0, 2.0),
                    default: 0.0,
                    whole: true,
                    choices: noise::NOISE_KINDS,
                    for_noise: None,
                    follows: None,
                },
                ParameterRow {
                    name: "sigma",
                    title: "Sigma",
                    help: "standard deviation of the noise; of salt-and-pepper the share of the values that are replaced",
                    unit: "of white",
                    range: (0.0, 1.0),
                    default: 0.05,
                    whole: false,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
                ParameterRow {
                    name: "seed",
                    title: "Seed",
                    help: "number of the random sequence",
                    unit: "",
                    range: (0.0, 65535.0),
                    default: 0.0,
                    whole: true,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
            ],
            reach: |_| 0,
            action: Action::Placed { cpu: noise::noise, reference: noise::reference },
        },
        /// Fills samples from those around them.
        Inpaint => {
            name: "inpaint",
            title: "Inpainting",
            help: "fills damaged samples from those around them: by alpha, a rectangle [x,y,w,h] or a picture, whose white is filled",
            parameters: &[
                ParameterRow {
                    name: "kind",
                    title: "Kind",
                    help: "weighted mean of the known samples around, or the smooth surface between those at the edge of a hole",
                    unit: "",
                    range: (0.0, 1.0),
                    default: 0.0,
                    whole: true,
                    choices: inpaint::INPAINT_KINDS,
                    for_noise: None,
                    follows: None,
                },
                ParameterRow {
                    name: "sigma",
                    title: "Sigma",
                    help: "standard deviation of the weights of the normalized convolution; doubled where no known sample is within reach",
                    range: (0.3, 64.0),
                    ..SIGMA
                },
                ParameterRow {
                    name: "tint",
                    title: "Tint",
                    help: "share of orange, in grey images of white, in what is filled",
                    unit: "",
                    range: (0.0, 1.0),
                    default: 0.0,
                    whole: false,
                    choices: &[],
                    for_noise: None,
                    follows: None,
                },
            ],
            // Every other sample may have a share.
            reach: |_| Chain::MAX_REACH,
            action: Action::Inpainting {
                default: Mask::Alpha,
                cpu: inpaint::inpaint,
                reference: inpaint::reference,
            },
        },
    }

    /// The filters, in menu order.
    pub static FILTERS: [FilterRow { filter, .. }];

    impl by_name, Display;
}

#[cfg(test)]
mod tests {
    use super::super::{MAX_PARAMETERS, Step};
    use super::*;

    #[test]
    fn parameters_of_every_filter_have_a_valid_default_and_a_unique_name() {
        for row in &FILTERS {
            assert!(row.parameters.len() <= MAX_PARAMETERS, "{}", row.name);
            for (index, parameter) in row.parameters.iter().enumerate() {
                assert!(parameter.allows(parameter.default), "{} {}", row.name, parameter.name);
                assert!(!parameter.allows(f64::NAN), "{} {}", row.name, parameter.name);
                let named = parameter.choices.len() as f64;
                assert!(named == 0.0 || parameter.range == (0.0, named - 1.0), "{} {}", row.name, parameter.name);
                assert!(row.parameters[..index].iter().all(|other| other.name != parameter.name), "{}", row.name);
            }
        }
    }

    #[test]
    fn reach_is_zero_for_point_filters_only() {
        for row in &FILTERS {
            assert_eq!(Step::default_of(row.filter).reach() == 0, row.filter.is_point(), "{}", row.name);
        }
    }
}
