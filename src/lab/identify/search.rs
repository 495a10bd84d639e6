//! The search: every hypothesis is fitted, the best is named, and its edges and rounding follow.

use super::difference::explain;
use super::fit::{Parameter, gauss_newton};
use super::geometry::{Convention, Widening};
use super::hypothesis::{Candidate, Fitted, Hypothesis, Score};
use super::inside::Inside;
use super::pair::{IdentifyError, Pair};
use super::passes::{BETWEENS, Between, Passes};
use super::shape::Shape;
use super::{Identification, programs, recovered, rounding};
use crate::filter::ExecOptions;
use crate::lab::cubics::{NAMED_CUBICS, NamedCubic};
use crate::sampling::Method;

/// Largest share by which the residual of a kernel with rounded parameters may exceed that of the fitted ones.
const SNAP: f64 = 1.01;
/// Residuals are equal up to this factor.
const EQUAL: f64 = 1.02;
/// Number of hypotheses that are compared with roundings between the passes.
const RESCORED: usize = 16;
/// Largest residual that rounding explains: in numbers, and of floats in values.
const MOST_ROUNDING: f64 = 0.6;
const MOST_ROUNDING_OF_FLOATS: f64 = 1e-4;

/// A kernel family of the search.
#[derive(Clone, Copy, Debug)]
enum Family {
    /// A kernel without parameters.
    Fixed(Shape),
    /// The cubics of B and C.
    Cubic,
    /// Lanczos of a real a.
    Lanczos,
    /// Gaussians.
    Gaussian,
}

/// Searches for what `pair` was resampled with.
pub(super) fn search(pair: &Pair, work: &ExecOptions) -> Result<Identification, IdentifyError> {
    let inside = Inside::new(pair)?;
    let jobs = inside.jobs();
    let mut found: Vec<Option<Candidate>> = vec![None; jobs.len()];
    work.stage("kernels").row_by_row().for_bands(
        (&mut found, 1),
        1,
        || (),
        |(), first, out| {
            out.iter_mut().zip(&jobs[first..]).for_each(|(out, job)| *out = inside.fitted(job));
        },
    );
    let check = || if work.stop.is_set() { Err(IdentifyError::Cancelled) } else { Ok(()) };
    check()?;
    let mut found: Vec<Candidate> = found.into_iter().flatten().collect();
    // Stable: of equal residuals the first of the list.
    found.sort_by(|a, b| a.score.rms.total_cmp(&b.score.rms));
    let between = inside.rescored(&mut found);
    let limit = found.first().map_or(0.0, |best| best.score.rms * EQUAL + pair.slack());
    let mut equals: Vec<Candidate> = found.iter().take_while(|one| one.score.rms <= limit).cloned().collect();
    let runner_up = found.get(equals.len()).cloned();
    // Fewer parameters explain as much.
    let order = |one: &Candidate| (is_parametric(one.hypothesis.shape), position(&jobs, one));
    equals.sort_by_key(order);
    // Those that are equal where no edge reaches may differ elsewhere.
    let mut finished = Vec::with_capacity(equals.len());
    for one in equals.into_iter().take(RESCORED) {
        finished.push((rounding::finish(pair, &inside.grid, (one.hypothesis, between), work)?, one));
        check()?;
    }
    finished.sort_by(|((_, a), _), ((_, b), _)| a.rms.total_cmp(&b.rms));
    let least = finished.first().map_or(0.0, |((_, agreement), _)| agreement.rms);
    finished.retain(|((_, agreement), _)| agreement.rms <= least * EQUAL + pair.slack());
    finished.sort_by_key(|(_, one)| order(one));
    let ((edges, agreement), best) = finished.remove(0);
    let equals: Vec<Candidate> = finished.into_iter().map(|(_, one)| one).collect();
    let most = if pair.step > 0.0 { MOST_ROUNDING } else { MOST_ROUNDING_OF_FLOATS };
    let recovered = recovered::recover(&inside, best.hypothesis);
    check()?;
    let fits = best.score.rms <= most;
    let difference = if fits { None } else { explain(&inside, &inside.named(&found, best.hypothesis)) };
    let programs = if fits { programs::of(&best.hypothesis, (&edges, between), pair) } else { Vec::new() };
    Ok(Identification {
        pair: pair.facts,
        best,
        equals,
        runner_up,
        fits,
        edges,
        agreement,
        dots: recovered.dots,
        least: recovered.score,
        programs,
        difference,
    })
}

/// Whether the kernel has a parameter that no name gives.
fn is_parametric(shape: Shape) -> bool {
    match shape {
        Shape::Method { method: method @ (Method::Cubic { .. } | Method::Lanczos { .. }), .. } => {
            method.row().is_none() && method != NamedCubic::OpenCv.method()
        }
        Shape::Method { method: Method::Gaussian { .. }, .. } => true,
        Shape::Method { .. } | Shape::Area | Shape::Hamming => false,
    }
}

