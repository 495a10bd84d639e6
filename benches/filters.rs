//! The filters on the CPU: 3840 × 2160 grey and colour values in single precision, each filter at its defaults, and
//! those with a window at several widths. `benches/peers_cpu.py` compares the grey ones with OpenCV.
//!
//! Compare ratios: the times hold for one machine.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use lerpscope::filter::{Edges, ExecOptions, FILTERS, Plane, Step};
use lerpscope::image::Channels;
use lerpscope::sampling::AddressMode;

const SIZE: [u32; 2] = [3840, 2160];
const EDGES: Edges = Edges { address: [AddressMode::Clamp; 2], border: 0.0 };

fn noise(channels: Channels) -> Plane {
    let mut random = fastrand::Rng::with_seed(1);
    let count = SIZE[0] as usize * SIZE[1] as usize * channels.count();
    Plane { size: SIZE, first: [0; 2], channels, values: (0..count).map(|_| random.f32()).collect() }
}

fn filters(criterion: &mut Criterion) {
    let mut out = Vec::new();
    for (name, channels) in [("grey", Channels::Grey), ("colour", Channels::Rgb)] {
        let plane = noise(channels);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        let windows = [
            "gaussian=1",
            "gaussian=8",
            "gaussian=64",
            "bilateral=3,0.1,5",
            "bilateral=3,0.1,5,0.3",
            "median=2",
            "median=16",
        ];
        let texts = FILTERS.iter().map(|row| row.name).chain(windows);
        for text in texts {
            let step: Step = text.parse().expect("a step");
            group.bench_function(BenchmarkId::from_parameter(text), |bencher| {
                bencher.iter(|| step.apply(black_box(&plane), &EDGES, &ExecOptions::default(), &mut out));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, filters);
criterion_main!(benches);
