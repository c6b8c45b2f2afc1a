//! Figures in a uniform style.
//!
//! A [`Figure`] consists of a title, a chart and an optional note, all of which are plain data. [`save`] writes it as
//! `.png` and `.svg`, its numbers as `.csv`, and its data as `.toml`, which [`read`] reads back. Fonts are built in, and the colors are safe for color-blind readers.
//!
//! ```
//! use houseway_lab::plot::{Axis, Figure, LineChart, Series, csv};
//!
//! let learned = Series::new("all-action", vec![(1e4, 0.004), (1e5, 0.002), (1e6, 0.0007)]);
//! let chart = LineChart::new(Axis::new("hands seen").log(), Axis::new("regret per unit staked").percent())
//!     .with(learned)
//!     .reference("house way", 0.0028);
//! let figure = Figure::new("Regret against hands seen", chart);
//! assert!(csv(&figure).starts_with("series,x,y,low,high\nall-action,10000,0.004,,\n"));
//! ```

mod axis;
mod bars;
mod color;
mod figure;
mod heat;
mod labels;
mod layout;
mod lines;
mod render;
mod sheet;

pub use figure::{csv, read, save, save_figure, svg};
pub use houseway_exact::answer::{
    Axis, Bar, BarChart, BarSeries, Chart, Figure, HeatMap, LineChart, Reference, Series,
};
