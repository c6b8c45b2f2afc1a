//! The simplex method in exact fractions.

use crate::Ratio;

/// A fraction whose arithmetic panics on overflow.
type Number = Ratio;

fn inverse(number: Number) -> Number {
    Ratio::new(number.denominator() * number.numerator().signum(), number.numerator().abs())
}

/// Returns the maximum of a linear function of nonnegative variables. Each limit consists of the coefficients of a
/// linear function and its nonnegative upper bound. Bland's rule guarantees termination.
pub(super) fn maximize(objective: &[i128], limits: &[(Vec<i128>, i128)]) -> Number {
    let number = |integer: i128| Ratio::new(integer, 1);
    let (variables, rows) = (objective.len(), limits.len());
    let row = |(i, (coefficients, limit)): (usize, &(Vec<i128>, i128))| -> Vec<Number> {
        assert!(*limit >= 0, "zero must be a solution");
        let slack = (0..rows).map(|other| i128::from(other == i));
        coefficients.iter().copied().chain(slack).chain([*limit]).map(number).collect()
    };
    let mut table: Vec<Vec<Number>> = limits.iter().enumerate().map(row).collect();
    let last = variables + rows;
    table.push((0..=last).map(|i| number(-objective.get(i).copied().unwrap_or(0))).collect());
    let mut basis: Vec<usize> = (variables..last).collect();
    while let Some(enters) = (0..last).find(|&column| table[rows][column] < Ratio::ZERO) {
        let ratios = (0..rows).filter(|&row| table[row][enters] > Ratio::ZERO);
        let ratio = |row: usize| (table[row][last] * inverse(table[row][enters]), basis[row]);
        let leaves = ratios.min_by(|&a, &b| ratio(a).cmp(&ratio(b))).expect("the maximum is bounded");
        let factor = inverse(table[leaves][enters]);
        table[leaves].iter_mut().for_each(|number| *number = *number * factor);
        let pivot = table[leaves].clone();
        for row in (0..=rows).filter(|&row| row != leaves) {
            let factor = table[row][enters];
            if factor != Ratio::ZERO {
                table[row].iter_mut().zip(&pivot).for_each(|(to, &from)| *to = *to - factor * from);
            }
        }
        basis[leaves] = enters;
    }
    table[rows][last]
}
