//! Parsers of names, planes, samplers, panels and requests. Errors name the invalid part.

use std::path::Path;

use super::numbers::{parse_number, parse_page, parse_pair, parse_scales};
use super::{ArgumentError, PanelSpec, listed};
use crate::backend::{Content, Display, RenderRequest};
use crate::complex::{COMPONENTS, Component};
use crate::filter::{Chain, STAGES};
use crate::sampling::{ADDRESS_MODES, AddressMode, METHODS, Method, SAMPLING_PATHS, Sampler, SamplingPath};
use crate::view::View;
use crate::volume::{MAIN_PLANES, MainPlane, Orientation, Plane};
use crate::warp::Warp;

/// Key of the method.
const METHOD_KEY: &str = "method";
/// Keys of a sampler's text.
const SAMPLER_KEYS: [&str; 8] = [METHOD_KEY, "address", "border", "path", "prefilter", "antialias", "blur", "antiring"];
/// Additional keys of a request to subtract.
const VIEW_KEYS: [&str; 11] =
    ["translate", "scale", "rotate", "warp", "page", "plane", "slice", "time", "component", "filter", "filter-after"];
/// Position of the plane through the middle.
pub(super) const MIDDLE: &str = "middle";

/// Orientation of a plane of a volume: the name of a main plane, or tilt and turn in degrees with `separator` between them.
///
/// ```
/// use lerpscope::arguments::parse_orientation;
/// use lerpscope::volume::{MainPlane, Orientation};
/// assert_eq!(parse_orientation("coronal", ','), Ok(Orientation::Main(MainPlane::Coronal)));
/// assert_eq!(parse_orientation("30,-20", ','), Ok(Orientation::Oblique { tilt_deg: 30.0, turn_deg: -20.0 }));
/// ```
///
/// # Errors
/// If the text is neither.
pub fn parse_orientation(text: &str, separator: char) -> Result<Orientation, ArgumentError> {
    if let Some(plane) = MainPlane::by_name(text) {
        return Ok(Orientation::Main(plane));
    }
    let angles = parse_pair::<f64>(text, separator).ok();
    let angles = angles.filter(|angles| angles.iter().all(|angle| angle.abs() <= Orientation::MAX_DEG));
    angles.map(|[tilt_deg, turn_deg]| Orientation::Oblique { tilt_deg, turn_deg }).ok_or_else(|| {
        let names = listed(MAIN_PLANES.iter().map(|row| row.name));
        ArgumentError::Plane { text: text.to_owned(), names, separator }
    })
}

/// Position of a plane along its normal; `None` for `middle`.
///
/// # Errors
/// If the text is neither `middle` nor a number in range.
pub fn parse_slice(text: &str) -> Result<Option<f64>, ArgumentError> {
    if text == MIDDLE {
        return Ok(None);
    }
    let slice = parse_number::<f64>(text).ok().filter(|slice| slice.abs() <= Plane::MAX_SLICE);
    slice.map(Some).ok_or_else(|| ArgumentError::Slice(text.to_owned()))
}

/// Position in time of a volume that changes, in samples.
///
/// # Errors
/// If the text is not a number in range.
pub fn parse_time(text: &str) -> Result<f64, ArgumentError> {
    let time = parse_number::<f64>(text).ok().filter(|time| time.abs() <= Plane::MAX_TIME);
    time.ok_or_else(|| ArgumentError::Time(text.to_owned()))
}

/// A component of complex numbers.
///
/// # Errors
/// If there is none of this name.
pub fn parse_component(text: &str) -> Result<Component, ArgumentError> {
    Component::by_name(text).ok_or_else(|| ArgumentError::Name {
        what: "component",
        name: text.to_owned(),
        names: listed(COMPONENTS.iter().map(|row| row.name)),
    })
}

/// One address mode for both axes, or those of x and y separated by a colon.
///
/// # Errors
/// If there is no such mode.
pub fn parse_address(text: &str) -> Result<[AddressMode; 2], ArgumentError> {
    let (x, y) = text.split_once(':').unwrap_or((text, text));
    let one = |name: &str| {
        AddressMode::by_name(name).ok_or_else(|| ArgumentError::Name {
            what: "address mode",
            name: name.to_owned(),
            names: listed(ADDRESS_MODES.iter().map(|row| row.name)),
        })
    };
    Ok([one(x)?, one(y)?])
}

