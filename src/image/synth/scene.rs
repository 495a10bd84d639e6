//! A scene as a photograph has it: clouds, hills, a house, a tree, a meadow and a fence, with shading, texture, edges of every
//! direction and thin lines.
//!
//! ```text
//!   ~~~~ clouds ~~~~~~~      The unit is the shorter side of the image, (0, 0) its middle; y runs down. What is nearer is
//!   ──────── wire ──────     drawn over what is farther. Edges are ramps about one sample across.
//!    /\   hills    /\
//!   ──────┬┴┬──( )─────      Textures are sums of octaves of value noise, each of half the wavelength and 0.6 of the amplitude
//!   meadow│▪│▪  |            of the one before: their spectrum falls about as 1/f. Octaves and patterns finer than some samples fade, so
//!   ┃━┃━┃━┃━┃━┃━┃ fence      that an image of any size has nothing finer than its samples.
//! ```

use super::{Size, from_centre, shorter_side};

/// Wavelength below which an octave or a pattern has faded, and the one at which it begins to fade, in samples.
const FINEST: f64 = 2.5;
const FADING: f64 = 5.0;
/// Amplitude of an octave relative to the one before.
const DECAY: f64 = 0.6;
/// Largest number of octaves.
const MOST_OCTAVES: u32 = 12;

/// Grey value at (x, y).
pub(super) fn value(size: Size, x: f64, y: f64) -> f64 {
    let samples = shorter_side(size);
    let (dx, dy) = from_centre(size, x, y);
    let scene = Scene { samples, x: dx / samples, y: dy / samples };
    scene.value().clamp(0.0, 1.0)
}

/// Coverage at a place, and grey value times the coverage.
type Layer = fn(&Scene) -> (f64, f64);

/// A place of the scene.
struct Scene {
    /// Samples of a unit.
    samples: f64,
    x: f64,
    y: f64,
}

impl Scene {
    fn value(&self) -> f64 {
        // From the nearest layer to the farthest: what is covered is not computed.
        let layers: [Layer; 6] = [Self::fence, Self::tree, Self::house, Self::meadow, Self::hills, Self::mountains];
        let (mut sum, mut open) = (0.0, 1.0);
        for layer in layers {
            let (coverage, grey) = layer(self);
            sum += open * grey;
            open *= 1.0 - coverage;
            if open <= 0.0 {
                return sum;
            }
        }
        sum + open * self.sky()
    }

    /// Share of a sample that is inside of an edge `distance` away, negative inside.
    fn inside(&self, distance: f64) -> f64 {
        (0.5 - distance * self.samples).clamp(0.0, 1.0)
    }

    /// Share of a pattern of this wavelength that an image of these samples has.
    fn share(&self, wavelength: f64) -> f64 {
        ((wavelength * self.samples - FINEST) / (FADING - FINEST)).clamp(0.0, 1.0)
    }

    /// Octaves of noise about 0, the first of `wavelength`.
    fn octaves(&self, seed: u64, [x, y]: [f64; 2], wavelength: f64) -> f64 {
        let (mut sum, mut amplitude, mut wavelength) = (0.0, 0.45, wavelength);
        for octave in 0..MOST_OCTAVES {
            let share = self.share(wavelength);
            if share <= 0.0 {
                break;
            }
            sum += share * amplitude * noise(seed + u64::from(octave), x / wavelength, y / wavelength);
            (amplitude, wavelength) = (DECAY * amplitude, 0.5 * wavelength);
        }
        sum
    }

    fn sky(&self) -> f64 {
        let clouds = self.octaves(100, [self.x, 2.2 * self.y], 0.35);
        let cloud = smooth((clouds + 0.02) / 0.3);
        let blue = 0.74 + 0.30 * (self.y + 0.1);
        let grey = blue + cloud * (0.93 - blue) - 0.10 * cloud * smooth((clouds - 0.15) / 0.3);
        // A wire that sags, as thin as a sample.
        let wire = (self.y + 0.33 - 0.09 * self.x * self.x - 0.05 * self.x).abs() - 0.5 / self.samples;
        grey + self.inside(wire) * (0.22 - grey)
    }

