//! Charts, described as plain data.

use serde::{Deserialize, Serialize};

/// A chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chart {
    /// Curves with uncertainty bands and reference lines.
    Lines(LineChart),
    /// Horizontal bars with intervals. Each category has one or more bars.
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

/// A chart axis, with its label and number format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The name of the quantity and its unit.
    pub label: String,
    /// `true` if the scale is logarithmic. Zeros are drawn at its lower end, which is then labeled 0. Negative numbers
    /// are left out.
    pub log: bool,
    /// `true` if numbers are shown as percentages, such as 1% for 0.01.
    pub percent: bool,
    /// `true` if the range includes 0.
    pub from_zero: bool,
}

impl Axis {
    /// Creates a linear axis that spans the data.
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

/// A chart of curves over two axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineChart {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
    /// Horizontal lines to compare the curves with.
    pub references: Vec<Reference>,
    /// Labeled points to compare the curves with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub markers: Vec<Marker>,
}

/// A curve with an optional uncertainty band.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// The name shown in the legend.
    pub name: String,
    /// The points, in ascending order of x.
    pub points: Vec<(f64, f64)>,
    /// The lower and upper end of the band at each point. Empty if there is no band.
    pub band: Vec<(f64, f64)>,
}

/// A labeled point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// The label.
    pub name: String,
    /// The horizontal position.
    pub x: f64,
    /// The vertical position.
    pub y: f64,
}

/// A labeled horizontal line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// The label.
    pub name: String,
    /// The vertical position.
    pub y: f64,
    /// The lower and upper end of the uncertainty band, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<(f64, f64)>,
}

impl Series {
    /// Creates a curve without a band.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series { name: name.into(), points, band: Vec::new() }
    }

    /// Adds a band with the given lower and upper ends at each point.
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
    pub fn reference(self, name: impl Into<String>, y: f64) -> LineChart {
        self.with_reference(Reference { name: name.into(), y, band: None })
    }

    /// Adds a labeled horizontal line that may have a band.
    pub fn with_reference(mut self, reference: Reference) -> LineChart {
        self.references.push(reference);
        self
    }
}

/// A chart of horizontal bars that start at zero. The first category is at the top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarChart {
    /// The horizontal axis.
    pub axis: Axis,
    /// The names of the categories.
    pub categories: Vec<String>,
    /// The series. Each one adds a bar to every category.
    pub series: Vec<BarSeries>,
    /// The number of decimal places in the value labels, counted in percent if the axis shows percentages. `None` hides
    /// the labels.
    pub places: Option<usize>,
}

/// The bars of one color.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarSeries {
    /// The name shown in the legend.
    pub name: String,
    /// The value for each category.
    pub values: Vec<Bar>,
}

/// A number with an interval. Missing values are NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// The number.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
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

    /// Creates a number with an interval.
    pub fn between(value: f64, low: f64, high: f64) -> Bar {
        Bar { value, low, high }
    }

    /// Returns the ends of the interval, or `None` if the number is exact.
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

/// A matrix of numbers with a diverging color scale, blue above the center and vermilion below. The center is zero, or
/// the middle of the range with [`HeatMap::spread`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// The title for the rows.
    pub row_label: String,
    /// The title for the columns.
    pub column_label: String,
    /// The row names.
    pub rows: Vec<String>,
    /// The column names.
    pub columns: Vec<String>,
    /// The numbers, row by row. NaN leaves a cell empty.
    pub values: Vec<Vec<f64>>,
    /// `true` if numbers are shown as percentages, such as 1% for 0.01.
    pub percent: bool,
    /// The number of decimal places, counted in percent if percentages are shown.
    pub places: usize,
    /// `true` if the colors span the range of the numbers instead of their distance from zero.
    #[serde(default)]
    pub spread: bool,
    /// `true` if cells without a number are left blank, which suits triangular matrices.
    #[serde(default)]
    pub hide_empty: bool,
    /// Texts for cells without a number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<CellText>,
}

/// A text in a cell of a heat map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellText {
    /// The index of the row.
    pub row: usize,
    /// The index of the column.
    pub column: usize,
    /// The text.
    pub text: String,
}

impl HeatMap {
    /// Creates a matrix from its row titles, column titles and numbers. Numbers are shown with two decimal places.
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
            texts: Vec::new(),
        }
    }

    /// Adds a text for a cell without a number, such as bounds for it.
    pub fn text(mut self, row: usize, column: usize, text: impl Into<String>) -> HeatMap {
        self.texts.push(CellText { row, column, text: text.into() });
        self
    }

    /// Formats numbers as percentages.
    pub fn percent(self) -> HeatMap {
        HeatMap { percent: true, ..self }
    }

    /// Sets the number of decimal places.
    pub fn places(self, places: usize) -> HeatMap {
        HeatMap { places, ..self }
    }

    /// Makes the color scale span the range of the numbers. This is useful if they differ little.
    pub fn spread(self) -> HeatMap {
        HeatMap { spread: true, ..self }
    }

    /// Leaves cells without a number blank.
    pub fn hide_empty(self) -> HeatMap {
        HeatMap { hide_empty: true, ..self }
    }
}
