//! A filter with parameters.

use rayon::prelude::*;

use super::{
    Action, Convolution, Edges, ExecOptions, FILTERS, Filter, Inpainting, Mask, MaskError, Matrix, MatrixError,
    ParameterRow, Plane, point,
};
use crate::text::{number_text, shortened};

/// Largest number of parameters of a filter.
pub const MAX_PARAMETERS: usize = 5;
/// Index of a convolution's parameter `normalized`.
const NORMALIZED: usize = 0;

/// One filter of a chain. Its parameters are always in range.
///
/// ```
/// use lerpscope::filter::{Filter, Step};
/// let step: Step = "bilateral=3,0.1,threshold=0.5".parse()?;
/// assert_eq!(step.parameters(), [3.0, 0.1, 0.0, 0.5, 0.0]);
/// assert_eq!(step, Step::new(Filter::Bilateral, &[3.0, 0.1, 0.0, 0.5, 0.0])?);
/// assert_eq!("gaussian=1.5".parse::<Step>()?.parameters(), [1.5, 1.5, 0.0]);
/// assert!("gaussian=0".parse::<Step>().is_err());
/// # Ok::<(), lerpscope::filter::FilterError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    filter: Filter,
    /// Unused parameters are 0.
    parameters: [f64; MAX_PARAMETERS],
    operand: Operand,
    /// Whether the step acts; a disabled step keeps its position and parameters.
    pub enabled: bool,
}

/// What a step has beside its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operand {
    None,
    /// The weights of a convolution.
    Matrix(Matrix),
    /// The samples that inpainting fills.
    Mask(Mask),
}

/// Error of a step's text or parameters.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum FilterError {
    /// Unknown filter.
    #[error("there is no filter '{}'; there are {}", shortened(.name), names())]
    Name {
        /// The name given.
        name: String,
    },
    /// Unknown parameter.
    #[error("filter '{filter}' has no parameter '{}'; it has {}", shortened(.name), parameter_names(*.filter))]
    Parameter {
        /// The filter.
        filter: Filter,
        /// The name given.
        name: String,
    },
    /// More numbers than parameters.
    #[error("filter '{filter}' takes {}, not {given}", count_text(*.filter))]
    Count {
        /// The filter.
        filter: Filter,
        /// Number of numbers given.
        given: usize,
    },
    /// A matrix that cannot be used.
    #[error("filter '{filter}': {error}")]
    Matrix {
        /// The filter.
        filter: Filter,
        /// What is wrong with the matrix.
        error: MatrixError,
    },
    /// A mask that cannot be used.
    #[error("filter '{filter}': {error}")]
    Mask {
        /// The filter.
        filter: Filter,
        /// What is wrong with the mask.
        error: MaskError,
    },
    /// A text that is not a number.
    #[error("filter '{filter}': {name} must be {range}, not '{}'", shortened(.text))]
    Number {
        /// The filter.
        filter: Filter,
        /// The parameter.
        name: &'static str,
        /// Allowed values.
        range: String,
        /// The text given.
        text: String,
    },
    /// A number out of range.
    #[error("filter '{filter}': {name} must be {range}, not {}", number_text(*.value))]
    Range {
        /// The filter.
        filter: Filter,
        /// The parameter.
        name: &'static str,
        /// Allowed values.
        range: String,
        /// The number given.
        value: f64,
    },
}

