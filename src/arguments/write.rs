//! Values as text that parses to the same values.

use std::path::Path;

use crate::backend::{Content, Display, RenderRequest};
use crate::complex::Component;
use crate::image::Depth;
use crate::sampling::{AddressMode, Method, Sampler};
use crate::text::number_text;
use crate::view::View;
use crate::volume::Orientation;

use super::read::MIDDLE;

/// The text of `sampler`: the keys whose values differ from those of `base`.
pub fn sampler_text(sampler: &Sampler, base: &Sampler) -> String {
    sampler_keys(sampler, base).join(",")
}

/// The options of `lerpscope render` that reproduce `request`: always its size, other values if they are not the default.
///
/// The display mapping of a request to subtract has no effect and is left out, as is the method of a request of the truth.
pub fn render_arguments(request: &RenderRequest) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut option = |name: &str, value: String| arguments.extend([format!("--{name}"), value]);
    let (usual, view) = (Sampler::default(), View::default());
    let RenderRequest { size, content, sampler, page, plane, component, filters, subtract, display, .. } = request;
    match content {
        Content::Truth => option("method", content.row().name.to_owned()),
        Content::Interpolation if sampler.method != usual.method => option("method", sampler.method.to_string()),
        Content::Interpolation => {}
    }
    if request.view.translation() != view.translation() {
        option("translate", pair_text(request.view.translation(), ','));
    }
    if request.view.scales() != view.scales() {
        option("scale", scales_text(request.view.scales(), ','));
    }
    if request.view.angle_deg() != view.angle_deg() {
        option("rotate", number_text(request.view.angle_deg()));
    }
    if !request.warp.is_none() {
        option("warp", request.warp.to_string());
    }
    option("size", format!("{}x{}", size.width(), size.height()));
    if *page != 0 {
        option("page", (page + 1).to_string());
    }
    if plane.orientation != Orientation::default() {
        option("plane", plane.orientation.to_string());
    }
    if let Some(slice) = plane.slice {
        option("slice", number_text(slice));
    }
    if plane.time != 0.0 {
        option("time", number_text(plane.time));
    }
    if *component != Component::default() {
        option("component", component.to_string());
    }
    if sampler.address != usual.address {
        option("address", address_text(sampler.address));
    }
    if sampler.border != usual.border {
        option("border", number_text(sampler.border));
    }
    if sampler.path != usual.path {
        option("path", sampler.path.to_string());
    }
    if sampler.blur != usual.blur {
        option("blur", number_text(sampler.blur));
    }
    if sampler.antiringing != usual.antiringing {
        option("antiring", number_text(sampler.antiringing));
    }
    for (name, chain) in [("filter", &filters.before), ("filter-after", &filters.after)] {
        chain.0.iter().for_each(|step| option(name, step.to_string()));
    }
    let identity = Display::default();
    for (name, value, default) in [
        ("exposure", display.exposure, identity.exposure),
        ("offset", display.offset, identity.offset),
        ("gamma", display.gamma, identity.gamma),
    ] {
        if value != default {
            option(name, number_text(value));
        }
    }
    if display.window != identity.window {
        option("window", pair_text(display.window, ','));
    }
    if display.colour_map != identity.colour_map {
        option("colour-map", display.colour_map.row().name.to_owned());
    }
    if let Some(other) = subtract {
        option("subtract", subtract_text(other, request));
    }
    arguments.extend(display.absolute.then(|| "--absolute".to_owned()));
    arguments.extend(sampler.prefilter.then(|| "--prefilter".to_owned()));
    arguments.extend(sampler.antialias.then(|| "--antialias".to_owned()));
    arguments
}

/// The command that renders `request` of `input` into `output`, quoted for a POSIX shell. `input` may be
/// `synth:NAME:WxH`; the pages of a second input follow its own. A `depth` of 8 or 16 bits or float becomes an option, any
/// other is that of the input.
pub fn command_line(
    (input, behind): (&Path, Option<&Path>),
    output: &Path,
    request: &RenderRequest,
    depth: Option<Depth>,
) -> String {
    let mut words = vec!["lerpscope".to_owned(), "render".to_owned(), quoted_path(input)];
    words.extend(behind.into_iter().flat_map(|behind| ["--behind".to_owned(), quoted_path(behind)]));
    words.extend(["-o".to_owned(), quoted_path(output)]);
    words.extend(render_arguments(request).iter().map(|argument| quoted(argument)));
    let depth = match depth {
        Some(Depth::EIGHT) => Some("8"),
        Some(Depth::SIXTEEN) => Some("16"),
        Some(Depth::Float) => Some("float"),
        _ => None,
    };
    words.extend(depth.into_iter().flat_map(|depth| ["--depth".to_owned(), depth.to_owned()]));
    words.join(" ")
}

/// One word for a POSIX shell, between single quotes if it has characters with a meaning for the shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A file name as one word that is not an option.
pub(crate) fn quoted_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let prefix = if bytes.starts_with(b"-") && bytes != b"-" { "./" } else { "" };
    match path.to_str() {
        Some(name) => quoted(&format!("{prefix}{name}")),
        // A name that is no UTF-8 cannot stand in a `String`: `printf` writes its bytes.
        None => {
            let escaped: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
            format!("\"$(printf '{prefix}{escaped}')\"")
        }
    }
}

