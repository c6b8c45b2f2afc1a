//! Columns of values, written as CSV and as Parquet, and rows of CSV files.
//!
//! Missing values are empty in CSV and null in Parquet. Lists can only be written as Parquet. Those of a column all
//! have the same length, so readers can view the column as a matrix.

use crate::run::{cannot_read, read_inside};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};
use serde::de::DeserializeOwned;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub struct Column {
    pub name: String,
    pub values: Values,
}

pub enum Values {
    Bools(Vec<Option<bool>>),
    Integers(Vec<Option<i64>>),
    Unsigned(Vec<u64>),
    Doubles(Vec<Option<f64>>),
    Texts(Vec<String>),
    BoolLists(Lists<bool>),
    FloatLists(Lists<f32>),
    DoubleLists(Lists<f64>),
}

pub struct Lists<T> {
    /// The length of each list, which is positive.
    pub each: usize,
    pub elements: Vec<T>,
}

impl Column {
    pub fn new(name: impl Into<String>, values: Values) -> Column {
        Column { name: name.into(), values }
    }
}

impl Values {
    fn cell(&self, row: usize) -> String {
        match self {
            Values::Bools(values) => values[row].map_or_else(String::new, |value| value.to_string()),
            Values::Integers(values) => values[row].map_or_else(String::new, |value| value.to_string()),
            Values::Unsigned(values) => values[row].to_string(),
            Values::Doubles(values) => values[row].map_or_else(String::new, |value| value.to_string()),
            Values::Texts(values) => values[row].clone(),
            Values::BoolLists(_) | Values::FloatLists(_) | Values::DoubleLists(_) => panic!("CSV has no lists"),
        }
    }
}

/// Writes rows as CSV, with a header in the first line.
pub fn csv_text<R: AsRef<[u8]>, F: IntoIterator<Item = R>>(rows: impl IntoIterator<Item = F>) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(vec![]);
    rows.into_iter().try_for_each(|row| writer.write_record(row))?;
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// Reads a CSV file with a header, which is found by its name in a folder.
pub fn read_csv<R: DeserializeOwned>(folder: &Path, name: &str) -> io::Result<Vec<R>> {
    let text = read_inside(folder, name)?;
    let rows: Result<Vec<R>, csv::Error> = csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect();
    rows.map_err(|error| cannot_read(&folder.join(name), error.into()))
}

/// Returns columns as CSV, with their names in the first line.
pub fn to_csv(columns: &[Column], rows: usize) -> io::Result<Vec<u8>> {
    let header = columns.iter().map(|column| column.name.clone()).collect();
    let row = |row| columns.iter().map(|column| column.values.cell(row)).collect();
    let lines: Vec<Vec<String>> = [header].into_iter().chain((0..rows).map(row)).collect();
    csv_text(lines)
}

/// Returns columns as a Parquet file, with the given keys and values as metadata.
pub fn to_parquet(columns: &[Column], metadata: &[(String, String)]) -> io::Result<Vec<u8>> {
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    to_parquet_with(columns, metadata, properties)
}

/// Returns columns like [`to_parquet`], with the given compression and encodings.
pub fn to_parquet_with(
    columns: &[Column],
    metadata: &[(String, String)],
    properties: WriterProperties,
) -> io::Result<Vec<u8>> {
    let encode = || -> Result<Vec<u8>, ParquetError> {
        let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?);
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
        let mut group = writer.next_row_group()?;
        for column in columns {
            let mut out = group.next_column()?.expect("the schema has this column");
            write_column(&column.values, &mut out)?;
            out.close()?;
        }
        group.close()?;
        for (key, value) in metadata {
            writer.append_key_value_metadata(KeyValue::new(key.clone(), value.clone()));
        }
        writer.into_inner()
    };
    encode().map_err(io::Error::other)
}

fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    let (physical, repetition) = match &column.values {
        Values::Bools(_) => (Physical::BOOLEAN, Repetition::OPTIONAL),
        Values::Integers(_) => (Physical::INT64, Repetition::OPTIONAL),
        Values::Unsigned(_) => (Physical::INT64, Repetition::REQUIRED),
        Values::Doubles(_) => (Physical::DOUBLE, Repetition::OPTIONAL),
        Values::Texts(_) => (Physical::BYTE_ARRAY, Repetition::REQUIRED),
        Values::BoolLists(_) => return list_field(&column.name, Physical::BOOLEAN),
        Values::FloatLists(_) => return list_field(&column.name, Physical::FLOAT),
        Values::DoubleLists(_) => return list_field(&column.name, Physical::DOUBLE),
    };
    let field = Type::primitive_type_builder(&column.name, physical).with_repetition(repetition);
    let field = match &column.values {
        Values::Unsigned(_) => {
            field.with_converted_type(ConvertedType::UINT_64).with_logical_type(Some(LogicalType::integer(64, false)))
        }
        Values::Texts(_) => field.with_converted_type(ConvertedType::UTF8).with_logical_type(Some(LogicalType::String)),
        _ => field,
    };
    Ok(Arc::new(field.build()?))
}

fn list_field(name: &str, physical: Physical) -> Result<TypePtr, ParquetError> {
    let element = Type::primitive_type_builder("element", physical).with_repetition(Repetition::REQUIRED).build()?;
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(element)])
        .build()?;
    let field = Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_converted_type(ConvertedType::LIST)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list)]);
    Ok(Arc::new(field.build()?))
}

