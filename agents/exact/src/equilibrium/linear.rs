//! Exact optima of linear programs.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// An optimal solution of a linear program.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// The value of each variable.
    pub solution: Vec<BigRational>,
    /// The price of each row, which is the solution of the dual program.
    pub prices: Vec<BigRational>,
}

/// Maximizes `objective · x` for `rows · x ≤ limits` and `x ≥ 0`. Returns `None` if the optimum is unbounded.
///
/// This is the simplex method on fractions. Bland's rule, which always prefers the lowest index, prevents cycles.
///
/// # Panics
/// Panics if a limit is negative or a row has another length than the objective.
pub fn maximize(
    mut objective: Vec<BigRational>,
    mut rows: Vec<Vec<BigRational>>,
    mut limits: Vec<BigRational>,
) -> Option<Optimum> {
    assert!(limits.iter().all(|limit| !limit.is_negative()), "limits must not be negative");
    assert!(rows.iter().all(|row| row.len() == objective.len()), "a row has one coefficient for each variable");
    let variables = objective.len();
    // Each basic variable is its limit minus a combination of the free ones, which are zero. Variables beyond the given
    // ones are the slacks of the rows.
    let mut free: Vec<usize> = (0..variables).collect();
    let mut basic: Vec<usize> = (variables..variables + rows.len()).collect();
    loop {
        let entering = (0..free.len()).filter(|&column| objective[column].is_positive());
        let Some(column) = entering.min_by_key(|&column| free[column]) else { break };
        let leaving = (0..rows.len()).filter(|&row| rows[row][column].is_positive());
        let row = leaving.min_by_key(|&row| (&limits[row] / &rows[row][column], basic[row]))?;
        let pivot = rows[row][column].recip();
        rows[row][column] = BigRational::one();
        rows[row].iter_mut().for_each(|entry| *entry *= &pivot);
        limits[row] *= &pivot;
        let (pivot_row, pivot_limit) = (rows[row].clone(), limits[row].clone());
        for other in (0..rows.len()).filter(|&other| other != row) {
            let factor = eliminate(&mut rows[other], &pivot_row, column);
            limits[other] -= factor * &pivot_limit;
        }
        eliminate(&mut objective, &pivot_row, column);
        std::mem::swap(&mut free[column], &mut basic[row]);
    }
    let mut values = vec![BigRational::zero(); variables + rows.len()];
    basic.iter().zip(limits).for_each(|(&variable, limit)| values[variable] = limit);
    let mut prices = vec![BigRational::zero(); rows.len()];
    for (&variable, entry) in free.iter().zip(objective) {
        if variable >= variables {
            prices[variable - variables] = -entry;
        }
    }
    values.truncate(variables);
    Some(Optimum { solution: values, prices })
}

/// Replaces the free variable in a column of a row by the pivot row's basic variable, and returns its coefficient.
fn eliminate(row: &mut [BigRational], pivot_row: &[BigRational], column: usize) -> BigRational {
    let factor = std::mem::replace(&mut row[column], BigRational::zero());
    if !factor.is_zero() {
        row.iter_mut().zip(pivot_row).for_each(|(entry, pivot)| *entry -= &factor * pivot);
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    fn whole(number: i64) -> BigRational {
        BigInt::from(number).into()
    }

    fn dot(a: &[BigRational], b: &[BigRational]) -> BigRational {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    proptest! {
        /// Equal values of feasible solutions of a program and its dual prove that both are optimal.
        #[test]
        fn optima_are_certified_by_their_prices(
            (objective, rows, limits) in (1usize..5, 1usize..6).prop_flat_map(|(variables, rows)| (
                prop::collection::vec(-9i64..10, variables),
                prop::collection::vec(prop::collection::vec(-9i64..10, variables), rows),
                prop::collection::vec(0i64..10, rows),
            ))
        ) {
            let numbers = |list: &[i64]| list.iter().map(|&number| whole(number)).collect::<Vec<_>>();
            let mut rows: Vec<_> = rows.iter().map(|row| numbers(row)).collect();
            let mut limits = numbers(&limits);
            // With a limit on the sum of all variables, the optimum is bounded.
            rows.push(vec![whole(1); objective.len()]);
            limits.push(whole(20));
            let objective = numbers(&objective);
            let found = maximize(objective.clone(), rows.clone(), limits.clone()).unwrap();
            for (row, limit) in rows.iter().zip(&limits) {
                prop_assert!(dot(row, &found.solution) <= *limit);
            }
            prop_assert!(found.solution.iter().chain(&found.prices).all(|value| !value.is_negative()));
            for (i, gain) in objective.iter().enumerate() {
                let column: Vec<_> = rows.iter().map(|row| row[i].clone()).collect();
                prop_assert!(dot(&column, &found.prices) >= *gain);
            }
            prop_assert_eq!(dot(&objective, &found.solution), dot(&limits, &found.prices));
        }
    }

    #[test]
    fn programs_without_a_limit_have_no_optimum() {
        assert_eq!(maximize(vec![whole(1)], vec![vec![whole(-1)]], vec![whole(3)]), None);
    }
}