/// Text of a request to subtract; never empty.
fn subtract_text(other: &RenderRequest, minuend: &RenderRequest) -> String {
    let mut keys = match (other.content, minuend.content) {
        (Content::Interpolation, Content::Interpolation) => sampler_keys(&other.sampler, &minuend.sampler),
        (content, _) => {
            let method = match content {
                Content::Truth => content.row().name.to_owned(),
                Content::Interpolation => method_text(other.sampler.method),
            };
            let base = minuend.sampler.with_method(other.sampler.method);
            let rest = sampler_keys(&other.sampler, &base);
            std::iter::once(format!("method={method}")).chain(rest).collect()
        }
    };
    let mut key = |name: &str, value: String| keys.push(format!("{name}={value}"));
    if other.view.translation() != minuend.view.translation() {
        key("translate", pair_text(other.view.translation(), ':'));
    }
    if other.view.scales() != minuend.view.scales() {
        key("scale", scales_text(other.view.scales(), ':'));
    }
    if other.view.angle_deg() != minuend.view.angle_deg() {
        key("rotate", number_text(other.view.angle_deg()));
    }
    if other.warp != minuend.warp {
        // Commas stand between the keys.
        key("warp", other.warp.to_string().replace(',', ":"));
    }
    if other.page != minuend.page {
        key("page", (other.page + 1).to_string());
    }
    if other.plane.orientation != minuend.plane.orientation {
        // Commas stand between the keys.
        key("plane", other.plane.orientation.to_string().replace(',', ":"));
    }
    if other.plane.slice != minuend.plane.slice {
        key("slice", other.plane.slice.map_or_else(|| MIDDLE.to_owned(), number_text));
    }
    if other.plane.time != minuend.plane.time {
        key("time", number_text(other.plane.time));
    }
    if other.component != minuend.component {
        key("component", other.component.to_string());
    }
    let (chains, usual) = (&other.filters, &minuend.filters);
    for (name, chain, usual) in
        [("filter", &chains.before, &usual.before), ("filter-after", &chains.after, &usual.after)]
    {
        if chain != usual {
            // Commas stand between the keys.
            key(name, chain.to_string().replace(',', ":"));
        }
    }
    if keys.is_empty() {
        keys.push(format!("method={}", method_text(other.sampler.method)));
    }
    keys.join(",")
}

fn sampler_keys(sampler: &Sampler, base: &Sampler) -> Vec<String> {
    let switch = |on: bool| if on { "on" } else { "off" };
    let keys = [
        (sampler.method != base.method).then(|| format!("method={}", method_text(sampler.method))),
        (sampler.address != base.address).then(|| format!("address={}", address_text(sampler.address))),
        (sampler.border != base.border).then(|| format!("border={}", number_text(sampler.border))),
        (sampler.path != base.path).then(|| format!("path={}", sampler.path)),
        (sampler.prefilter != base.prefilter).then(|| format!("prefilter={}", switch(sampler.prefilter))),
        (sampler.antialias != base.antialias).then(|| format!("antialias={}", switch(sampler.antialias))),
        (sampler.blur != base.blur).then(|| format!("blur={}", number_text(sampler.blur))),
        (sampler.antiringing != base.antiringing).then(|| format!("antiring={}", number_text(sampler.antiringing))),
    ];
    keys.into_iter().flatten().collect()
}

/// Text of `method` in a list of keys: without commas, and without white space in a file name.
pub(crate) fn method_text(method: Method) -> String {
    let text = method.to_string();
    match method {
        Method::Custom(_) => {
            let must_be_coded =
                |c: char| c == ',' || c == '%' || (c.is_ascii() && (c.is_whitespace() || c.is_control()));
            let coded = |c: char| if must_be_coded(c) { format!("%{:02X}", u32::from(c)) } else { c.to_string() };
            text.chars().map(coded).collect()
        }
        _ => text.replace(',', ":"),
    }
}

/// The titles of the address modes of both axes: one if they are equal, else `X × Y`.
#[cfg(feature = "window")]
pub(crate) fn address_titles([x, y]: [AddressMode; 2]) -> String {
    if x == y { x.row().title.to_owned() } else { format!("{} × {}", x.row().title, y.row().title) }
}

pub(crate) fn address_text([x, y]: [AddressMode; 2]) -> String {
    if x == y { x.to_string() } else { format!("{x}:{y}") }
}

/// One number for equal scales, else both.
pub(crate) fn scales_text(scales: [f64; 2], separator: char) -> String {
    if scales[0] == scales[1] { number_text(scales[0]) } else { pair_text(scales, separator) }
}

fn pair_text<T: std::fmt::Display + std::fmt::LowerExp>([first, second]: [T; 2], separator: char) -> String {
    format!("{}{separator}{}", number_text(first), number_text(second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    #[test]
    fn command_line_is_quoted_for_a_shell() {
        let mut request = RenderRequest::new(size(8, 4));
        request.view = View::new([-0.5, 2.0], 0.125).expect("a view");
        let line = command_line((Path::new("it's a.pgm"), None), Path::new("-o.pgm"), &request, Some(Depth::EIGHT));
        assert_eq!(
            line,
            r"lerpscope render 'it'\''s a.pgm' -o ./-o.pgm --translate -0.5,2 --scale 0.125 --size 8x4 --depth 8"
        );
        request.view = View::default().scaled([0.125, 0.3]).expect("a view");
        assert_eq!(render_arguments(&request)[..2], ["--scale", "0.125,0.3"]);
    }
}