fn names() -> String {
    FILTERS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

fn parameter_names(filter: Filter) -> String {
    match filter.row().parameters {
        [] => "none".to_owned(),
        rows => rows.iter().map(|row| row.name).collect::<Vec<_>>().join(", "),
    }
}

fn count_text(filter: Filter) -> String {
    match filter.row().parameters.len() {
        0 => "no parameters".to_owned(),
        1 => "1 parameter".to_owned(),
        count => format!("at most {count} parameters"),
    }
}

impl Step {
    /// Step with these parameters; missing ones are the row's defaults.
    ///
    /// # Errors
    /// [`FilterError`] for too many parameters, and for one out of range.
    pub fn new(filter: Filter, parameters: &[f64]) -> Result<Self, FilterError> {
        let mut step = Self::default_of(filter);
        if parameters.len() > filter.row().parameters.len() {
            return Err(FilterError::Count { filter, given: parameters.len() });
        }
        for (index, &value) in parameters.iter().enumerate() {
            step.set(index, value)?;
        }
        Ok(step)
    }

    /// Step with the row's defaults.
    pub fn default_of(filter: Filter) -> Self {
        let mut parameters = [0.0; MAX_PARAMETERS];
        parameters.iter_mut().zip(filter.row().parameters).for_each(|(value, row)| *value = row.default);
        let operand = match filter.row().action {
            Action::Convolution { default, .. } => Operand::Matrix(default.weights()),
            Action::Inpainting { default, .. } => Operand::Mask(default),
            Action::Point { .. } | Action::Placed { .. } | Action::Neighbourhood { .. } => Operand::None,
        };
        Self { filter, parameters, operand, enabled: true }
    }

    /// The same step, enabled or not.
    #[must_use]
    pub fn switched(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }

    /// The filter.
    pub fn filter(&self) -> Filter {
        self.filter
    }

    /// The parameters, as many as the row has.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters[..self.filter.row().parameters.len()]
    }

    /// The weights of a convolution; `None` for every other filter.
    pub fn matrix(&self) -> Option<Matrix> {
        match self.operand {
            Operand::Matrix(matrix) => Some(matrix),
            Operand::None | Operand::Mask(_) => None,
        }
    }

    /// The samples that inpainting fills; `None` for every other filter.
    pub fn mask(&self) -> Option<Mask> {
        match self.operand {
            Operand::Mask(mask) => Some(mask),
            Operand::None | Operand::Matrix(_) => None,
        }
    }

    /// What it has beside its numbers.
    pub(super) fn operand(&self) -> Operand {
        self.operand
    }

    /// The same step with these weights, if it is a convolution; any other step is unchanged.
    #[must_use]
    pub fn with_matrix(self, matrix: Matrix) -> Self {
        Self { operand: self.matrix().map_or(self.operand, |_| Operand::Matrix(matrix)), ..self }
    }

    /// The same step with this mask, if it is inpainting; any other step is unchanged.
    #[must_use]
    pub fn with_mask(self, mask: Mask) -> Self {
        Self { operand: self.mask().map_or(self.operand, |_| Operand::Mask(mask)), ..self }
    }

    /// The same with weights that are divided by their sum, or not.
    #[must_use]
    pub fn with_normalized(self, (matrix, is_normalized): (Matrix, bool)) -> Self {
        let mut step = self.with_matrix(matrix);
        if step.matrix().is_some() {
            step.parameters[NORMALIZED] = f64::from(u8::from(is_normalized));
        }
        step
    }

    /// The weights of a convolution by offset; `None` for every other filter.
    pub fn convolution(&self) -> Option<Convolution> {
        let [is_normalized, x, y] = [NORMALIZED, 1, 2].map(|index| self.parameters[index]);
        self.matrix().map(|matrix| Convolution::new(matrix, is_normalized == 1.0, [x as i32, y as i32]))
    }

    /// What inpainting fills and how; `None` for every other filter.
    pub fn inpainting(&self) -> Option<Inpainting> {
        self.mask().map(|mask| Inpainting::new(mask, self.parameters()))
    }

    /// Sets the parameter at `index`.
    ///
    /// # Errors
    /// [`FilterError`] for an unknown index and a `value` out of range; the step is then unchanged.
    pub fn set(&mut self, index: usize, value: f64) -> Result<(), FilterError> {
        let filter = self.filter;
        let row: &ParameterRow =
            filter.row().parameters.get(index).ok_or(FilterError::Count { filter, given: index + 1 })?;
        if !row.allows(value) {
            return Err(FilterError::Range { filter, name: row.name, range: row.range_text(), value });
        }
        let before = self.parameters[index];
        // −0 and 0 compare equal as requests.
        self.parameters[index] = value + 0.0;
        for (other, row) in filter.row().parameters.iter().enumerate() {
            if row.follows == Some(index) && self.parameters[other] == before {
                self.parameters[other] = self.parameters[index];
            }
        }
        Ok(())
    }

    /// The value that the parameter at `index` has unless it is given: its default, or the value of the one that it follows.
    pub(crate) fn usual_value(&self, index: usize) -> f64 {
        let row = &self.filter.row().parameters[index];
        row.follows.map_or(row.default, |leader| self.parameters[leader])
    }

    /// Reach beyond a sample, in samples.
    pub fn reach(&self) -> u32 {
        (self.filter.row().reach)(self)
    }

    /// Writes the filtered `plane` to `out`, reusing its memory, whether or not the step is enabled. After a
    /// cancellation the contents of `out` are unspecified.
    pub fn apply(&self, plane: &Plane, edges: &Edges, work: &ExecOptions, out: &mut Vec<f32>) {
        out.resize(plane.values.len(), 0.0);
        match self.filter.row().action {
            Action::Point { cpu, .. } => {
                point::apply(|colours, values| cpu(self.parameters(), colours, values), plane, work, out);
            }
            Action::Placed { cpu, .. } => {
                out.copy_from_slice(&plane.values);
                let Plane { size, first, channels, .. } = *plane;
                let mut placed = Plane { size, first, channels, values: std::mem::take(out) };
                cpu(self.parameters(), &mut placed, work);
                *out = placed.values;
            }
            Action::Neighbourhood { cpu, keeps_alpha, .. } => {
                cpu(self.parameters(), plane, edges, work, out);
                if keeps_alpha {
                    keep_alpha(plane, out);
                }
            }
            Action::Convolution { cpu, .. } => {
                if let Some(convolution) = self.convolution() {
                    cpu(&convolution, plane, edges, work, out);
                    keep_alpha(plane, out);
                }
            }
            Action::Inpainting { cpu, .. } => {
                if let Some(inpainting) = self.inpainting() {
                    cpu(&inpainting, plane, edges, work, out);
                }
            }
        }
    }

    /// Replaces `plane` by its filtered values. A point filter works in place; a neighbourhood filter writes to
    /// `spare`, which then holds the previous values.
    pub(super) fn replace(&self, plane: &mut Plane, edges: &Edges, work: &ExecOptions, spare: &mut Vec<f32>) {
        match self.filter.row().action {
            Action::Point { cpu, .. } => {
                point::apply_in_place(|colours, values| cpu(self.parameters(), colours, values), plane, work);
            }
            Action::Placed { cpu, .. } => cpu(self.parameters(), plane, work),
            Action::Neighbourhood { .. } | Action::Convolution { .. } | Action::Inpainting { .. } => {
                self.apply(plane, edges, work, spare);
                std::mem::swap(&mut plane.values, spare);
            }
        }
    }
}

/// Copies the alpha of `plane`, where it has one, to the values of `out`.
fn keep_alpha(plane: &Plane, out: &mut [f32]) {
    let count = plane.channels.count();
    if plane.channels.has_alpha() {
        out.par_chunks_exact_mut(count)
            .zip(plane.values.par_chunks_exact(count))
            .for_each(|(to, from)| to[count - 1] = from[count - 1]);
    }
}
