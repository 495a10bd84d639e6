//! *Resize pairs*: the errors of every kernel that reduces with every kernel that enlarges, as a heat map.

mod heat_map;

use std::borrow::Cow;
use std::sync::Arc;

use egui::{Context, RichText, Ui};

use super::task_view::{self, TaskTexts};
use super::tool::{Tool, ToolInput, tab, teach};
use crate::app::commands::{Choice, Command};
use crate::app::render::task::{Task, Work};
use crate::app::session::inspect::PairsState;
use crate::app::session::{Session, SetMethod as _};
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::menu_item::choose;
use crate::app::widgets::theme::Palette;
use crate::app::widgets::toggle::Toggle;
use crate::backend::{BackendKind, Content};
use crate::image::{Page, PageId};
use crate::lab::pairs::{PAIR_MEASURES, PairMatrix, PairRequest, UpKernel, measure};
use crate::plots::Chart;
use crate::quality::{DECIMATIONS, Decimate, is_decimated_from};
use crate::sampling::{METHODS, Method};

/// Width of the list of factors, in points.
const LIST: f32 = 52.0;

/// The pairs of the named methods.
#[derive(Debug, Default)]
pub(super) struct PairsTool {
    task: Task<(PageId, u32), PairMatrix>,
    measured: Measured,
    /// The pair that was opened last.
    opened: Option<(Method, UpKernel)>,
}

/// The page whose pairs are shown.
#[derive(Debug, Default)]
struct Measured {
    page: Option<Arc<Page>>,
    /// A page that was compared with it, and whether it was reduced from it.
    reduced: Option<(PageId, bool)>,
}

impl Measured {
    /// The page to measure: `focused`, or the page before if `focused` was reduced from it, as a click on a cell does.
    fn page(&mut self, focused: &Arc<Page>) -> Arc<Page> {
        if let Some(page) = self.page.clone().filter(|page| self.is_reduced(focused, page)) {
            return page;
        }
        *self = Self { page: Some(Arc::clone(focused)), reduced: None };
        Arc::clone(focused)
    }

    /// Whether `page` is the original of `focused`, by its values.
    fn is_reduced(&mut self, focused: &Page, page: &Page) -> bool {
        if let Some((_, is_reduced)) = self.reduced.filter(|(id, _)| *id == focused.id()) {
            return is_reduced;
        }
        let is_reduced = is_decimated_from(focused, page);
        self.reduced = Some((focused.id(), is_reduced));
        is_reduced
    }
}

impl Tool for PairsTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let state = &mut input.session.inspect.state.pairs;
        for row in &PAIR_MEASURES {
            let response = tab(ui, row.title, &format!("{} of pairs", row.title), state.measure == row.measure);
            let is_clicked = response.clicked();
            teach(response, row.title, row.help);
            if is_clicked {
                state.measure = row.measure;
            }
        }
        let palette = Palette::of_ui(ui);
        ui.label(RichText::new("reduced by").color(palette.weak));
        let shown = combo_box("factor").width(LIST).selected_text(state.factor.to_string()).show_ui(ui, |ui| {
            for factor in PairsState::FACTORS {
                choose(ui, &mut state.factor, factor, factor.to_string());
            }
        });
        let name = format!("Reduced by {}", state.factor);
        shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &name));
        teach(shown.response, "Factor", "The image is made smaller by this factor along both axes, and larger again");
        let sort = Toggle {
            text: "Best first",
            name: "Best pairs first",
            tip: "Kernels are in the order of their best pair, so that good pairs meet at the top left",
        };
        if sort.show(ui, state.is_sorted).clicked() {
            state.is_sorted = !state.is_sorted;
        }
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        // The drawer keeps its height while there is little to show.
        ui.set_min_size(ui.available_size());
        let page = self.measured.page(&input.session.page());
        let PairsState { factor, measure, is_sorted } = input.session.inspect.state.pairs;
        let state = self.task.state(ui.ctx(), &(page.id(), factor), || work(page, factor));
        let texts = TaskTexts { doing: "Reducing and enlarging", again: "Measure" };
        let Some(matrix) = task_view::show(ui, &mut self.task, state, texts) else { return Vec::new() };
        let matrix = if is_sorted { Cow::Owned(matrix.sorted(measure)) } else { Cow::Borrowed(&*matrix) };
        let shown = self.shown_pair(input.session);
        let Some(clicked) = heat_map::show(ui, &matrix, measure, shown) else { return Vec::new() };
        self.opened = Some(clicked);
        open(input.session, factor, clicked)
    }

    fn file_stem(&self, session: &Session) -> String {
        format!("pairs-{}", session.inspect.state.pairs.measure)
    }

    fn chart(&mut self, ctx: &Context, session: &Session, _: BackendKind) -> Result<Chart, String> {
        let page = self.measured.page(&session.page());
        let PairsState { factor, measure, is_sorted } = session.inspect.state.pairs;
        let matrix = self.task.result(ctx, &(page.id(), factor), || work(page, factor))?;
        Ok(if is_sorted { matrix.sorted(measure).chart(measure) } else { matrix.chart(measure) })
    }

    fn is_idle(&self) -> bool {
        self.task.is_idle()
    }

    fn rest(&mut self) {
        self.task.rest();
        self.measured = Measured::default();
        self.opened = None;
    }
}

impl PairsTool {
    /// The pair that was opened last, while the focused panel shows it.
    fn shown_pair(&self, session: &Session) -> Option<(Method, UpKernel)> {
        let (down, up) = self.opened?;
        let panel = &session.panels()[session.focused()];
        let has_page = self.measured.reduced == Some((session.page().id(), true));
        let prefilter = panel.sampler.coefficients().is_some();
        let is_shown =
            panel.content == Content::Interpolation && up == UpKernel { method: panel.sampler.method, prefilter };
        (has_page && is_shown).then_some((down, up))
    }
}

/// Opens the image reduced by `down`, enlarged in the focused panel by `up`.
fn open(session: &mut Session, factor: u32, (down, up): (Method, UpKernel)) -> Vec<Command> {
    let panel = session.focused_panel();
    panel.content = Content::Interpolation;
    panel.sampler.set_method(up.method);
    panel.sampler.prefilter = up.prefilter;
    let row = DECIMATIONS.iter().find(|row| row.method == down);
    let open = |by| Command::Choose(Choice::Decimate(Decimate { factor, by }));
    row.map(|row| open(row.decimation)).into_iter().collect()
}

fn work(page: Arc<Page>, factor: u32) -> Work<PairMatrix> {
    let downs: Vec<Method> = METHODS.iter().map(|row| row.method).collect();
    let request = PairRequest { factor, ups: UpKernel::all(&downs), downs };
    Box::new(move |options, _| measure(&page, &request, options).map_err(|error| error.to_string()))
}