    fn mountains(&self) -> (f64, f64) {
        let ridge = -0.10 - 0.16 * self.octaves(200, [self.x, 0.0], 0.5);
        let coverage = self.inside(0.8 * (ridge - self.y));
        if coverage <= 0.0 {
            return (0.0, 0.0);
        }
        let rock = self.octaves(220, [self.x + 0.4 * self.y, self.y], 0.12);
        let haze = smooth((self.y - ridge) / 0.2);
        (coverage, coverage * (0.50 + 0.22 * rock + 0.10 * haze))
    }

    fn hills(&self) -> (f64, f64) {
        let ridge =
            0.015 - 0.07 * self.octaves(300, [self.x, 0.0], 0.7) - 0.012 * self.octaves(320, [self.x, 0.0], 0.02);
        let coverage = self.inside(0.7 * (ridge - self.y));
        if coverage <= 0.0 {
            return (0.0, 0.0);
        }
        let wood = self.octaves(340, [self.x, self.y], 0.03);
        (coverage, coverage * (0.25 + 0.28 * wood))
    }

    fn meadow(&self) -> (f64, f64) {
        let edge = 0.12 + 0.02 * (5.0 * self.x).sin();
        let coverage = self.inside(edge - self.y);
        if coverage <= 0.0 {
            return (0.0, 0.0);
        }
        // Nearer grass is larger.
        let depth = 1.0 + 2.0 * (0.5 - self.y).max(0.0);
        let grass = self.octaves(400, [1.4 * self.x, 0.7 * self.y * depth], 0.05);
        let patches = self.octaves(440, [self.x, 1.6 * self.y], 0.4);
        let path = smooth(1.0 - ((self.x + 0.16 - 0.7 * (self.y - 0.2)) / (0.02 + 0.10 * (self.y - 0.1))).abs());
        let grey = 0.40 + 0.30 * grass + 0.16 * patches + 0.05 * (self.y - 0.3);
        (coverage, coverage * (grey + path * (0.68 + 0.12 * grass - grey)))
    }

    fn house(&self) -> (f64, f64) {
        let (x, y) = (self.x + 0.20, self.y - 0.10);
        let (left, right, eaves, ground) = (-0.15, 0.13, -0.06, 0.10);
        let corner = 0.03;
        let wall = (left - x).max(x - right).max(eaves - y).max(y - ground);
        // The roof: a triangle over the front, and a slope over the side.
        let front = ((x - (left + corner) / 2.0).abs() * 1.15 + (eaves - 0.115 - y)).max(y - eaves - 0.006) * 0.66;
        let side_left = (left + corner) / 2.0 - x;
        let slope = (x - right - 0.022 + 0.75 * (eaves - y)).max(side_left);
        let slope = slope.max(eaves - 0.112 - y).max(y - eaves - 0.006);
        let chimney = ((x - 0.07).abs() - 0.014).max(-0.215 - y).max(y + 0.12);
        let (roof, chimney) = (self.inside(front.min(slope * 0.8)), self.inside(chimney));
        let (mut coverage, mut grey) = (0.0, 0.0);
        let mut over = |share: f64, of: f64| {
            coverage += share * (1.0 - coverage);
            grey += share * (of - grey);
        };
        over(chimney, 0.34 + 0.10 * self.bricks(x, y));
        let is_front = self.inside(x - corner);
        let plaster = 0.05 * self.octaves(500, [x, y], 0.05);
        let lit = 0.88 + plaster - 0.05 * (y - eaves) / (ground - eaves);
        let shaded = 0.56 + 0.13 * self.bricks(x, y) + plaster;
        over(self.inside(wall), shaded + is_front * (lit - shaded));
        for (centre, width) in [(-0.115, 0.018), (-0.06, 0.018), (0.005, 0.018), (0.08, 0.022)] {
            let window = ((x - centre).abs() - width).max((y + 0.005).abs() - 0.026);
            let glass = 0.16 + 0.35 * smooth((0.02 - y - 0.5 * (x - centre)) / 0.08);
            let bars = (x - centre).abs().min((y + 0.005).abs()) - 0.0016;
            over(self.inside(window - 0.005), 0.95);
            over(self.inside(window), glass + self.inside(bars) * (0.93 - glass));
        }
        let door = ((x + 0.015).abs() - 0.02).max(0.035 - y).max(y - ground);
        over(self.inside(door), 0.20 + 0.05 * self.octaves(540, [4.0 * x, y], 0.04));
        // Rows of tiles, dark between each other.
        let row = (y / 0.012).floor();
        let across = (std::f64::consts::PI * (y / 0.012 - row)).sin();
        let tiles = 0.04 * across * (x * 571.0 + 2.4 * row).sin() - 0.10 * (1.0 - across);
        over(roof, 0.40 + self.share(0.011) * tiles + 0.06 * self.octaves(560, [x, y], 0.06));
        (coverage, grey)
    }

