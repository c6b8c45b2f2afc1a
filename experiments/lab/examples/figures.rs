//! Draws one figure of each kind with artificial data. Run this after changes to the plots and look at the images:
//! `cargo run --release -p houseway-lab --example figures -- FOLDER`.

use houseway_lab::plot::{Axis, Bar, BarChart, Figure, HeatMap, LineChart, Reference, Series, save};
use std::path::PathBuf;

fn names(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// Draws falling curves with noise and a band.
fn curves() -> Figure {
    let x = Axis::new("hands seen").log();
    let y = Axis::new("mean regret per unit staked").log().percent();
    let mut chart = LineChart::new(x, y)
        .reference("house way", 0.0029)
        .reference("30% of the house way", 0.00087)
        .with_reference(Reference { name: "power rating".to_owned(), y: 0.0015, band: Some((0.00135, 0.00165)) });
    for (index, name) in ["policy gradient", "all-action regression", "all-action, no joker feature"].iter().enumerate()
    {
        let curve = |i: u32| {
            let hands = 1e3 * 1.12f64.powi(i as i32);
            let noise = 1.0 + 0.08 * (f64::from(i) * (2.3 + index as f64)).sin();
            (hands, (0.3 / (1.0 + index as f64) * hands.powf(-0.42) + 0.0002) * noise)
        };
        let points: Vec<(f64, f64)> = (0..80).map(curve).collect();
        let band = points.iter().map(|(_, y)| (y * 0.8, y * 1.2)).collect();
        chart = chart.with(Series::new(*name, points).band(band));
    }
    Figure::new("Regret against hands seen", chart)
        .note("Artificial data. Band: minimum and maximum over three seeds. Exact regret on 20,000 seeded hands.")
}

/// Draws a curve over many powers of ten, with a line at its end.
fn bracket() -> Figure {
    let points = (1..=40).map(|i| (2.0 * f64::from(i), 0.4 * f64::from(i).powf(-4.1))).collect();
    let chart = LineChart::new(Axis::new("passes over all deals").log(), Axis::new("bracket, stakes").log());
    let chart = chart.with(Series::new("bracket", points)).reference("certified: 6.71e-7", 6.71e-7);
    Figure::new("Bracket by the number of passes", chart).note("Artificial data.")
}

/// Draws a few points on linear axes.
fn time() -> Figure {
    let points = (1..=30).map(|i| (f64::from(i) * 2.0, 0.012 * (-f64::from(i) / 8.0).exp() + 0.0006)).collect();
    let chart = LineChart::new(Axis::new("seconds").from_zero(), Axis::new("mean regret").percent().from_zero());
    Figure::new("Regret against time", chart.with(Series::new("all-action", points)).reference("house way", 0.0029))
}

/// Draws a curve that reaches zero, with a band, on a logarithmic axis.
fn zeros() -> Figure {
    let (steps, regrets) = (1..=30, |i: i32| if i % 7 < 2 && i > 6 { 0.0 } else { 0.05 / f64::from(i) });
    let points: Vec<(f64, f64)> = steps.map(|i| (f64::from(i), regrets(i))).collect();
    let band = points.iter().map(|(_, y)| (if *y < 0.01 { 0.0 } else { y / 2.0 }, y * 1.5 + 0.0005)).collect();
    let chart = LineChart::new(Axis::new("rounds seen, in thousands").from_zero(), Axis::new("regret, in chips").log());
    let series = Series::new("all-action (full information)", points).band(band);
    Figure::new("Learning a game by rounds seen", chart.with(series).reference("random wager", 0.17))
}

/// Draws one bar per agent.
fn agents() -> Figure {
    let axis = Axis::new("EV per unit staked, against the banker's house way").percent();
    let categories = names(&["random legal", "house way", "power rating", "policy gradient", "all-action", "optimum"]);
    let values = [-0.2913, -0.0272, -0.0251, -0.0262, -0.0245, -0.0243];
    let bar = |value: f64| Bar::between(value, value - 0.0061, value + 0.0061);
    let chart = BarChart::new(axis, categories).with("EV", values.map(bar).to_vec()).places(2);
    Figure::new("EV by agent", chart).note("Artificial data. 95% confidence intervals over sampled hands.")
}

/// Draws several bars per category.
fn shapes() -> Figure {
    let categories =
        names(&["no pair", "one pair", "two pairs", "three pairs", "three of a kind", "straight or flush"]);
    let mut chart = BarChart::new(Axis::new("mean regret within the shape").percent(), categories);
    for (index, name) in ["house way", "policy gradient", "all-action"].iter().enumerate() {
        let value = |shape: usize| match (shape, index) {
            (3, 1) => Bar::NONE,
            _ => (0.0007 * (shape + 1) as f64 / (1 + index) as f64).into(),
        };
        let values = (0..6).map(value).collect();
        chart = chart.with(*name, values);
    }
    Figure::new("Regret by shape of the hand", chart)
}

/// Draws a matrix with negative and missing numbers.
fn matrix() -> Figure {
    let ways = names(&["trump-plaza", "foxwoods", "trump-taj-mahal", "optimal"]);
    let value = |row: usize, column: usize| match (row, column) {
        (3, 3) => f64::NAN,
        _ => -0.027 + 0.004 * row as f64 - 0.001 * column as f64 + if row == 3 { 0.024 } else { 0.0 },
    };
    let values = (0..4).map(|row| (0..4).map(|column| value(row, column)).collect()).collect();
    let chart = HeatMap::new(("player", ways.clone()), ("banker", ways), values).percent().places(3);
    let chart = chart.text(3, 3, "−2.51 to −2.94%");
    Figure::new("The player's EV, house way against house way", chart)
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    std::fs::create_dir_all(&folder)?;
    let figures = [
        ("curves", curves()),
        ("bracket", bracket()),
        ("time", time()),
        ("zeros", zeros()),
        ("agents", agents()),
        ("shapes", shapes()),
        ("matrix", matrix()),
    ];
    for (name, figure) in figures {
        save(&figure, &folder.join(name), "--out")?;
    }
    Ok(())
}