/// Methods separated by commas, with colons between the parameters of each, or `all` for [`METHODS`].
///
/// ```
/// use lerpscope::arguments::parse_methods;
/// use lerpscope::sampling::Method;
/// assert_eq!(parse_methods("lerp,cubic=1:0"), Ok(vec![Method::Linear, Method::BSPLINE]));
/// ```
///
/// # Errors
/// If a method is unknown or stands there twice, or a parameter is out of range.
pub fn parse_methods(text: &str) -> Result<Vec<Method>, ArgumentError> {
    if text == "all" {
        return Ok(METHODS.iter().map(|row| row.method).collect());
    }
    let mut methods = Vec::new();
    for name in text.split(',') {
        let method = parse_method(name.trim(), Path::new(""))?;
        if methods.contains(&method) {
            return Err(ArgumentError::Twice(name.trim().to_owned()));
        }
        methods.push(method);
    }
    Ok(methods)
}

/// A sampler from `key=value,…`: `method=catmull-rom,address=wrap:mirror,path=filtered,prefilter`. Keys that are absent
/// have the values of `base`.
///
/// ```
/// use lerpscope::arguments::parse_sampler;
/// use lerpscope::sampling::{Method, Sampler};
/// let sampler = parse_sampler("method=bicubic,prefilter", Sampler::default())?;
/// assert_eq!((sampler.method, sampler.prefilter), (Method::BSPLINE, true));
/// # Ok::<(), lerpscope::arguments::ArgumentError>(())
/// ```
///
/// # Errors
/// If a key or a value is unknown, or a key is repeated.
pub fn parse_sampler(text: &str, base: Sampler) -> Result<Sampler, ArgumentError> {
    parse_sampler_in(text, base, Path::new(""))
}

/// As [`parse_sampler`], with the file of a custom kernel relative to `folder`.
///
/// # Errors
/// As [`parse_sampler`].
pub fn parse_sampler_in(text: &str, base: Sampler, folder: &Path) -> Result<Sampler, ArgumentError> {
    let mut sampler = base;
    for (key, value) in keys(text)? {
        if !set_sampler(&mut sampler, (key, value), folder)? {
            return Err(unknown_key(key, &SAMPLER_KEYS));
        }
    }
    Ok(sampler)
}

/// A panel: a sampler's text, where `method=truth` stands for the truth of the page, with two more keys, `filter` and
/// `filter-after`, for chains of filters. Steps are separated by semicolons, their parameters by colons.
///
/// ```
/// use lerpscope::arguments::parse_panel;
/// use lerpscope::backend::Content;
/// use lerpscope::sampling::Method;
/// let panel = parse_panel("method=linear,filter=median;gaussian=1.5,filter-after=bilateral=3:0.2")?;
/// assert_eq!((panel.content, panel.sampler.method), (Content::Interpolation, Method::Linear));
/// assert_eq!(panel.filters.before.to_string(), "median;gaussian=1.5");
/// assert_eq!(panel.filters.after.to_string(), "bilateral=3,0.2");
/// assert_eq!(parse_panel("method=truth")?.content, Content::Truth);
/// # Ok::<(), lerpscope::arguments::ArgumentError>(())
/// ```
///
/// # Errors
/// As [`parse_sampler`], and if a step is invalid.
pub fn parse_panel(text: &str) -> Result<PanelSpec, ArgumentError> {
    let PanelSpec { mut content, mut sampler, mut filters } = PanelSpec::default();
    for (key, value) in keys(text)? {
        if set_content(&mut content, &mut sampler, (key, value))
            || set_sampler(&mut sampler, (key, value), Path::new(""))?
        {
            continue;
        }
        let names = || [SAMPLER_KEYS.as_slice(), &STAGES.each_ref().map(|row| row.name)].concat();
        let row = STAGES.iter().find(|row| row.name == key).ok_or_else(|| unknown_key(key, &names()))?;
        let text = value.ok_or_else(|| ArgumentError::Value(key.to_owned()))?;
        *filters.chain_mut(row.stage) = Chain::read(text, Path::new(""))?;
    }
    Ok(PanelSpec { content, sampler, filters })
}

