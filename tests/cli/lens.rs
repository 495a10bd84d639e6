//! `lens`: numbers, pictures, errors in one line.

use super::{fail, folder, succeed};

/// The samples 0, 8, 16 … 248 of a row of 32, in 8 equal rows.
fn ramp(folder: &std::path::Path) {
    let row = (0..32).map(|x| (8 * x).to_string()).collect::<Vec<_>>().join(" ");
    let rows = vec![row; 8].join("\n");
    std::fs::write(folder.join("ramp.pgm"), format!("P2\n32 8\n255\n{rows}\n")).expect("a file");
}

/// The numbers of an NPY file of f32.
fn npy(path: &std::path::Path) -> Vec<f32> {
    let bytes = std::fs::read(path).expect("a file");
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[header..].chunks_exact(4).map(|part| f32::from_le_bytes(part.try_into().expect("four bytes"))).collect()
}

#[test]
fn slopes_of_a_ramp_are_its_steps_and_those_of_nearest_are_jumps() {
    let folder = folder();
    ramp(folder.path());
    let view = ["--scale", "1/4", "--size", "40x20"];
    let numbers = |lens: &str, method: &str| {
        let options = ["lens", lens, "ramp.pgm", "-o", "out.npy", "--method", method];
        succeed(folder.path(), &[&options[..], &view].concat());
        npy(&folder.path().join("out.npy"))
    };
    let slope = 8.0 / 255.0;
    for method in ["linear", "catmull-rom", "bspline"] {
        let found = numbers("gradient", method);
        assert_eq!(found.len(), 800);
        assert!(found.iter().all(|number| (number - slope).abs() < 1e-4), "{method}: {found:?}");
        let found = numbers("curvature", method);
        assert!(found.iter().all(|number| number.abs() < 1e-3), "{method}: {found:?}");
    }
    let found = numbers("gradient", "nearest");
    assert!(found.contains(&0.0) && found.iter().any(|number| *number > slope), "{found:?}");
    // Pixel (0, 0) is at x = 16 − 20/4.
    let values = numbers("isolines", "linear");
    assert!((values[0] - 11.0 * slope).abs() < 1e-5, "{}", values[0]);
}

#[test]
fn pictures_of_all_lenses_are_rgb_and_differ_and_isolines_lie_over_the_values() {
    let folder = folder();
    let options = ["--method", "linear", "--scale", "1/8", "--size", "64x48"];
    let picture = |lens: &str| {
        let command = [&["lens", lens, "builtin:basilica", "-o", "-"][..], &options].concat();
        succeed(folder.path(), &command)
    };
    let pictures = ["isolines", "relief", "gradient", "curvature"].map(picture);
    for (index, bytes) in pictures.iter().enumerate() {
        assert!(bytes.starts_with(b"P6\n64 48\n255\n"), "{:?}", &bytes[..14]);
        assert_eq!(bytes.len(), 13 + 3 * 64 * 48);
        assert!(pictures[..index].iter().all(|other| other != bytes));
    }
    let render = [&["render", "builtin:basilica", "-o", "-", "--backend", "cpu"][..], &options].concat();
    let plain = succeed(folder.path(), &render);
    let grey = &plain[plain.len() - 64 * 48..];
    let isolines = &pictures[0][13..];
    let equal = grey.iter().zip(isolines.chunks_exact(3)).filter(|(grey, rgb)| [**grey; 3] == **rgb).count();
    assert!((64 * 48 / 4..64 * 48).contains(&equal), "{equal}");
}

#[test]
fn wrong_lens_is_usage_and_a_view_out_of_range_is_said_in_one_line() {
    let folder = folder();
    let text = fail(folder.path(), &["lens", "emboss", "builtin:basilica", "-o", "-"], 2);
    assert!(text.contains("emboss") && text.contains("isolines"), "{text}");
    fail(folder.path(), &["lens", "relief", "builtin:basilica", "-o", "-", "--scale", "0"], 2);
    let text = fail(folder.path(), &["lens", "relief", "builtin:basilica", "-o", "out.docx"], 2);
    assert!(text.contains("out.docx"), "{text}");
}
