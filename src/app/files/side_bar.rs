//! The side bar as the settings keep it: its visibility, width, open tab and folded sections.

use crate::rows::rows;

/// Description of a tab.
#[derive(Debug)]
pub struct SideTabRow {
    /// The tab.
    pub tab: SideTab,
    /// Its name in settings files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its help, one line.
    pub help: &'static str,
}

rows! {
    /// A tab of the side bar.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum SideTab {
        /// What all panels share.
        #[default]
        View => { name: "view", title: "View", help: "What all panels show: view, values, pins, image" },
        /// The focused panel.
        Panel => { name: "panel", title: "Panel", help: "How the focused panel samples and filters the image" },
        /// The inspection tools.
        Inspect => { name: "inspect", title: "Inspect", help: "Tools that measure and mark the pictures" },
        /// Lessons and figures.
        Learn => { name: "learn", title: "Learn", help: "Lessons, and views that show one thing each" },
    }

    /// The tabs, from left to right.
    pub static SIDE_TABS: [SideTabRow { tab, .. }];

    impl by_name;
}

/// Description of a section.
#[derive(Debug)]
pub struct SideSectionRow {
    /// The section.
    pub section: SideSection,
    /// Its name in settings files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The tab that contains it.
    pub tab: SideTab,
    /// Its help, one line.
    pub help: &'static str,
}

rows! {
    /// A section of the side bar that folds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SideSection {
        /// Position, scale, angle and stretch of the view.
        Position => {
            name: "position",
            title: "Position",
            tab: SideTab::View,
            help: "Position, scale, angle and stretch of the view as numbers",
        },
        /// Kernels of the visible panels.
        Kernels => {
            name: "kernels",
            title: "Kernels",
            tab: SideTab::View,
            help: "The weight of a sample by its distance from the position, for each panel's method",
        },
        /// The plane of a volume.
        Slice => {
            name: "slice",
            title: "Slice",
            tab: SideTab::View,
            help: "The plane through a volume: orientation and position",
        },
        /// The component of complex numbers.
        Component => {
            name: "component",
            title: "Component",
            tab: SideTab::View,
            help: "What of complex numbers the focused panel shows",
        },
        /// The open images.
        Images => { name: "images", title: "Images", tab: SideTab::View, help: "Open images" },
        /// Histogram.
        Values => { name: "values", title: "Histogram", tab: SideTab::View, help: "How often each value is there" },
        /// Display mapping.
        Display => { name: "display", title: "Display", tab: SideTab::View, help: "How values become brightness" },
        /// Address modes of all panels.
        Address => {
            name: "address",
            title: "Address mode",
            tab: SideTab::View,
            help: "Which values are taken beyond the edges of the image, in all panels",
        },
        /// Pinned positions.
        Pins => { name: "pins", title: "Pins", tab: SideTab::View, help: "Pinned positions with every panel's values" },
        /// The image.
        Image => { name: "image", title: "Details", tab: SideTab::View, help: "Name, size, samples and pages" },
        /// Filter chains.
        Filters => { name: "filters", title: "Filters", tab: SideTab::Panel, help: "Filters of the focused panel" },
        /// Names of the address modes.
        Libraries => {
            name: "libraries",
            title: "In other libraries",
            tab: SideTab::Panel,
            help: "Names of the address modes in CUDA, OpenGL, OpenCV and SciPy",
        },
        /// Errors of the panels beside the times of their renders.
        Quality => {
            name: "quality",
            title: "Quality against cost",
            tab: SideTab::Inspect,
            help: "PSNR of each panel against the truth, the best first, with the median time of its last renders",
        },
        /// Statistics of the image or of a region.
        Statistics => {
            name: "statistics",
            title: "Statistics",
            tab: SideTab::Inspect,
            help: "Least, mean and greatest value of the image or of a region",
        },
        /// Figures of the documents.
        Figures => {
            name: "figures",
            title: "Figures",
            tab: SideTab::Learn,
            help: "Figures of the tutorial and of two other documents, with panels, view and tool of each",
        },
    }

    /// The sections, from the top, tab by tab.
    pub static SIDE_SECTIONS: [SideSectionRow { section, .. }];

    impl by_name;
}

/// State of the side bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideBar {
    /// Whether it is shown. In a narrow window it is hidden all the same.
    pub is_shown: bool,
    /// The open tab.
    pub tab: SideTab,
    width: f32,
    folded: [bool; SIDE_SECTIONS.len()],
}

impl Default for SideBar {
    fn default() -> Self {
        let mut side_bar =
            Self { is_shown: true, tab: SideTab::default(), width: 264.0, folded: [false; SIDE_SECTIONS.len()] };
        for section in [
            SideSection::Position,
            SideSection::Display,
            SideSection::Address,
            SideSection::Pins,
            SideSection::Image,
            SideSection::Libraries,
            SideSection::Figures,
        ] {
            side_bar.fold(section, true);
        }
        side_bar
    }
}

impl SideBar {
    /// Least and greatest width, in points.
    pub const WIDTHS: (f32, f32) = (240.0, 480.0);
    /// Width of the window below which the side bar is hidden unless asked for, in points.
    pub const LEAST_WINDOW_WIDTH: f32 = 900.0;

    /// Width, in points.
    pub fn width(&self) -> f32 {
        self.width
    }

    /// Sets the width, in points, within [`SideBar::WIDTHS`]. A number that is not finite is ignored.
    pub fn set_width(&mut self, width: f32) {
        if width.is_finite() {
            self.width = width.round().clamp(Self::WIDTHS.0, Self::WIDTHS.1);
        }
    }

    /// Whether `section` is folded.
    pub fn is_folded(&self, section: SideSection) -> bool {
        self.folded[section as usize]
    }

    /// Folds or unfolds `section`.
    pub fn fold(&mut self, section: SideSection, is_folded: bool) {
        self.folded[section as usize] = is_folded;
    }

    /// Opens the tab of `section` and unfolds it.
    pub fn reveal(&mut self, section: SideSection) {
        self.tab = section.row().tab;
        self.fold(section, false);
    }
}
