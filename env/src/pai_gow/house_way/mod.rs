//! House ways as data.
