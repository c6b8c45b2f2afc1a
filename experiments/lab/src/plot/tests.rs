use super::sheet::{Mark, WHITE, series_color};
use super::*;
use houseway_exact::answer::{Axis, Bar, BarChart, HeatMap, LineChart, Series};

fn names(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// Returns one figure of each kind, including long names, missing numbers and extreme values.
fn figures() -> Vec<Figure> {
    let curve = Series::new("all-action, \"quick\"", vec![(1e3, 0.01), (1e4, f64::NAN), (1e5, 0.002), (1e6, 0.001)]);
    let band = vec![(0.009, 0.011), (f64::NAN, f64::NAN), (0.001, 0.003), (0.0005, 0.0015)];
    let lines = LineChart::new(Axis::new("hands seen").log(), Axis::new("regret").log().percent())
        .with(curve.band(band))
        .with(Series::new("policy gradient", vec![(1e3, 0.02), (1e6, 0.004)]))
        .reference("house way", 0.0029)
        .reference("power rating", 0.0028);
    let bars = BarChart::new(Axis::new("EV").percent(), names(&["random legal, the same each time", "house way"]))
        .with("EV", vec![Bar::between(-0.25, -0.26, -0.24), (-0.027).into()])
        .places(2);
    let groups = BarChart::new(Axis::new("regret"), names(&["no pair", "one pair"]))
        .with("house way", vec![0.25.into(), 0.1_f64.next_up().into()])
        .with("learned", vec![Bar::NONE, 0.125.into()]);
    let heat = HeatMap::new(
        ("player", names(&["trump-plaza", "optimal"])),
        ("banker", names(&["trump-plaza", "a house way with quite a long name of its own", "foxwoods"])),
        vec![vec![-0.027, -0.0271, 0.01], vec![-0.024, f64::NAN, -0.0241]],
    );
    let heat = heat.text(1, 1, "2.51 to 2.94%");
    let title =
        "A title long enough that it can never stand on a single line of any figure, so that it has to be broken";
    vec![
        Figure::new(title, lines).note("A note."),
        Figure::new("Bars", bars),
        Figure::new("Groups", groups),
        Figure::new("Heat", heat.percent()),
    ]
}

#[test]
fn csv_contains_the_numbers() {
    let tables: Vec<String> = figures().iter().map(csv).collect();
    insta::assert_snapshot!(tables.join("\n"));
}

#[test]
fn no_text_is_cut_off_or_overlapped() {
    for figure in figures() {
        let sheet = lay_out(&figure);
        let texts: Vec<&Text> =
            sheet.marks.iter().filter_map(|mark| if let Mark::Text(text) = mark { Some(text) } else { None }).collect();
        for (index, text) in texts.iter().enumerate() {
            let place = text.extent();
            let inside =
                place.x >= 0.0 && place.y >= 0.0 && place.right() <= sheet.width && place.bottom() <= sheet.height;
            assert!(inside, "'{}' extends beyond the figure '{}': {place:?}", text.text, figure.title);
            for other in &texts[index + 1..] {
                let there = other.extent();
                let apart = place.right() <= there.x
                    || there.right() <= place.x
                    || place.bottom() <= there.y + 2.0
                    || there.bottom() <= place.y + 2.0;
                assert!(apart, "'{}' overlaps '{}' in the figure '{}'", text.text, other.text, figure.title);
            }
        }
    }
}

#[test]
fn a_cell_without_a_number_has_its_text() {
    let shown = |text: &str| {
        let sheet = lay_out(&figures()[3]);
        sheet.marks.iter().filter(|mark| matches!(mark, Mark::Text(it) if it.text == text)).count()
    };
    assert_eq!((shown("2.51 to 2.94%"), shown("–")), (1, 0));
}

#[test]
fn values_off_the_scale_are_not_drawn() {
    for figure in figures() {
        for mark in lay_out(&figure).marks {
            let (Mark::Line { points, .. } | Mark::Area { points, .. }) = mark else { continue };
            assert!(points.iter().all(|(x, y)| x.is_finite() && y.is_finite()), "{}: {points:?}", figure.title);
        }
    }
}

#[test]
fn saved_figures_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    for (index, figure) in figures().iter().enumerate() {
        let (first, again) = (folder.path().join(format!("v0.{index}")), folder.path().join(format!("again-{index}")));
        save(figure, &first, "--plot").unwrap();
        save(&read(&first.with_added_extension("toml")).unwrap(), &again, "--plot").unwrap();
        for end in ["csv", "toml", "png", "svg"] {
            let bytes = |stem: &Path| std::fs::read(stem.with_added_extension(end)).unwrap();
            assert!(bytes(&first) == bytes(&again), "{index} {end}");
        }
        let svg = std::fs::read_to_string(first.with_added_extension("svg")).unwrap();
        assert!(
            svg.starts_with("<svg width=\"760\" height=") && svg.contains("viewBox=\"0 0 3040 "),
            "{}",
            &svg[..120]
        );
        assert!(svg.contains("DejaVu Sans, Verdana, sans-serif"));
    }
}

#[test]
fn a_png_has_the_colors_of_its_series() {
    let sheet = lay_out(&figures()[1]);
    let bytes = render::png(&sheet).unwrap();
    let mut reader = png::Decoder::new(&bytes[..]).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (1520, sheet.height as u32 * 2));
    let share = |color: Color| pixels.chunks(3).filter(|pixel| **pixel == color).count() * 100 / (pixels.len() / 3);
    assert!(share(series_color(0).0) >= 2 && share(WHITE) >= 70, "{} {}", share(series_color(0).0), share(WHITE));
}

#[test]
fn empty_charts_show_a_message() {
    let axis = || Axis::new("x");
    let charts: [Chart; 3] = [
        LineChart::new(axis().log(), axis()).with(Series::new("none", vec![(-1.0, 0.0)])).into(),
        BarChart::new(axis(), Vec::new()).with("none", Vec::new()).into(),
        HeatMap::new(("", Vec::new()), ("", Vec::new()), Vec::new()).into(),
    ];
    for chart in charts {
        let sheet = lay_out(&Figure::new("Empty", chart));
        assert!(sheet.marks.iter().any(|mark| matches!(mark, Mark::Text(text) if text.text == "no data yet")));
        render::png(&sheet).unwrap();
    }
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let error = save(&figures()[0], &folder.path().join("absent/plot"), "--plot").unwrap_err().to_string();
    assert!(error.contains("absent/plot.csv") && error.contains("--plot"), "{error}");
    // A figure is written as a whole or not at all.
    std::fs::create_dir(folder.path().join("part.toml")).unwrap();
    assert!(save(&figures()[0], &folder.path().join("part"), "--plot").is_err());
    assert!(!folder.path().join("part.csv").exists());
    let path = folder.path().join("plot.toml");
    std::fs::write(&path, "note = \"\"").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("plot.toml") && error.contains("title"), "{error}");
}
