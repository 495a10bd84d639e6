//! Reference and CPU backend against SciPy's numbers (tests/golden/scipy.txt, made by make_scipy.py beside it).

use lerpscope::backend::{CpuBackend, RenderRequest, reference};
use lerpscope::sampling::{AddressMode, Sampler};
use lerpscope::view::View;

use crate::cases::{TOLERANCE, float_values, pattern, size};

struct Case {
    image: [u32; 2],
    request: RenderRequest,
    values: Vec<f64>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../golden/scipy.txt");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut cases = Vec::new();
    while let Some(head) = lines.next() {
        let words: Vec<&str> = head.split(' ').collect();
        let number = |index: usize| words[index].parse::<f64>().expect("a number");
        let whole = |index: usize| words[index].parse::<u32>().expect("a whole number");
        let sampler = Sampler {
            method: words[1].parse().expect("a method"),
            address: [AddressMode::by_name(words[2]).expect("an address mode"); 2],
            prefilter: words[3] == "on",
            border: number(4) as f32,
            ..Sampler::default()
        };
        // The scale along y and the angle stand behind the size where they are not those of x and 0.
        let (down, angle) = if words.len() > 12 { (number(12), number(13)) } else { (number(7), 0.0) };
        let view = View::new([number(8), number(9)], number(7));
        let view = view.and_then(|view| view.scaled([number(7), down])?.rotated(angle)).expect("a view");
        let request = RenderRequest { view, sampler, ..RenderRequest::new(size(whole(10), whole(11))) };
        let values = lines.next().expect("numbers").split(' ').map(|v| v.parse().expect("a number")).collect();
        cases.push(Case { image: [whole(5), whole(6)], request, values });
    }
    cases
}

#[test]
fn golden_file_holds_every_combination() {
    assert_eq!(cases().len(), 4 * 4 * 4 * 3 + 6 * 4 * 2 * 2 + 10 * 4 * 4);
}

#[test]
fn reference_equals_scipy() {
    for case in cases() {
        let image = pattern(case.image[0], case.image[1]);
        let ours = reference::values(&image, &case.request).expect("served");
        for (a, b) in ours.iter().zip(&case.values) {
            assert!((a - b).abs() < 2e-9, "{a} is not SciPy's {b}: {:?} {:#?}", case.image, case.request);
        }
    }
}

#[test]
fn cpu_equals_scipy() {
    for case in cases() {
        let image = pattern(case.image[0], case.image[1]);
        let ours = float_values(&mut CpuBackend::new(), &image, &case.request);
        for (&a, b) in ours.iter().zip(&case.values) {
            assert!((f64::from(a) - b).abs() < TOLERANCE, "{a} is not SciPy's {b}: {:#?}", case.request);
        }
    }
}