/// The request to subtract from `minuend`: a sampler's text, where `method=truth` stands for the truth of the page, with the
/// additional keys `translate=X:Y`, `scale=S` or `scale=X:Y`, `rotate`, `warp` (`warp=lens=0.3:0.8`),
/// `page`, `plane` (`plane=coronal`, `plane=30:20`), `slice` (`slice=12.5`, `slice=middle`), `time`, `component`, `filter` and `filter-after`. Steps of a chain are separated by semicolons, their parameters by colons
/// (`filter=bilateral=3:0.1;gamma=2`, `filter=none`). Keys that are absent have the values of `minuend`. The display
/// mapping is the identity.
///
/// # Errors
/// As [`parse_sampler`], and if the view is out of range.
pub fn parse_subtract(text: &str, minuend: &RenderRequest) -> Result<RenderRequest, ArgumentError> {
    let mut request = RenderRequest { subtract: None, display: Display::default(), ..minuend.clone() };
    let (mut translation, mut scales, mut angle_deg) =
        (request.view.translation(), request.view.scales(), request.view.angle_deg());
    for (key, value) in keys(text)? {
        if set_content(&mut request.content, &mut request.sampler, (key, value))
            || set_sampler(&mut request.sampler, (key, value), Path::new(""))?
        {
            continue;
        }
        let given = || value.ok_or_else(|| ArgumentError::Value(key.to_owned()));
        match key {
            "translate" => translation = parse_pair(given()?, ':')?,
            "scale" => scales = parse_scales(given()?, ':')?,
            "rotate" => angle_deg = parse_number(given()?)?,
            "warp" => request.warp = Warp::read(given()?, Path::new(""))?,
            "page" => request.page = parse_page(given()?)?,
            "plane" => request.plane.orientation = parse_orientation(given()?, ':')?,
            "slice" => request.plane.slice = parse_slice(given()?)?,
            "component" => request.component = parse_component(given()?)?,
            "time" => request.plane.time = parse_time(given()?)?,
            "filter" => request.filters.before = Chain::read(given()?, Path::new(""))?,
            "filter-after" => request.filters.after = Chain::read(given()?, Path::new(""))?,
            _ => return Err(unknown_key(key, &[SAMPLER_KEYS.as_slice(), &VIEW_KEYS].concat())),
        }
    }
    request.view = View::default().translated(translation)?.scaled(scales)?.rotated(angle_deg)?;
    Ok(request)
}

/// Sets the content by the key of a method. Returns `true` for that of the truth, which has the usual method: any other
/// method is the sampler's to set.
fn set_content(content: &mut Content, sampler: &mut Sampler, (key, value): (&str, Option<&str>)) -> bool {
    if key != METHOD_KEY {
        return false;
    }
    let is_truth = value == Some(Content::Truth.row().name);
    *content = if is_truth { Content::Truth } else { Content::Interpolation };
    if is_truth {
        sampler.method = Sampler::default().method;
    }
    is_truth
}

/// Sets the value of `key`. Returns `false` if `key` is not a key of a sampler. The file of a custom kernel is relative to
/// `folder`.
fn set_sampler(
    sampler: &mut Sampler,
    (key, value): (&str, Option<&str>),
    folder: &Path,
) -> Result<bool, ArgumentError> {
    let given = || value.ok_or_else(|| ArgumentError::Value(key.to_owned()));
    match key {
        METHOD_KEY => sampler.method = parse_method(given()?, folder)?,
        "address" => sampler.address = parse_address(given()?)?,
        "border" => sampler.border = parse_number(given()?)?,
        "path" => sampler.path = parse_path(given()?)?,
        "prefilter" => sampler.prefilter = parse_switch(key, value)?,
        "antialias" => sampler.antialias = parse_switch(key, value)?,
        "blur" => sampler.blur = parse_number(given()?)?,
        "antiring" => sampler.antiringing = parse_number(given()?)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn parse_path(name: &str) -> Result<SamplingPath, ArgumentError> {
    SamplingPath::by_name(name).ok_or_else(|| ArgumentError::Name {
        what: "path",
        name: name.to_owned(),
        names: listed(SAMPLING_PATHS.iter().map(|row| row.name)),
    })
}

/// A method in a list of keys, with the file name of a custom kernel in its coded form.
fn parse_method(text: &str, folder: &Path) -> Result<Method, ArgumentError> {
    match text.split_once('=') {
        Some((name, file)) if name.trim() == "custom" => {
            Ok(Method::read(&format!("custom={}", decoded(file)), folder)?)
        }
        _ => Ok(Method::read(text, folder)?),
    }
}

/// `text` with each `%` and two hexadecimal digits replaced by the character of that number.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(u8::is_ascii);
        match code {
            Some(code) => {
                decoded.push(char::from(code));
                decoded.push_str(&part[2..]);
            }
            None => {
                decoded.push('%');
                decoded.push_str(part);
            }
        }
    }
    decoded
}