fn write_column(values: &Values, out: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
    match values {
        Values::Bools(values) => write_optional(values, out.typed::<BoolType>()),
        Values::Integers(values) => write_optional(values, out.typed::<Int64Type>()),
        Values::Doubles(values) => write_optional(values, out.typed::<DoubleType>()),
        Values::Unsigned(values) => {
            let bits: Vec<i64> = values.iter().map(|&value| value as i64).collect();
            out.typed::<Int64Type>().write_batch(&bits, None, None).map(drop)
        }
        Values::Texts(values) => {
            let bytes: Vec<ByteArray> = values.iter().map(|value| value.as_str().into()).collect();
            out.typed::<ByteArrayType>().write_batch(&bytes, None, None).map(drop)
        }
        Values::BoolLists(lists) => write_lists(&lists.elements, lists.each, out.typed::<BoolType>()),
        Values::FloatLists(lists) => write_lists(&lists.elements, lists.each, out.typed::<FloatType>()),
        Values::DoubleLists(lists) => write_lists(&lists.elements, lists.each, out.typed::<DoubleType>()),
    }
}

fn write_optional<D: DataType>(values: &[Option<D::T>], out: &mut ColumnWriterImpl<'_, D>) -> Result<(), ParquetError> {
    // The definition level of a value that isn't null is 1.
    let levels: Vec<i16> = values.iter().map(|value| value.is_some().into()).collect();
    let values: Vec<D::T> = values.iter().flatten().cloned().collect();
    out.write_batch(&values, Some(&levels), None).map(drop)
}

/// Writes lists of the same length, one after the other.
pub fn write_lists<D: DataType>(
    elements: &[D::T],
    each: usize,
    out: &mut ColumnWriterImpl<'_, D>,
) -> Result<(), ParquetError> {
    // Definition level 1 marks an element as present. Repetition level 0 starts a new list.
    let present = vec![1; elements.len()];
    let repeated: Vec<i16> = (0..elements.len()).map(|i| i16::from(i % each != 0)).collect();
    out.write_batch(elements, Some(&present), Some(&repeated)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row};
    use std::fs::File;

    #[test]
    fn both_files_have_the_same_values() {
        let columns = [
            Column::new("odd name; {", Values::Texts(vec!["x, y".to_owned(), "{\"name\":\"z\"}".to_owned()])),
            Column::new("steps", Values::Integers(vec![Some(3), Some(-4)])),
            Column::new("flag", Values::Bools(vec![Some(true), Some(false)])),
            Column::new("seed", Values::Unsigned(vec![1, u64::MAX])),
            Column::new("regret", Values::Doubles(vec![None, Some(1e-17)])),
        ];
        assert_eq!(
            String::from_utf8(to_csv(&columns, 2).unwrap()).unwrap(),
            "odd name; {,steps,flag,seed,regret\n\"x, y\",3,true,1,\n\
             \"{\"\"name\"\":\"\"z\"\"}\",-4,false,18446744073709551615,0.00000000000000001\n"
        );
        let text = |text: &str| Field::Str(text.to_owned());
        let path = tempfile::tempdir().unwrap().keep().join("t.parquet");
        std::fs::write(&path, to_parquet(&columns, &[]).unwrap()).unwrap();
        let rows = read(&path);
        assert_eq!(rows[0], [text("x, y"), Field::Long(3), Field::Bool(true), Field::ULong(1), Field::Null]);
        assert_eq!(rows[1][3..], [Field::ULong(u64::MAX), Field::Double(1e-17)]);
    }

    #[test]
    fn lists_are_read_as_they_were_written() {
        let columns = [
            Column::new("mask", Values::BoolLists(Lists { each: 2, elements: vec![true, false, false, true] })),
            Column::new("seen", Values::FloatLists(Lists { each: 3, elements: vec![0.0, 0.5, 1.0, 2.0, 3.0, 4.0] })),
            Column::new("evs", Values::DoubleLists(Lists { each: 1, elements: vec![-0.25, 0.1] })),
        ];
        let path = tempfile::tempdir().unwrap().keep().join("t.parquet");
        let metadata = [("houseway.format".to_owned(), "1".to_owned())];
        std::fs::write(&path, to_parquet(&columns, &metadata).unwrap()).unwrap();
        let rows = read(&path);
        let shown: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
        assert_eq!(rows.len(), 2);
        for (row, parts) in [
            (0, ["Bool(true), Bool(false)", "Float(0.0), Float(0.5), Float(1.0)", "Double(-0.25)"]),
            (1, ["Bool(false), Bool(true)", "Float(2.0), Float(3.0), Float(4.0)", "Double(0.1)"]),
        ] {
            assert!(parts.iter().all(|part| shown[row].contains(part)), "{}", shown[row]);
        }
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let kept = reader.metadata().file_metadata().key_value_metadata().unwrap();
        assert!(kept.iter().any(|pair| pair.key == "houseway.format" && pair.value.as_deref() == Some("1")));
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    fn read(path: &std::path::Path) -> Vec<Vec<Field>> {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let row = |row: Row| row.get_column_iter().map(|(_, field)| field.clone()).collect::<Vec<_>>();
        reader.get_row_iter(None).unwrap().map(|found| row(found.unwrap())).collect()
    }
}
