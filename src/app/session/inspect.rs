//! State of the inspection tools: overlays, pins, the region, the profile line.

use super::footprint::FootprintState;
use super::one_dimension::LineState;
use super::open_images::ImageId;
use super::panels::PanelId;
use super::texture_error::TextureErrorState;
use crate::image::Region;
use crate::lab::field::Lens;
use crate::lab::pairs::PairMeasure;
use crate::lab::rotations::USUAL_TURNS;
use crate::plots::PlotKind;
use crate::rows::rows;

/// Inspection state that a session file stores and undo restores.
#[derive(Clone, Debug, PartialEq)]
pub struct InspectState {
    /// Writes sample values into large pixels.
    pub has_values: bool,
    /// Draws lines between large samples.
    pub has_grid: bool,
    /// Tints and labels the area outside the image.
    pub shows_outside: bool,
    /// Marks pixels beyond black and white.
    pub marks_clipping: bool,
    /// Marks every sample: whether the interpolation passes through it.
    pub checks_samples: bool,
    /// Marks pixels beyond the range of their samples.
    pub marks_overshoot: bool,
    /// What is shown of the interpolated field in place of its values.
    pub lens: Option<Lens>,
    /// Shows the histogram.
    pub has_histogram: bool,
    /// Uses a logarithmic count axis in the histogram.
    pub is_log: bool,
    /// Shows the errors of the panels against the truth.
    pub has_metrics: bool,
    /// Applies display changes to the focused panel alone.
    pub is_alone: bool,
    /// The tool of the laboratory in the drawer under the panels; `None` while the drawer is closed.
    pub drawer: Option<DrawerTool>,
    /// What the tool *Plots* plots.
    pub plot: PlotKind,
    /// The 1-D laboratory.
    pub one_dimension: LineState,
    /// What the tool *Footprint* explains.
    pub footprint: FootprintState,
    /// The turns of the tool *Repeated rotation*.
    pub rotation: RepeatedRotation,
    /// What the tool *Resize pairs* measures.
    pub pairs: PairsState,
    /// What the tool *Quality against cost* measures.
    pub quality: QualitySet,
    /// What the tool *Texture unit* shows.
    pub texture_error: TextureErrorState,
    /// Samples that the histogram counts; `None` counts the whole image.
    pub region: Option<Region>,
    /// End points of the profile line, in samples.
    pub line: Option<[[f64; 2]; 2]>,
    /// Pinned positions, in samples; at most [`Inspect::MAX_PINS`].
    pub pins: Vec<[f64; 2]>,
    /// Draws a line from each pin to the next.
    pub joins_pins: bool,
}

impl Default for InspectState {
    /// A new window's state: the histogram is shown, and nothing is painted over the pictures.
    fn default() -> Self {
        Self {
            has_values: false,
            has_grid: false,
            shows_outside: false,
            marks_clipping: false,
            checks_samples: false,
            marks_overshoot: false,
            lens: None,
            has_histogram: true,
            is_log: false,
            has_metrics: false,
            is_alone: false,
            drawer: None,
            plot: PlotKind::default(),
            one_dimension: LineState::default(),
            footprint: FootprintState::default(),
            rotation: RepeatedRotation::default(),
            pairs: PairsState::default(),
            quality: QualitySet::default(),
            texture_error: TextureErrorState::default(),
            region: None,
            line: None,
            pins: Vec::new(),
            joins_pins: false,
        }
    }
}

impl InspectState {
    /// Whether an overlay of the interpolated field is shown. Its counts are at the lower edge of the pictures.
    pub fn shows_field(&self) -> bool {
        self.lens.is_some() || self.checks_samples || self.marks_overshoot
    }
}

/// The experiment of the tool *Repeated rotation*: N turns by 360°/N, and the one whose pictures are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedRotation {
    turns: u32,
    shown: u32,
}

impl Default for RepeatedRotation {
    /// The published experiment, after its last turn.
    fn default() -> Self {
        Self { turns: USUAL_TURNS, shown: USUAL_TURNS }
    }
}

impl RepeatedRotation {
    /// Smallest and largest number of turns. Pictures of all of them are kept.
    pub const TURNS: (u32, u32) = (2, 120);