/// A switch: a key without a value is on.
fn parse_switch(key: &str, value: Option<&str>) -> Result<bool, ArgumentError> {
    match value {
        None | Some("on") => Ok(true),
        Some("off") => Ok(false),
        Some(value) => Err(ArgumentError::Switch { key: key.to_owned(), value: value.to_owned() }),
    }
}

/// Keys with their values. Repeated keys are an error.
fn keys(text: &str) -> Result<Vec<(&str, Option<&str>)>, ArgumentError> {
    let mut keys: Vec<(&str, Option<&str>)> = Vec::new();
    for part in text.split(',') {
        let (key, value) = part.split_once('=').map_or((part, None), |(key, value)| (key, Some(value)));
        let (key, value) = (key.trim(), value.map(str::trim));
        if keys.iter().any(|(earlier, _)| *earlier == key) {
            return Err(ArgumentError::Twice(key.to_owned()));
        }
        keys.push((key, value));
    }
    Ok(keys)
}

fn unknown_key(key: &str, keys: &[&str]) -> ArgumentError {
    ArgumentError::Key { key: key.to_owned(), keys: listed(keys.iter().copied()) }
}

#[cfg(test)]
mod tests {
    use super::super::sampler_text;
    use super::*;
    use crate::sampling::{METHODS, samples_of_methods};

    #[test]
    fn lists_of_methods_name_each_method_once() {
        assert_eq!(parse_methods("all").map(|methods| methods.len()), Ok(METHODS.len()));
        let listed = parse_methods("catrom, keys=-0.75,cubic=0.2:0.4").expect("methods");
        assert_eq!(
            listed.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            "catmull-rom cubic=0,0.75 cubic=0.2,0.4"
        );
        for wrong in ["", "linear,", "all,linear", "linear,lerp", "cubic=0.2,0.4"] {
            assert!(parse_methods(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn row_names_are_parsed_back_equal() {
        for method in samples_of_methods() {
            let text = sampler_text(&Sampler::default().with_method(method), &Sampler::default());
            if method != Method::Linear {
                assert_eq!(
                    parse_sampler(&text, Sampler::default()).map(|sampler| sampler.method),
                    Ok(method),
                    "{text}"
                );
            }
        }
        for row in &METHODS {
            for name in row.aliases.iter().chain([&row.name]) {
                let sampler = parse_sampler(&format!("method={name}"), Sampler::default()).expect(name);
                assert_eq!(sampler.method, row.method);
            }
        }
        for row in &SAMPLING_PATHS {
            let sampler = parse_sampler(&format!("path={}", row.name), Sampler::default()).expect(row.name);
            assert_eq!(sampler.path, row.path);
        }
        for x in &ADDRESS_MODES {
            for y in &ADDRESS_MODES {
                let both = [x.address, y.address];
                assert_eq!(parse_address(&format!("{}:{}", x.name, y.name)), Ok(both));
            }
        }
    }

    #[test]
    fn wrong_key_or_value_is_refused_by_name() {
        let wrong = |text: &str| parse_sampler(text, Sampler::default()).expect_err(text).to_string();
        assert_eq!(wrong("method=sinc").split(';').next(), Some("there is no method 'sinc'"));
        assert_eq!(wrong("method=lanczos=9,blur=2"), "method 'lanczos': a must be between 1 and 8, not 9");
        assert_eq!(wrong("method=cubic=1,blur=2"), "method 'cubic' is cubic=B,C: it takes 2 parameters, not 1");
        assert_eq!(wrong("methd=linear").split(';').next(), Some("there is no key 'methd'"));
        assert_eq!(wrong("prefilter=yes"), "prefilter is 'on' or 'off', not 'yes'");
        assert_eq!(wrong("border"), "border needs a value: border=…");
        assert_eq!(wrong("blur=1,blur=2"), "blur stands there twice");
        assert!(wrong("").starts_with("there is no key ''"));
    }
}
