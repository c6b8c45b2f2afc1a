//! Charts as data.

use serde::{Deserialize, Serialize};

/// A chart of any kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chart {
    /// Curves with bands and reference lines.
    Lines(LineChart),
    /// Horizontal bars with intervals, one or more per category.
    Bars(BarChart),
    /// A matrix of numbers.
    Heat(HeatMap),
}

impl From<LineChart> for Chart {
    fn from(chart: LineChart) -> Chart {
        Chart::Lines(chart)
    }
}

impl From<BarChart> for Chart {
    fn from(chart: BarChart) -> Chart {
        Chart::Bars(chart)
    }
}

impl From<HeatMap> for Chart {
    fn from(chart: HeatMap) -> Chart {
        Chart::Heat(chart)
    }
}

/// An axis: its label and the format of its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The quantity, with its unit.
    pub label: String,
    /// `true` if the scale is logarithmic. Numbers that are not positive are omitted.
    pub log: bool,
    /// `true` if numbers are written as percentages, such as 1% for 0.01.
    pub percent: bool,
    /// `true` if the range includes 0.
    pub from_zero: bool,
}

impl Axis {
    /// Creates a linear axis that spans its numbers.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: false, percent: false, from_zero: false }
    }

    /// Makes the scale logarithmic.
    pub fn log(self) -> Axis {
        Axis { log: true, ..self }
    }

    /// Formats numbers as percentages.
    pub fn percent(self) -> Axis {
        Axis { percent: true, ..self }
    }

    /// Includes 0 in the range.
    pub fn from_zero(self) -> Axis {
        Axis { from_zero: true, ..self }
    }
}

/// Curves over two axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineChart {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
    /// Horizontal lines for comparison.
    pub references: Vec<Reference>,
    /// Labeled points for comparison.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub markers: Vec<Marker>,
}

/// A curve, optionally with a band of uncertainty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points in ascending order of x.
    pub points: Vec<(f64, f64)>,
    /// Lower and upper ends of the band at each point, empty without a band.
    pub band: Vec<(f64, f64)>,
}

/// A labeled point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// Label.
    pub name: String,
    /// Horizontal position.
    pub x: f64,
    /// Vertical position.
    pub y: f64,
}

/// A labeled horizontal line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Label.
    pub name: String,
    /// Vertical position.
    pub y: f64,
}

impl Series {
    /// Creates a curve without a band.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series { name: name.into(), points, band: Vec::new() }
    }

    /// Adds a band, given by its lower and upper ends at each point.
    pub fn band(self, band: Vec<(f64, f64)>) -> Series {
        Series { band, ..self }
    }
}

impl LineChart {
    /// Creates a chart without curves.
    pub fn new(x: Axis, y: Axis) -> LineChart {
        LineChart { x, y, series: Vec::new(), references: Vec::new(), markers: Vec::new() }
    }

    /// Adds a curve.
    pub fn with(mut self, series: Series) -> LineChart {
        self.series.push(series);
        self
    }

    /// Adds a labeled horizontal line.
    pub fn reference(mut self, name: impl Into<String>, y: f64) -> LineChart {
        self.references.push(Reference { name: name.into(), y });
        self
    }
}

/// Horizontal bars from zero, the first category on top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarChart {
    /// The horizontal axis.
    pub axis: Axis,
    /// Names of the categories.
    pub categories: Vec<String>,
    /// One or more bars per category.
    pub series: Vec<BarSeries>,
    /// Decimal places of the value labels (of the percentages, if the axis shows them), or `None` for no labels.
    pub places: Option<usize>,
}

/// Bars of one color.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarSeries {
    /// Name in the legend.
    pub name: String,
    /// A value for each category.
    pub values: Vec<Bar>,
}

/// A number with its interval. Missing values are NaN.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// The number.
    pub value: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
}

impl From<f64> for Bar {
    fn from(value: f64) -> Bar {
        Bar { value, low: f64::NAN, high: f64::NAN }
    }
}

impl Bar {
    /// A missing value.
    pub const NONE: Bar = Bar { value: f64::NAN, low: f64::NAN, high: f64::NAN };

    /// Creates a number with its interval.
    pub fn between(value: f64, low: f64, high: f64) -> Bar {
        Bar { value, low, high }
    }

    /// Returns the ends of the interval, or `None` for an exact number.
    pub fn interval(&self) -> Option<(f64, f64)> {
        (self.low < self.high).then_some((self.low, self.high))
    }
}

impl BarChart {
    /// Creates a chart without bars.
    pub fn new(axis: Axis, categories: Vec<String>) -> BarChart {
        BarChart { axis: Axis { log: false, ..axis.from_zero() }, categories, series: Vec::new(), places: None }
    }

    /// Adds a series with one value per category.
    pub fn with(mut self, name: impl Into<String>, values: Vec<Bar>) -> BarChart {
        self.series.push(BarSeries { name: name.into(), values });
        self
    }

    /// Labels the bars with their values.
    pub fn places(mut self, places: usize) -> BarChart {
        self.places = Some(places);
        self
    }
}

/// A matrix of numbers with a diverging color scale: blue above the center, vermilion below. The center is zero, or the
/// center of the numbers with [`HeatMap::spread`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// Title of the rows.
    pub row_label: String,
    /// Title of the columns.
    pub column_label: String,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The numbers, row by row. NaN leaves a cell empty.
    pub values: Vec<Vec<f64>>,
    /// `true` if numbers are written as percentages, such as 1% for 0.01.
    pub percent: bool,
    /// Decimal places (of percentages).
    pub places: usize,
    /// `true` if the colors span the range of the numbers instead of the distance from zero.
    #[serde(default)]
    pub spread: bool,
    /// `true` if empty cells are left blank, as for a triangular matrix.
    #[serde(default)]
    pub hide_empty: bool,
}

impl HeatMap {
    /// Creates a matrix with its row and column names. Numbers have two decimal places.
    pub fn new(rows: (&str, Vec<String>), columns: (&str, Vec<String>), values: Vec<Vec<f64>>) -> HeatMap {
        HeatMap {
            row_label: rows.0.to_owned(),
            column_label: columns.0.to_owned(),
            rows: rows.1,
            columns: columns.1,
            values,
            percent: false,
            places: 2,
            spread: false,
            hide_empty: false,
        }
    }

    /// Formats numbers as percentages.
    pub fn percent(self) -> HeatMap {
        HeatMap { percent: true, ..self }
    }

    /// Sets the number of decimal places.
    pub fn places(self, places: usize) -> HeatMap {
        HeatMap { places, ..self }
    }

    /// Makes the color scale span the range of the numbers, for numbers that differ little.
    pub fn spread(self) -> HeatMap {
        HeatMap { spread: true, ..self }
    }

    /// Leaves empty cells blank.
    pub fn hide_empty(self) -> HeatMap {
        HeatMap { hide_empty: true, ..self }
    }
}