    /// `turns` turns, within [`RepeatedRotation::TURNS`], of which `shown` is shown, the last at most.
    pub fn new(turns: u32, shown: u32) -> Self {
        let turns = turns.clamp(Self::TURNS.0, Self::TURNS.1);
        Self { turns, shown: shown.min(turns) }
    }

    /// Number of turns.
    pub fn turns(self) -> u32 {
        self.turns
    }

    /// The turn whose pictures are shown; 0 is the original.
    pub fn shown(self) -> u32 {
        self.shown
    }

    /// Angle after the shown turn, in degrees.
    pub fn angle_deg(self) -> f64 {
        f64::from(self.shown) * 360.0 / f64::from(self.turns)
    }
}

/// Description of a set of reconstructions.
#[derive(Debug)]
pub struct QualitySetRow {
    /// The set.
    pub set: QualitySet,
    /// Its name in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it is.
    pub help: &'static str,
}

rows! {
    /// Which reconstructions the tool *Quality against cost* measures.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum QualitySet {
        /// Those of the visible panels.
        #[default]
        Panels => { name: "panels", title: "Panels", help: "The visible panels, each with its sampler" },
        /// All named methods.
        Named => {
            name: "named",
            title: "All methods",
            help: "Every named method that the focused panel's path serves; those with a prefilter without and with it",
        },
    }

    /// The sets.
    pub static QUALITY_SETS: [QualitySetRow { set, .. }];

    impl by_name, Display;
}

/// The tool *Resize pairs*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairsState {
    /// The image is made smaller by this factor along both axes, one of [`PairsState::FACTORS`].
    pub factor: u32,
    /// The error that is shown.
    pub measure: PairMeasure,
    /// Puts the kernels of the best pairs first.
    pub is_sorted: bool,
}

impl PairsState {
    /// The factors.
    pub const FACTORS: [u32; 6] = [2, 3, 4, 6, 8, 16];
}

impl Default for PairsState {
    fn default() -> Self {
        Self { factor: Self::FACTORS[0], measure: PairMeasure::default(), is_sorted: false }
    }
}

/// Description of a tool of the drawer.
#[derive(Debug)]
pub struct DrawerToolRow {
    /// The tool.
    pub tool: DrawerTool,
    /// Its name in session files, and its command's id.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// One sentence: what it teaches.
    pub help: &'static str,
}

rows! {
    /// A tool of the laboratory, which the drawer under the panels shows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DrawerTool {
        /// Plots of all panels' methods.
        Plots => {
            name: "plots",
            title: "Plots",
            help: "Plots the kernels, weights and responses of all panels' methods",
        },
        /// The arithmetic of a pixel.
        Footprint => {
            name: "footprint",
            title: "Footprint",
            help: "A pixel is a sum of weighted samples: a click on one shows its samples, their weights, the sum with numbers, and the code",
        },
        /// What the texture unit returns between two texels, and how far that is from exact.
        TextureError => {
            name: "texture-error",
            title: "Texture unit's error",
            help: "The texture unit rounds the place between two texels to 1/256: its values beside the exact ones, and what that does to a picture",
        },
        /// Samples on a line, and the curves of methods through them.
        OneDimension => {
            name: "lab1d",
            title: "1-D laboratory",
            help: "Samples on a line that can be dragged: what each method makes of them, and why",
        },
        /// Repeated rotation by all panels' methods.
        Rotations => {
            name: "rotations",
            title: "Repeated rotation",
            help: "Turns the image N times by 360°/N with each panel's method, so that its small errors add up",
        },
        /// Errors and times.
        Quality => {
            name: "quality",
            title: "Quality against cost",
            help: "The error of each reconstruction against the truth beside the time of a render: what a better picture costs",
        },
        /// Kernels that reduce with kernels that enlarge.
        Pairs => {
            name: "pairs",
            title: "Resize pairs",
            help: "Makes the image smaller by each kernel and larger by each: which pair loses least",
        },
        /// The focused panel's kernel as a point of a plane.
        Designer => {
            name: "designer",
            title: "Kernel designer",
            help: "Designs the focused panel's kernel: B and C of a cubic as a point to drag, or the radius of a windowed sinc",
        },
        /// The kernel of an image that another program made.
        Identify => {
            name: "identify",
            title: "Identify kernel",
            help: "Names the kernel with which another program made an open image from this one: every resampling leaves its weights in the pixels",
        },
    }

    /// The tools, in menu order.
    pub static DRAWER_TOOLS: [DrawerToolRow { tool, .. }];

    impl by_name;
}

