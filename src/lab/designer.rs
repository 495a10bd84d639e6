//! The kernel of a designer beside the named ones that it is compared with.

use crate::plots::{Chart, Plot, PlotKind, Reconstruction};
use crate::sampling::{Method, Sampler};

/// The kernel of `sampler` over Catmull-Rom and Mitchell; over Lanczos 3 if it is a Lanczos.
pub fn designed_chart(sampler: &Sampler) -> Chart {
    let stretch = (sampler.antialias && sampler.blur != 1.0).then_some(sampler.blur);
    let designed = Reconstruction { stretch, ..Reconstruction::of(sampler.method, false) };
    let is_lanczos = Method::LANCZOS3.form().numbers_of(sampler.method).is_some();
    let others: &[Method] = if is_lanczos { &[Method::LANCZOS3] } else { &[Method::CATMULL_ROM, Method::MITCHELL] };
    let others = others.iter().filter(|other| **other != sampler.method || stretch.is_some());
    let filters: Vec<Reconstruction> =
        [designed].into_iter().chain(others.map(|&method| Reconstruction::of(method, false))).collect();
    let mut chart = Plot::new(PlotKind::Kernel, &filters, &[]).chart();
    // The designed kernel is above the others.
    chart.series.rotate_left(1);
    chart
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(method: Method, blur: f64) -> Vec<String> {
        let sampler = Sampler { antialias: blur != 1.0, blur, ..Sampler::default().with_method(method) };
        designed_chart(&sampler).entries.iter().map(|entry| entry.label.clone()).collect()
    }

    #[test]
    fn kernel_stands_beside_the_named_ones_of_its_family() {
        let cubic = Method::cubic(0.2, 0.6).expect("a cubic");
        assert_eq!(labels(cubic, 1.0).len(), 3);
        assert_eq!(labels(Method::CATMULL_ROM, 1.0).len(), 2, "itself once");
        assert_eq!(labels(Method::CATMULL_ROM, 1.5).len(), 3, "widened it is another kernel");
        assert_eq!(labels(Method::LANCZOS2, 1.0), ["lanczos2", "lanczos3"]);
    }
}