    /// Rows of bricks, between −1 and 0.
    fn bricks(&self, x: f64, y: f64) -> f64 {
        let row = (y / 0.01).floor();
        let joint = |place: f64| smooth(1.0 - (place - place.round()).abs() / 0.14);
        let joints = joint(y / 0.01).max(joint(x / 0.022 + 0.5 * row));
        -self.share(0.01) * joints
    }

    fn tree(&self) -> (f64, f64) {
        let (x, y) = (self.x - 0.24, self.y + 0.02);
        let leaves = self.octaves(600, [self.x, self.y], 0.07);
        let crown = (x.hypot(1.1 * y) - 0.135 - 0.055 * leaves) * 0.7;
        let trunk = (x - 0.08 * (y - 0.1) * (y - 0.1)).abs() - 0.016 - 0.05 * (y - 0.2).max(0.0) * (y - 0.2).max(0.0);
        let trunk = trunk.max(0.08 - y).max(y - 0.27);
        let (in_crown, in_trunk) = (self.inside(crown), self.inside(trunk));
        if in_crown + in_trunk <= 0.0 {
            return (0.0, 0.0);
        }
        // A ball lit from the upper left.
        let shading = smooth(0.5 + (-0.6 * x - 0.8 * y) / 0.3);
        let leaf = 0.14 + 0.36 * shading + 0.30 * leaves;
        let bark = 0.24 + 0.15 * self.octaves(640, [3.0 * x, 0.5 * y], 0.03) - 4.0 * x;
        let trunk = (1.0 - in_crown) * in_trunk;
        (in_crown + trunk, in_crown * leaf + trunk * bark)
    }

    fn fence(&self) -> (f64, f64) {
        // Posts are nearer to each other with distance.
        let top = 0.345 - 0.05 * self.x;
        let height = 0.085;
        let (down, period) = (self.y - top, 0.028);
        let around = 1.0 / self.samples;
        if !(-around..=height + around).contains(&down) {
            return (0.0, 0.0);
        }
        let place = self.x / period;
        let from_post = (place - place.round()).abs() * period;
        // A post ends in a point.
        let post = (from_post - 0.006).max((from_post - down) * 0.7).max(down - height);
        let rail = |at: f64| (down - at).abs() - 0.0045;
        let grain = self.octaves(700, [4.0 * self.x, 0.6 * self.y], 0.02);
        let share = self.share(period);
        let (posts, rails) = (share * self.inside(post), share * self.inside(rail(0.025).min(rail(0.062))));
        let coverage = posts.max(rails);
        let light = if posts >= rails { 0.90 - 12.0 * (place - place.round()).max(0.0) * period } else { 0.74 };
        (coverage, coverage * (light + 0.08 * grain))
    }
}

/// 0 below 0, 1 above 1, 3t² − 2t³ between.
fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Value noise in [−1, 1] (Perlin 1985): random numbers at whole places, with 3t² − 2t³ between them.
fn noise(seed: u64, x: f64, y: f64) -> f64 {
    let (column, row) = (x.floor(), y.floor());
    let (u, v) = (smooth(x - column), smooth(y - row));
    let (column, row) = (column as i64, row as i64);
    let at = |dx: i64, dy: i64| random(seed, column.wrapping_add(dx), row.wrapping_add(dy));
    let across = |dy: i64| {
        let (a, b) = (at(0, dy), at(1, dy));
        a + u * (b - a)
    };
    let (a, b) = (across(0), across(1));
    a + v * (b - a)
}

/// A number in [−1, 1) by seed and place: the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
fn random(seed: u64, column: i64, row: i64) -> f64 {
    let mut bits = (column as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (row as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ seed.wrapping_mul(0x1656_67b1_9e37_79f9);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    (bits >> 11) as f64 * (-52.0_f64).exp2() - 1.0
}