/// The cubic of B and C, which are in range.
fn cubic([b, c]: [f64; 2]) -> Method {
    Method::cubic(b, c).unwrap_or(Method::CATMULL_ROM)
}

/// One hypothesis of the search, before its parameters are fitted.
#[derive(Clone, Copy, Debug)]
struct Job {
    family: Family,
    convention: Convention,
    widening: Widening,
}

/// Place of the job that `candidate` comes from, by convention and widening, then by the order of the shapes.
fn position(jobs: &[Job], candidate: &Candidate) -> usize {
    let Hypothesis { shape, convention, widening } = candidate.hypothesis;
    let is_of = |job: &Job| {
        let is_shape = match job.family {
            Family::Fixed(fixed) => fixed == shape,
            Family::Cubic | Family::Lanczos | Family::Gaussian => true,
        };
        is_shape && job.convention == convention && job.widening == widening
    };
    jobs.iter().position(is_of).unwrap_or(jobs.len())
}

impl Inside<'_> {
    /// The best hypotheses, and the cubics and Lanczos kernels that have names, for each of their positions and widenings.
    fn named(&self, found: &[Candidate], best: Hypothesis) -> Vec<Hypothesis> {
        let mut all: Vec<Hypothesis> =
            [best].into_iter().chain(found.iter().take(RESCORED).map(|one| one.hypothesis)).collect();
        let mut places: Vec<Hypothesis> = Vec::new();
        for &one in &all {
            let is_same = |other: &Hypothesis| (other.convention, other.widening) == (one.convention, one.widening);
            if one.widening != Widening::Gaussian && !places.iter().any(is_same) {
                places.push(one);
            }
        }
        let lanczos = [Method::LANCZOS2, Method::LANCZOS3, Method::LANCZOS4];
        let methods: Vec<Method> = NAMED_CUBICS.iter().map(|row| row.cubic.method()).chain(lanczos).collect();
        for place in places {
            all.extend(methods.iter().map(|&method| Hypothesis { shape: Shape::plain(method), ..place }));
        }
        all
    }

    /// The hypotheses, the plainest first.
    fn jobs(&self) -> Vec<Job> {
        let is_smaller = self.pair.axes.iter().any(|axis| axis.scale > 1.0);
        let spline = |degree: u32| Method::bspline(degree).unwrap_or(Method::BSPLINE);
        let plain = [
            Family::Fixed(Shape::plain(Method::Nearest)),
            Family::Fixed(Shape::plain(Method::Linear)),
            Family::Cubic,
            Family::Lanczos,
            Family::Fixed(Shape::Hamming),
            Family::Fixed(Shape::plain(spline(2))),
            Family::Fixed(Shape::plain(spline(4))),
            Family::Fixed(Shape::plain(spline(5))),
            Family::Fixed(Shape::plain(Method::OMoms)),
            Family::Gaussian,
        ];
        let prefiltered = [spline(3), spline(2), spline(4), spline(5), Method::OMoms]
            .map(|spline| Family::Fixed(Shape::prefiltered(spline)));
        let mut jobs = Vec::new();
        for &convention in &self.conventions {
            let job = |widening: Widening| move |family: &Family| Job { family: *family, convention, widening };
            jobs.extend(plain.iter().chain(&prefiltered).map(job(Widening::Off)));
            jobs.push(Job { family: Family::Fixed(Shape::Area), convention, widening: Widening::Off });
            if is_smaller {
                jobs.extend(plain.iter().chain(&prefiltered).map(job(Widening::Kernel)));
                jobs.extend(plain[..2].iter().chain(&prefiltered[..4]).map(job(Widening::Gaussian)));
            }
        }
        let nearest = Family::Fixed(Shape::plain(Method::Nearest));
        jobs.push(Job { family: nearest, convention: Convention::Floor, widening: Widening::Off });
        jobs
    }

    /// The candidate of `job`, its parameters fitted.
    fn fitted(&self, job: &Job) -> Option<Candidate> {
        let Job { family, convention, widening } = *job;
        let candidate = |shape: Shape, fitted: Vec<Fitted>| {
            let hypothesis = Hypothesis { shape, convention, widening };
            let score = Score::new(&self.residuals(hypothesis), self.pair.step);
            Candidate { hypothesis, fitted, score }
        };
        let fit = |parameters: &[Parameter], method: &dyn Fn(&[f64]) -> Option<Method>| {
            let residuals = |at: &[f64]| {
                let shape = Shape::plain(method(at)?);
                Some(self.residuals(Hypothesis { shape, convention, widening }))
            };
            let fitted = gauss_newton(parameters, residuals)?.parameters;
            let values: Vec<f64> = fitted.iter().map(|fitted| fitted.value).collect();
            Some(candidate(Shape::plain(method(&values)?), fitted))
        };
        let tolerance = |fitted: &Fitted, least: f64| (3.0 * fitted.error).max(least);
        let named_keys = |keys: &Candidate| {
            let fitted = keys.fitted.first()?;
            let is_near = |a: &f64| (fitted.value - a).abs() <= tolerance(fitted, 5e-3);
            let a = [-0.5, -0.75, -1.0, 0.0].into_iter().find(is_near)?;
            Some(candidate(Shape::plain(cubic([0.0, -a])), keys.fitted.clone()))
        };
        let b = Parameter { name: "B", start: 0.0, range: [-1.0, 2.0] };
        match family {
            Family::Fixed(shape) => Some(candidate(shape, Vec::new())),
            Family::Cubic => {
                let c = Parameter { name: "C", start: 0.5, range: [-1.0, 2.0] };
                let best = fit(&[b, c], &|at| Method::cubic(at[0], at[1]).ok())?;
                let keys = || {
                    let start = (-best.fitted[1].value).clamp(-1.5, 0.5);
                    fit(&[Parameter { name: "a", start, range: [-2.0, 1.0] }], &|at| Method::keys(at[0]).ok())
                };
                // Where all pixels have the same fraction, B and C are not told apart.
                if best.fitted.iter().any(|fitted| !fitted.error.is_finite()) {
                    return keys().map(|keys| named_keys(&keys).unwrap_or(keys));
                }
                let off = |fitted: &Fitted, value: f64| (fitted.value - value).abs() / tolerance(fitted, 5e-3);
                let named = NAMED_CUBICS
                    .iter()
                    .map(|named| (off(&best.fitted[0], named.b).max(off(&best.fitted[1], named.c)), named));
                let nearest = named.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(off, _)| *off <= 1.0);
                if let Some((_, named)) = nearest {
                    let named = candidate(Shape::plain(named.cubic.method()), best.fitted.clone());
                    if named.score.rms <= SNAP * best.score.rms + self.pair.slack() {
                        return Some(named);
                    }
                }
                if off(&best.fitted[0], 0.0) <= 1.0 {
                    return keys().or(Some(best));
                }
                Some(best)
            }
            Family::Lanczos => {
                let lanczos = |a: f64| Method::lanczos(a).ok().map(Shape::plain);
                let starts = [2.0, 3.0, 4.0].into_iter().filter_map(|a| Some((a, candidate(lanczos(a)?, Vec::new()))));
                let (start, _) = starts.min_by(|a, b| a.1.score.rms.total_cmp(&b.1.score.rms))?;
                let a = Parameter { name: "a", start, range: [1.0, 8.0] };
                let best = fit(&[a], &|at| Method::lanczos(at[0]).ok())?;
                let whole = best.fitted[0].value.round();
                if (best.fitted[0].value - whole).abs() <= tolerance(&best.fitted[0], 0.02) {
                    let named = candidate(lanczos(whole)?, best.fitted.clone());
                    if named.score.rms <= SNAP * best.score.rms + self.pair.slack() {
                        return Some(named);
                    }
                }
                Some(best)
            }
            Family::Gaussian => {
                let sigma = Parameter { name: "sigma", start: 0.5, range: [0.3, 4.0] };
                fit(&[sigma], &|at| Method::gaussian(at[0]).ok())
            }
        }
    }

    /// Scores the first of `found` again, with what happens between the passes in the best of them, and sorts them.
    fn rescored(&self, found: &mut [Candidate]) -> Between {
        let first = found.len().min(RESCORED);
        let found = &mut found[..first];
        if self.pair.step == 0.0 {
            return Between::Exact;
        }
        let score = |hypothesis: Hypothesis, between: Between| {
            let passes = Passes { between, step: self.pair.step };
            Score::new(&self.grid.residuals(self.pair, &self.passed(hypothesis, [0.0; 2], passes)), self.pair.step)
        };
        let best_of =
            |between: Between| found.iter().map(|one| score(one.hypothesis, between).rms).fold(f64::INFINITY, f64::min);
        let mut best = (Between::Exact, found.first().map_or(0.0, |best| best.score.rms));
        for between in BETWEENS.iter().map(|row| row.between).filter(|between| *between != Between::Exact) {
            let rms = best_of(between);
            // Nothing between the passes is the plainest.
            if rms * EQUAL + self.pair.slack() < best.1 {
                best = (between, rms);
            }
        }
        if best.0 != Between::Exact {
            found.iter_mut().for_each(|one| one.score = score(one.hypothesis, best.0));
            found.sort_by(|a, b| a.score.rms.total_cmp(&b.score.rms));
        }
        best.0
    }
}
