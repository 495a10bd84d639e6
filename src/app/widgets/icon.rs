//! The window's icon, computed: a step function and the curve through it.

/// Side, in pixels.
const SIDE: u32 = 64;

/// The icon as RGBA.
pub(in crate::app) fn icon() -> egui::IconData {
    let rgba = (0..SIDE * SIDE).flat_map(|index| pixel(f64::from(index % SIDE) + 0.5, f64::from(index / SIDE) + 0.5));
    egui::IconData { rgba: rgba.collect(), width: SIDE, height: SIDE }
}

/// Colour at a position, 0 … [`SIDE`] from the top left.
fn pixel(x: f64, y: f64) -> [u8; 4] {
    let side = f64::from(SIDE);
    let (u, v) = (x / side * 4.0, 1.0 - y / side);
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let step = 0.2 + 0.2 * u.floor();
    let middle = u - 0.5;
    let curve = 0.2 + 0.2 * (middle.floor() + smooth(middle - middle.floor()));
    let on_curve = (1.5 - (v - curve).abs() * side / 2.0).clamp(0.0, 1.0);
    let ground = if v < step { [58.0, 60.0, 64.0] } else { [22.0, 23.0, 25.0] };
    let line = [104.0, 168.0, 240.0];
    let mixed = [0, 1, 2].map(|channel| (ground[channel] * (1.0 - on_curve) + line[channel] * on_curve) as u8);
    [mixed[0], mixed[1], mixed[2], corner_alpha(x, y, side)]
}

/// Alpha of the rounded corners.
fn corner_alpha(x: f64, y: f64, side: f64) -> u8 {
    let radius = 12.0;
    let beyond = |at: f64| (radius - at).max(at - (side - radius)).max(0.0);
    let distance = beyond(x).hypot(beyond(y));
    ((radius + 0.5 - distance).clamp(0.0, 1.0) * 255.0) as u8
}
