//! Least squares: Gauss and Newton's method for few parameters, and normal equations by Cholesky's factorization.

use super::hypothesis::Fitted;

/// Steps of Gauss and Newton's method.
const STEPS: usize = 12;
/// A step below which the method ends.
const SMALL: f64 = 2e-5;
/// Distance of the two values of a derivative.
const DERIVATIVE: f64 = 2e-3;

/// A parameter of a fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) start: f64,
    pub(super) range: [f64; 2],
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) parameters: Vec<Fitted>,
}

/// The parameters of the least Σ residuals(parameters)². `residuals` is `None` outside its range.
pub(super) fn gauss_newton(parameters: &[Parameter], residuals: impl Fn(&[f64]) -> Option<Vec<f64>>) -> Option<Fit> {
    let mut at: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    let mut current = residuals(&at)?;
    let mut sum = squares(&current);
    let mut errors = vec![f64::INFINITY; at.len()];
    for _ in 0..STEPS {
        let columns: Vec<Vec<f64>> = (0..at.len())
            .map(|index| {
                let [low, high] = parameters[index].range;
                let moved = |by: f64| {
                    let mut moved = at.clone();
                    moved[index] = (moved[index] + by).clamp(low, high);
                    residuals(&moved).map(|residuals| (moved[index], residuals))
                };
                let ((below, minus), (above, plus)) = (moved(-DERIVATIVE)?, moved(DERIVATIVE)?);
                Some(plus.iter().zip(&minus).map(|(plus, minus)| (plus - minus) / (above - below)).collect())
            })
            .collect::<Option<_>>()?;
        let normal = Normal::new(&columns, &current);
        let variance = sum / current.len().saturating_sub(at.len()).max(1) as f64;
        let Some(factor) = normal.factor() else { break };
        errors = factor.inverse_diagonal().iter().map(|inverse| (variance * inverse).sqrt()).collect();
        let step = factor.solve(&normal.right);
        // A step that does not help is halved.
        let mut share = 1.0;
        let mut moved_by = 0.0;
        while share > 0.05 {
            let moved: Vec<f64> = at
                .iter()
                .zip(&step)
                .zip(parameters)
                .map(|((at, step), parameter)| (at - share * step).clamp(parameter.range[0], parameter.range[1]))
                .collect();
            if let Some(next) = residuals(&moved)
                && squares(&next) < sum
            {
                moved_by = at.iter().zip(&moved).map(|(at, moved)| (at - moved).abs()).fold(0.0, f64::max);
                (sum, current, at) = (squares(&next), next, moved);
                break;
            }
            share /= 2.0;
        }
        if moved_by < SMALL {
            break;
        }
    }
    let fitted = parameters.iter().zip(at).zip(errors);
    Some(Fit {
        parameters: fitted.map(|((parameter, value), error)| Fitted { name: parameter.name, value, error }).collect(),
    })
}

fn squares(residuals: &[f64]) -> f64 {
    residuals.iter().map(|residual| residual * residual).sum()
}

/// Normal equations AᵀA·x = Aᵀb of columns of A.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    pub(super) size: usize,
    /// AᵀA, row by row.
    pub(super) matrix: Vec<f64>,
    /// Aᵀb.
    pub(super) right: Vec<f64>,
}

impl Normal {
    pub(super) fn new(columns: &[Vec<f64>], right: &[f64]) -> Self {
        use rayon::prelude::*;
        let size = columns.len();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut matrix = vec![0.0; size * size];
        matrix.par_chunks_mut(size.max(1)).enumerate().for_each(|(row, out)| {
            out.iter_mut()
                .enumerate()
                .take(row + 1)
                .for_each(|(column, out)| *out = dot(&columns[row], &columns[column]));
        });
        for row in 0..size {
            for column in 0..row {
                matrix[column * size + row] = matrix[row * size + column];
            }
        }
        Self { size, matrix, right: columns.iter().map(|column| dot(column, right)).collect() }
    }

    /// Cholesky's factor L of AᵀA = L·Lᵀ; `None` where a column depends on those before it.
    pub(super) fn factor(&self) -> Option<Factor> {
        let n = self.size;
        let mut lower = vec![0.0; n * n];
        for row in 0..n {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| lower[row * n + k] * lower[column * n + k]).sum();
                let rest = self.matrix[row * n + column] - known;
                lower[row * n + column] = if row == column {
                    if rest <= 1e-13 * self.matrix[row * n + row] || rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower[column * n + column]
                };
            }
        }
        Some(Factor { size: n, lower })
    }
}

/// A lower triangle, row by row.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    size: usize,
    lower: Vec<f64>,
}

impl Factor {
    /// x of L·Lᵀ·x = `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut x = right.to_vec();
        for row in 0..n {
            let known: f64 = (0..row).map(|k| self.lower[row * n + k] * x[k]).sum();
            x[row] = (x[row] - known) / self.lower[row * n + row];
        }
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|k| self.lower[k * n + row] * x[k]).sum();
            x[row] = (x[row] - known) / self.lower[row * n + row];
        }
        x
    }

    /// The diagonal of (L·Lᵀ)⁻¹.
    pub(super) fn inverse_diagonal(&self) -> Vec<f64> {
        let unit = |place: usize| (0..self.size).map(|k| f64::from(u8::from(k == place))).collect::<Vec<_>>();
        (0..self.size).map(|place| self.solve(&unit(place))[place]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_a_curve_are_found_from_its_points() {
        let xs: Vec<f64> = (0..50).map(|k| f64::from(k) / 10.0).collect();
        let curve = |a: f64, b: f64, x: f64| (a * x).sin() + b * b * x;
        let points: Vec<f64> = xs.iter().map(|&x| curve(1.3, 0.7, x)).collect();
        let parameters = [
            Parameter { name: "a", start: 1.0, range: [0.0, 3.0] },
            Parameter { name: "b", start: 0.2, range: [0.0, 3.0] },
        ];
        let residuals = |at: &[f64]| Some(xs.iter().zip(&points).map(|(&x, y)| y - curve(at[0], at[1], x)).collect());
        let fit = gauss_newton(&parameters, residuals).expect("a fit");
        let [a, b] = [0, 1].map(|index| fit.parameters[index].value);
        assert!((a - 1.3).abs() < 1e-5 && (b - 0.7).abs() < 1e-5, "{a} {b}");
    }

    #[test]
    fn normal_equations_have_the_solution_by_hand_and_dependent_columns_have_none() {
        // x = 2, y = −1 of three equations.
        let columns = [vec![1.0, 0.0, 1.0], vec![0.0, 1.0, 1.0]];
        let normal = Normal::new(&columns, &[2.0, -1.0, 1.0]);
        let factor = normal.factor().expect("independent");
        let x = factor.solve(&normal.right);
        assert!((x[0] - 2.0).abs() < 1e-12 && (x[1] + 1.0).abs() < 1e-12, "{x:?}");
        // (AᵀA)⁻¹ of [[2, 1], [1, 2]] has 2/3 on its diagonal.
        assert!(factor.inverse_diagonal().iter().all(|d| (d - 2.0 / 3.0).abs() < 1e-12));
        assert!(Normal::new(&[vec![1.0, 2.0], vec![2.0, 4.0]], &[0.0, 0.0]).factor().is_none());
    }
}
