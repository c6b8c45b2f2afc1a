//! House ways.

use super::hands::{GameRules, hands_of};
use crate::error::value_error;
use crate::pool::detached;
use houseway_env::cards::profile::Profiles;
use houseway_env::gym::from_json;
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::{BUILT_IN, HouseWay as Compiled, Way};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A house way compiled for a set of rules. The public class is `houseway.HouseWay`.
#[pyclass(module = "houseway._core", frozen)]
pub(crate) struct HouseWay {
    #[pyo3(get)]
    game_rules: Py<GameRules>,
    pub(super) way: Arc<Compiled>,
}

#[pymethods]
impl HouseWay {
    /// Compiles a house way, given by its name, the path of a file or the text of one. `readings` is a JSON object.
    #[new]
    fn new(py: Python<'_>, given: &str, readings: &str, game_rules: Py<GameRules>) -> PyResult<HouseWay> {
        let mut way = Way::load(given).map_err(value_error)?;
        let readings: BTreeMap<String, String> = from_json(readings).map_err(value_error)?;
        for (reading, option) in &readings {
            way.choose(reading, option).map_err(value_error)?;
        }
        let way = detached(py, || Compiled::shared(way, &game_rules.get().game)).map_err(value_error)?;
        Ok(HouseWay { game_rules, way })
    }

    /// Returns the text of a house way in which the chosen options of the readings are the defaults. They are added to
    /// the name, because another way must not be called like a built-in one.
    #[staticmethod]
    fn text_with_readings(given: &str, readings: BTreeMap<String, String>) -> PyResult<String> {
        let mut file: toml::Table = Way::text(given).map_err(value_error)?.parse().map_err(value_error)?;
        let mut suffix = String::new();
        for (reading, chosen) in readings {
            let listed = file.get_mut("readings").and_then(|it| it.get_mut(&reading));
            let options = listed.and_then(|it| it.get_mut("options")).and_then(toml::Value::as_array_mut);
            let options = options.ok_or_else(|| value_error(format!("the house way has no reading '{reading}'")))?;
            // The first option is the default.
            if options.first().and_then(toml::Value::as_str) != Some(&chosen) {
                options.sort_by_key(|option| option.as_str() != Some(&chosen));
                suffix += &format!("-{}", chosen.replace('_', "-"));
            }
        }
        if let Some(toml::Value::String(name)) = file.get_mut("name") {
            *name += &suffix;
        }
        toml::to_string(&file).map_err(value_error)
    }

    /// Converts a house way from a JSON object, with the same keys as the TOML files, to TOML.
    #[staticmethod]
    fn toml_of(json: &str) -> PyResult<String> {
        let value: toml::Value = serde_json::from_str(json).map_err(value_error)?;
        toml::to_string(&value).map_err(value_error)
    }

    #[getter]
    fn name(&self) -> &str {
        self.way.way().name()
    }

    #[getter]
    fn title(&self) -> &str {
        self.way.way().title()
    }

    #[getter]
    fn source(&self) -> &str {
        self.way.way().source()
    }

    #[getter]
    fn hash(&self) -> String {
        self.way.hash()
    }

    /// Returns `{reading: (options, chosen option)}`.
    #[getter]
    fn readings(&self) -> BTreeMap<String, (Vec<String>, String)> {
        let readings = self.way.way().readings().iter();
        readings.map(|r| (r.name.clone(), (r.options.clone(), r.options[r.chosen].clone()))).collect()
    }

    /// Returns `(name, text, hands)` for each active rule, in order.
    #[getter]
    fn rules(&self) -> Vec<(String, String, u64)> {
        self.way.survey().rules.iter().map(|rule| (rule.name.clone(), rule.text.clone(), rule.hands)).collect()
    }

    /// Sets hands `(n, 7)`, and returns the settings together with the index of the rule that applies to each hand.
    fn set<'py>(&self, py: Python<'py>, hands: PyReadonlyArray2<'py, u8>) -> PyResult<Bound<'py, PyDict>> {
        let hands = hands_of(&hands)?;
        let (settings, indices): (Vec<u8>, Vec<u8>) = detached(py, || {
            let profiles = Profiles::get();
            let one = |&hand: &houseway_env::pai_gow::Hand| {
                (self.way.set(hand).index() as u8, self.way.rule_index(profiles.of(hand.set())) as u8)
            };
            hands.par_iter().map(one).unzip()
        });
        let answer = PyDict::new(py);
        answer.set_item("settings", PyArray1::from_vec(py, settings))?;
        answer.set_item("rules", PyArray1::from_vec(py, indices))?;
        Ok(answer)
    }
}

/// Returns the text of each built-in house way by name.
#[pyfunction]
pub(crate) fn built_in_ways() -> BTreeMap<&'static str, &'static str> {
    BUILT_IN.iter().map(|&(name, text)| (name, text)).collect()
}
