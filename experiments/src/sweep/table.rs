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
//! | `steps`, `deals` | int64 | the optimizer steps (stages for trees), and the deals seen in training |
//! | the swept keys | boolean, int64, double or string | the value, which is missing if the key belongs to another agent; a list or table is JSON |
//! | the metrics | double | the results of the evaluation, such as `ev`, `regret` and `agreement` |
//!
//! Missing values are empty in CSV and null in Parquet.

use super::config::concerns;
use super::plan::Plan;
use super::report::{Row, metric_names};
use super::space::shown;
use houseway_lab::columns::{Column, Values, write_csv, write_parquet};
use houseway_lab::run::{RunFolder, cannot_write, write_atomic_with};
use serde_json::Value;
use std::io;

/// Writes `sweep.csv` and `sweep.parquet` to the run's folder.
pub fn write(plan: &Plan, rows: &[Row], run: &RunFolder) -> io::Result<()> {
    let columns = columns(plan, rows);
    let csv = run.file("sweep.csv");
    write_atomic_with(&csv, |file| write_csv(&columns, rows.len(), file)).map_err(|error| cannot_write(&csv, error))?;
    let parquet = run.file("sweep.parquet");
    write_atomic_with(&parquet, |file| write_parquet(&columns, &[], file))
        .map_err(|error| cannot_write(&parquet, error))
}

fn columns(plan: &Plan, rows: &[Row]) -> Vec<Column> {
    let texts = |text: &dyn Fn(&Row) -> String| Values::Texts(rows.iter().map(text).collect());
    let integers = |number: &dyn Fn(&Row) -> Option<u64>| {
        Values::Integers(rows.iter().map(|row| number(row).and_then(|number| i64::try_from(number).ok())).collect())
    };
    let mut columns = vec![
        Column::new("name", texts(&|row| row.run.clone())),
        Column::new("point", texts(&|row| plan.points[row.point].name.clone())),
        Column::new("agent", texts(&|row| row.agent.clone())),
        Column::new("seed", Values::Unsigned(rows.iter().map(|row| row.seed).collect())),
        Column::new("status", texts(&|row| row.status.name().to_owned())),
        Column::new("steps", integers(&|row| Some(row.steps))),
        Column::new("deals", integers(&|row| row.deals)),
    ];
    for key in plan.config.keys.keys() {
        let value = |row: &Row| concerns(key, &row.agent).then(|| plan.points[row.point].set[key].clone());
        let values: Vec<Option<Value>> = rows.iter().map(value).collect();
        columns.push(Column::new(key, of_key(&values)));
    }
    for name in metric_names(rows) {
        let values = rows.iter().map(|row| row.metrics.get(&name).copied()).collect();
        columns.push(Column::new(&name, Values::Doubles(values)));
    }
    columns
}

/// Returns a key's values with the narrowest type that fits all of them. Missing texts are empty.
fn of_key(values: &[Option<Value>]) -> Values {
    let all = |is: fn(&Value) -> bool| values.iter().flatten().all(is);
    if all(Value::is_boolean) {
        Values::Bools(values.iter().map(|value| value.as_ref()?.as_bool()).collect())
    } else if all(Value::is_i64) {
        Values::Integers(values.iter().map(|value| value.as_ref()?.as_i64()).collect())
    } else if all(Value::is_number) {
        Values::Doubles(values.iter().map(|value| value.as_ref()?.as_f64()).collect())
    } else {
        Values::Texts(values.iter().map(|value| value.as_ref().map_or_else(String::new, shown)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_has_the_narrowest_type_of_its_values() {
        let key = |values: &[Value]| of_key(&values.iter().cloned().map(Some).collect::<Vec<_>>());
        assert!(matches!(key(&[json!(3), json!(-4)]), Values::Integers(values) if values == [Some(3), Some(-4)]));
        assert!(matches!(key(&[json!(0.5), json!(2)]), Values::Doubles(values) if values == [Some(0.5), Some(2.0)]));
        assert!(
            matches!(key(&[json!(true), json!(false)]), Values::Bools(values) if values == [Some(true), Some(false)])
        );
        assert!(matches!(of_key(&[None, Some(json!(3))]), Values::Integers(values) if values == [None, Some(3)]));
        let texts = key(&[json!("x, y"), json!({ "name": "z" })]);
        assert!(matches!(texts, Values::Texts(values) if values == ["x, y", "{\"name\":\"z\"}"]));
    }
}