/// A switch of [`InspectState`] with its key in session files.
#[derive(Debug)]
pub(in crate::app) struct InspectSwitch {
    /// Key in session files.
    pub(in crate::app) name: &'static str,
    /// Reads the switch.
    pub(in crate::app) get: fn(&InspectState) -> bool,
    /// Sets the switch.
    pub(in crate::app) set: fn(&mut InspectState, bool),
}

/// All switches of [`InspectState`].
pub(in crate::app) static INSPECT_SWITCHES: [InspectSwitch; 11] = [
    InspectSwitch { name: "values", get: |state| state.has_values, set: |state, on| state.has_values = on },
    InspectSwitch { name: "grid", get: |state| state.has_grid, set: |state, on| state.has_grid = on },
    InspectSwitch { name: "ghosts", get: |state| state.shows_outside, set: |state, on| state.shows_outside = on },
    InspectSwitch { name: "clipping", get: |state| state.marks_clipping, set: |state, on| state.marks_clipping = on },
    InspectSwitch {
        name: "sample-check",
        get: |state| state.checks_samples,
        set: |state, on| state.checks_samples = on,
    },
    InspectSwitch {
        name: "overshoot",
        get: |state| state.marks_overshoot,
        set: |state, on| state.marks_overshoot = on,
    },
    InspectSwitch { name: "histogram", get: |state| state.has_histogram, set: |state, on| state.has_histogram = on },
    InspectSwitch { name: "metrics", get: |state| state.has_metrics, set: |state, on| state.has_metrics = on },
    InspectSwitch { name: "logarithmic", get: |state| state.is_log, set: |state, on| state.is_log = on },
    InspectSwitch { name: "focused-alone", get: |state| state.is_alone, set: |state, on| state.is_alone = on },
    InspectSwitch { name: "pins-joined", get: |state| state.joins_pins, set: |state, on| state.joins_pins = on },
];

/// Action of a drag with the left button and no modifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Moves the image.
    #[default]
    Hand,
    /// Draws the profile line.
    Profile,
    /// Draws a rectangle that is inpainted, once.
    Inpaint,
    /// Moves the handles of a warp; elsewhere the image.
    Handles,
}

/// State of the inspection tools.
#[derive(Clone, Debug, Default)]
pub struct Inspect {
    /// The part that a session file stores.
    pub state: InspectState,
    /// Action of a drag.
    pub tool: Tool,
    /// The image whose kernel *Identify kernel* names, as chosen from its list; `None` takes the first other image.
    pub identified: Option<ImageId>,
    /// Position under the cursor, in samples.
    pub(in crate::app) cursor: Option<[f64; 2]>,
    /// The panel under the cursor.
    pub(in crate::app) pointed: Option<PanelId>,
}

impl Inspect {
    /// Maximum number of pins.
    pub const MAX_PINS: usize = 32;

    /// The tools in the stored state, with the default drag action.
    pub fn restored(mut state: InspectState) -> Self {
        state.pins.truncate(Self::MAX_PINS);
        Self { state, ..Self::default() }
    }

    /// Puts the tool away and removes the profile line. Returns `false` if there was neither.
    pub fn leave(&mut self) -> bool {
        let is_active = self.tool != Tool::Hand || self.state.line.is_some();
        self.tool = Tool::Hand;
        self.state.line = None;
        is_active
    }

    /// Pins a position of the image. Returns `false` if there are [`Inspect::MAX_PINS`] already.
    pub fn pin(&mut self, pos_in_image: [f64; 2]) -> bool {
        let fits = self.state.pins.len() < Self::MAX_PINS;
        if fits {
            self.state.pins.push(pos_in_image);
        }
        fits
    }
}
