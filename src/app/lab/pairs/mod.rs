//! *Resize pairs*: the errors of every kernel that reduces with every kernel that enlarges, as a heat map.

mod heat_map;

use std::sync::Arc;

use egui::{Context, RichText, Ui};

use self::heat_map::HeatMap;
use super::task::{Task, Work};
use super::task_view::{self, TaskTexts};
use super::tool::{Tool, ToolInput, tab, teach};
use crate::app::commands::{Choice, Command};
use crate::app::session::{Session, SetMethod as _};
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::theme::Palette;
use crate::backend::{BackendKind, Content};
use crate::image::{Page, PageId};
use crate::lab::pairs::{PAIR_MEASURES, PairMatrix, PairMeasure, PairRequest, UpKernel, measure};
use crate::plots::Chart;
use crate::quality::{DECIMATIONS, Decimate};
use crate::sampling::{METHODS, Method};

/// The factors of the list.
const FACTORS: [u32; 6] = [2, 3, 4, 6, 8, 16];
/// Width of the list, in points.
const LIST: f32 = 52.0;

/// The pairs of the named methods.
#[derive(Debug)]
pub(super) struct PairsTool {
    factor: u32,
    measure: PairMeasure,
    task: Task<(PageId, u32), PairMatrix>,
    map: HeatMap,
}

impl Default for PairsTool {
    fn default() -> Self {
        Self { factor: FACTORS[0], measure: PairMeasure::default(), task: Task::default(), map: HeatMap::default() }
    }
}

impl Tool for PairsTool {
    fn tabs(&mut self, ui: &mut Ui, _: &mut ToolInput<'_>) {
        for row in &PAIR_MEASURES {
            let response = tab(ui, row.title, &format!("{} of pairs", row.title), self.measure == row.measure);
            let is_clicked = response.clicked();
            teach(response, row.title, row.help);
            if is_clicked {
                self.measure = row.measure;
            }
        }
        let palette = Palette::of_ui(ui);
        ui.label(RichText::new("reduced by").color(palette.weak));
        let shown = combo_box("factor").width(LIST).selected_text(self.factor.to_string()).show_ui(ui, |ui| {
            for factor in FACTORS {
                ui.selectable_value(&mut self.factor, factor, factor.to_string());
            }
        });
        let name = format!("Reduced by {}", self.factor);
        shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &name));
        teach(shown.response, "Factor", "The image is made smaller by this factor along both axes, and larger again");
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        // The drawer keeps its height while there is little to show.
        ui.set_min_size(ui.available_size());
        let page = Arc::clone(input.session.page());
        let key = (page.id(), self.factor);
        let state = self.task.state(ui.ctx(), &key, || work(page, self.factor));
        let texts = TaskTexts { doing: "Reducing and enlarging", again: "Measure" };
        if let Some(matrix) = task_view::show(ui, &mut self.task, state, texts)
            && let Some([down, up]) = self.map.show(ui, &matrix, self.measure)
        {
            return self.open(input.session, &matrix, [down, up]);
        }
        Vec::new()
    }

    fn file_stem(&self, _: &Session) -> String {
        format!("pairs-{}", self.measure)
    }

    fn chart(&mut self, ctx: &Context, session: &Session, _: BackendKind) -> Result<Chart, String> {
        let page = Arc::clone(session.page());
        let matrix = self.task.result(ctx, &(page.id(), self.factor), || work(page, self.factor))?;
        Ok(matrix.chart(self.measure))
    }

    fn is_idle(&self) -> bool {
        self.task.is_idle()
    }

    fn rest(&mut self) {
        self.task.rest();
    }
}

impl PairsTool {
    /// Opens the image reduced by the kernel at `down`, enlarged in the focused panel by that at `up`.
    fn open(&self, session: &mut Session, matrix: &PairMatrix, [down, up]: [usize; 2]) -> Vec<Command> {
        let (down, up) = (matrix.request.downs[down], matrix.request.ups[up]);
        let panel = session.focused_panel();
        panel.content = Content::Interpolation;
        panel.sampler.set_method(up.method);
        panel.sampler.prefilter = up.prefilter;
        let row = DECIMATIONS.iter().find(|row| row.method == down);
        let open = |by| Command::Choose(Choice::Decimate(Decimate { factor: matrix.request.factor, by }));
        row.map(|row| open(row.decimation)).into_iter().collect()
    }
}

fn work(page: Arc<Page>, factor: u32) -> Work<PairMatrix> {
    let downs: Vec<Method> = METHODS.iter().map(|row| row.method).collect();
    let request = PairRequest { factor, ups: UpKernel::all(&downs), downs };
    Box::new(move |options, _| measure(&page, &request, options).map_err(|error| error.to_string()))
}
