//! Writes the results of a sweep as a table in long form, as CSV and as Parquet.
//!
//! There is one row per point, agent and seed, and one column per key and metric. This is what pandas and plotting
//! libraries such as seaborn call tidy or long-form data. For example:
//!
//! ```python
//! runs = pandas.read_parquet("results/NAME/sweep.parquet")
//! seaborn.lineplot(runs, x="train.all-action.learning-rate", y="regret", hue="train.all-action.network.width")
//! ```
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `name` | string | the name of the run, whose folder is `points/NAME` |
//! | `point` | string | the name of the point |
//! | `agent` | string | the name of the training configuration |
//! | `seed` | uint64 | the seed |
//! | `status` | string | `finished`, `diverged`, or `not evaluated` if another agent in the run diverged |
//! | `steps`, `deals` | int64 | the optimizer steps, and the deals seen in training |
//! | the swept keys | boolean, int64, double or string | the value; a list or table is JSON |
//! | the metrics | double | the results of the evaluation, such as `ev`, `regret` and `agreement` |
//!
//! Missing values are empty in CSV and null in Parquet.

use super::plan::Plan;
use super::rows::{Row, metric_names};
use super::space::shown;
use crate::run::{RunFolder, cannot_write, write_atomic_with};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use serde_json::Value;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

/// A column with its name.
struct Column {
    name: String,
    values: Values,
}

/// The values of a column, one per row.
enum Values {
    Bools(Vec<Option<bool>>),
    Integers(Vec<Option<i64>>),
    Unsigned(Vec<u64>),
    Doubles(Vec<Option<f64>>),
    Texts(Vec<String>),
}

/// Writes `sweep.csv` and `sweep.parquet` to the run's folder.
///
/// # Errors
/// Returns an error if a file can't be written.
pub fn write(plan: &Plan, rows: &[Row], run: &RunFolder) -> io::Result<()> {
    let columns = columns(plan, rows);
    let csv = run.file("sweep.csv");
    write_atomic_with(&csv, |file| write_csv(&columns, rows.len(), file)).map_err(|error| cannot_write(&csv, error))?;
    let parquet = run.file("sweep.parquet");
    write_atomic_with(&parquet, |file| write_parquet(&columns, file)).map_err(|error| cannot_write(&parquet, error))
}

fn columns(plan: &Plan, rows: &[Row]) -> Vec<Column> {
    let column = |name: &str, values: Values| Column { name: name.to_owned(), values };
    let texts = |text: &dyn Fn(&Row) -> String| Values::Texts(rows.iter().map(text).collect());
    let integers = |number: &dyn Fn(&Row) -> Option<u64>| {
        Values::Integers(rows.iter().map(|row| number(row).and_then(|number| i64::try_from(number).ok())).collect())
    };
    let mut columns = vec![
        column("name", texts(&|row| row.run.clone())),
        column("point", texts(&|row| plan.points[row.point].name.clone())),
        column("agent", texts(&|row| row.agent.clone())),
        column("seed", Values::Unsigned(rows.iter().map(|row| row.seed).collect())),
        column("status", texts(&|row| row.status.name().to_owned())),
        column("steps", integers(&|row| Some(row.steps))),
        column("deals", integers(&|row| row.deals)),
    ];
    for key in plan.config.keys.keys() {
        let values: Vec<&Value> = rows.iter().map(|row| &plan.points[row.point].set[key]).collect();
        columns.push(column(key, of_key(&values)));
    }
    for name in metric_names(rows) {
        let values = rows.iter().map(|row| row.metrics.get(&name).copied()).collect();
        columns.push(column(&name, Values::Doubles(values)));
    }
    columns
}

/// Returns a key's values with the narrowest type that fits all of them.
fn of_key(values: &[&Value]) -> Values {
    if values.iter().all(|value| value.is_boolean()) {
        Values::Bools(values.iter().map(|value| value.as_bool()).collect())
    } else if values.iter().all(|value| value.is_i64()) {
        Values::Integers(values.iter().map(|value| value.as_i64()).collect())
    } else if values.iter().all(|value| value.is_number()) {
        Values::Doubles(values.iter().map(|value| value.as_f64()).collect())
    } else {
        Values::Texts(values.iter().map(|value| shown(value)).collect())
    }
}

impl Values {
    /// Returns the value in a row as text.
    fn cell(&self, row: usize) -> String {
        match self {
            Values::Bools(values) => values[row].map_or_else(String::new, |value| value.to_string()),
            Values::Integers(values) => values[row].map_or_else(String::new, |value| value.to_string()),
            Values::Unsigned(values) => values[row].to_string(),
            Values::Doubles(values) => values[row].map_or_else(String::new, |value| value.to_string()),
            Values::Texts(values) => values[row].clone(),
        }
    }
}

fn write_csv(columns: &[Column], rows: usize, file: &mut File) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    writer.write_record(columns.iter().map(|column| &column.name))?;
    for row in 0..rows {
        writer.write_record(columns.iter().map(|column| column.values.cell(row)))?;
    }
    writer.flush()
}

