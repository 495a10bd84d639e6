//! Shapes about the centre: a Gaussian and a disc.

use super::quadrature::integral;
use super::trapezoid::Trapezoid;
use super::{Parallelogram, Size, from_centre, middle, shorter_side};

/// exp(−r²/2σ²) about (W/2, H/2), σ an eighth of the shorter side.
pub(super) fn gaussian(size: Size, x: f64, y: f64) -> f64 {
    let (dx, dy) = from_centre(size, x, y);
    let sigma = sigma(size);
    (-(dx * dx + dy * dy) / (2.0 * sigma * sigma)).exp()
}

/// Mean of [`gaussian`] over a rectangle: it has circular symmetry, and is a product along the sides. Each factor is integrated
/// by Gauss and Legendre's rule over pieces of at most σ within ±10 σ, to 10⁻¹³.
pub(super) fn gaussian_mean(size: Size, area: &Parallelogram) -> f64 {
    let sigma = sigma(size);
    let along = |centre: f64, side: f64| {
        if side == 0.0 {
            let t = centre / sigma;
            return (-t * t / 2.0).exp();
        }
        let [from, to] = [centre - side / 2.0, centre + side / 2.0].map(|t| (t / sigma).clamp(-10.0, 10.0));
        let pieces = (to - from).ceil().max(1.0);
        let length = (to - from) / pieces;
        let piece = |index: u32| {
            let from = from + f64::from(index) * length;
            integral(from, from + length, |t| (-t * t / 2.0).exp())
        };
        (0..pieces as u32).map(piece).sum::<f64>() * sigma / side
    };
    let ([x, y], [first, second]) = (area.centre_from(middle(size)), area.lengths());
    along(x, first) * along(y, second)
}

fn sigma(size: Size) -> f64 {
    shorter_side(size) / 8.0
}

/// White disc about (W/2, H/2) on black, its radius ⅜ of the shorter side. A value is the exact area of the disc in the
/// square of one sample about the position.
pub(super) fn disc(size: Size, x: f64, y: f64) -> f64 {
    disc_mean(size, &Parallelogram::square([x, y], 0.0))
}

/// Mean of [`disc`] over a rectangle along the axes.
///
/// It is the area of the disc weighted along each axis by a [`Trapezoid`], the box of a sample convolved with that of the
/// rectangle. With u = R·sin φ the integral over the other axis is a polynomial of sin φ and cos φ between kinks of the
/// trapezoids, which Gauss and Legendre's rule integrates to 10⁻¹³.
pub(super) fn disc_mean(size: Size, area: &Parallelogram) -> f64 {
    const LONGEST_PIECE: f64 = 0.5;
    let radius = shorter_side(size) * 0.375;
    let [dx, dy] = [0, 1].map(|axis: usize| (area.centre()[axis] - middle(size)[axis]).abs());
    let [across, down] = [0, 1].map(|axis| Trapezoid::new(1.0, area.length_along(axis)));
    let farthest = (dx + across.hi()).hypot(dy + down.hi());
    let nearest = (dx - across.hi()).max(0.0).hypot((dy - down.hi()).max(0.0));
    if farthest <= radius {
        return 1.0;
    }
    if nearest >= radius {
        return 0.0;
    }
    let angle = |u: f64| (u / radius).clamp(-1.0, 1.0).asin();
    let kinks = |weight: Trapezoid| [-weight.hi(), -weight.lo(), weight.lo(), weight.hi()];
    let (from, to) = (angle(dx - across.hi()), angle(dx + across.hi()));
    let mut ends = vec![from, to];
    ends.extend(kinks(across).map(|kink| angle(dx + kink)));
    // Where the circle passes a kink of the other axis, |u| = √(R² − v²).
    for v in kinks(down).map(|kink| dy + kink).into_iter().filter(|v| v.abs() < radius) {
        let u = ((radius - v) * (radius + v)).sqrt();
        ends.extend([angle(u), angle(-u)]);
    }
    ends.retain(|end| (from..=to).contains(end));
    ends.sort_unstable_by(f64::total_cmp);
    let weighted = |phi: f64| {
        let (sin, cos) = phi.sin_cos();
        let (u, v) = (radius * sin, radius * cos);
        across.density(u - dx) * (down.below(v - dy) - down.below(-v - dy)) * v
    };
    let mut covered = 0.0;
    for pair in ends.windows(2) {
        let pieces = ((pair[1] - pair[0]) / LONGEST_PIECE).ceil();
        let length = (pair[1] - pair[0]) / pieces.max(1.0);
        for index in 0..pieces as u32 {
            let from = pair[0] + f64::from(index) * length;
            covered += integral(from, from + length, weighted);
        }
    }
    covered.clamp(0.0, 1.0)
}