fn write_parquet(columns: &[Column], file: &mut File) -> io::Result<()> {
    let encode = || -> Result<Vec<u8>, ParquetError> {
        let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let schema = Arc::new(Type::group_type_builder("sweep").with_fields(fields).build()?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
        let mut group = writer.next_row_group()?;
        for column in columns {
            let mut out = group.next_column()?.expect("the schema has this column");
            write_column(&column.values, &mut out)?;
            out.close()?;
        }
        group.close()?;
        writer.into_inner()
    };
    file.write_all(&encode().map_err(io::Error::other)?)
}

/// Returns the type of a column.
fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let (physical, optional) = match &column.values {
        Values::Bools(_) => (Physical::BOOLEAN, true),
        Values::Integers(_) => (Physical::INT64, true),
        Values::Unsigned(_) => (Physical::INT64, false),
        Values::Doubles(_) => (Physical::DOUBLE, true),
        Values::Texts(_) => (Physical::BYTE_ARRAY, false),
    };
    let field = Type::primitive_type_builder(&column.name, physical).with_repetition(if optional {
        Repetition::OPTIONAL
    } else {
        Repetition::REQUIRED
    });
    let field = match &column.values {
        Values::Unsigned(_) => {
            field.with_converted_type(ConvertedType::UINT_64).with_logical_type(Some(LogicalType::integer(64, false)))
        }
        Values::Texts(_) => field.with_converted_type(ConvertedType::UTF8).with_logical_type(Some(LogicalType::String)),
        _ => field,
    };
    Ok(Arc::new(field.build()?))
}

fn write_column(values: &Values, out: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
    // The definition level of a value that isn't null is 1.
    fn split<T: Copy>(values: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
        (
            values.iter().filter_map(|value| *value).collect(),
            values.iter().map(|value| value.is_some().into()).collect(),
        )
    }
    match values {
        Values::Bools(values) => {
            let (values, levels) = split(values);
            out.typed::<BoolType>().write_batch(&values, Some(&levels), None)
        }
        Values::Integers(values) => {
            let (values, levels) = split(values);
            out.typed::<Int64Type>().write_batch(&values, Some(&levels), None)
        }
        Values::Doubles(values) => {
            let (values, levels) = split(values);
            out.typed::<DoubleType>().write_batch(&values, Some(&levels), None)
        }
        Values::Unsigned(values) => {
            let bits: Vec<i64> = values.iter().map(|&value| value as i64).collect();
            out.typed::<Int64Type>().write_batch(&bits, None, None)
        }
        Values::Texts(values) => {
            let bytes: Vec<ByteArray> = values.iter().map(|value| value.as_str().into()).collect();
            out.typed::<ByteArrayType>().write_batch(&bytes, None, None)
        }
    }?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Column, Values, of_key, write_csv, write_parquet};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row};
    use serde_json::{Value, json};
    use std::fs::File;

    #[test]
    fn both_files_have_the_same_values() {
        let key = |values: &[Value]| of_key(&values.iter().collect::<Vec<_>>());
        let column = |name: &str, values: Values| Column { name: name.to_owned(), values };
        let columns = [
            column("a.b-c", key(&[json!(0.5), json!(2)])),
            column("odd name; {", key(&[json!("x, y"), json!({ "name": "z" })])),
            column("steps", key(&[json!(3), json!(-4)])),
            column("flag", key(&[json!(true), json!(false)])),
            column("seed", Values::Unsigned(vec![1, u64::MAX])),
            column("regret", Values::Doubles(vec![None, Some(1e-17)])),
        ];
        let folder = tempfile::tempdir().unwrap();
        let [csv, parquet] = ["t.csv", "t.parquet"].map(|name| folder.path().join(name));
        write_csv(&columns, 2, &mut File::create(&csv).unwrap()).unwrap();
        write_parquet(&columns, &mut File::create(&parquet).unwrap()).unwrap();
        assert_eq!(
            std::fs::read_to_string(&csv).unwrap(),
            "a.b-c,odd name; {,steps,flag,seed,regret\n0.5,\"x, y\",3,true,1,\n\
             2,\"{\"\"name\"\":\"\"z\"\"}\",-4,false,18446744073709551615,0.00000000000000001\n"
        );
        let reader = SerializedFileReader::new(File::open(&parquet).unwrap()).unwrap();
        let row = |row: Row| row.get_column_iter().map(|(_, field)| field.clone()).collect::<Vec<_>>();
        let rows: Vec<Vec<Field>> = reader.get_row_iter(None).unwrap().map(|found| row(found.unwrap())).collect();
        let text = |text: &str| Field::Str(text.to_owned());
        let first = [Field::Double(0.5), text("x, y"), Field::Long(3), Field::Bool(true), Field::ULong(1), Field::Null];
        assert_eq!(rows[0], first);
        assert_eq!(rows[1][1], text("{\"name\":\"z\"}"));
        assert_eq!(rows[1][4..], [Field::ULong(u64::MAX), Field::Double(1e-17)]);
    }
}
