//! Solver errors.

/// The error of a cancelled computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the evaluation was cancelled")]
pub struct Cancelled;

/// The reason why a solver has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// Rules, options or hands are invalid. The message names the valid values.
    #[error("{0}")]
    Invalid(String),
    /// The computation failed.
    #[error("{0}")]
    Failed(String),
    /// The computation was cancelled.
    #[error("cancelled before the end; there is no result")]
    Cancelled,
}

impl From<Cancelled> for SolverError {
    fn from(_: Cancelled) -> SolverError {
        SolverError::Cancelled
    }
}

impl SolverError {
    /// Creates a [`SolverError::Invalid`] with the text of an error.
    pub fn invalid(error: impl std::fmt::Display) -> SolverError {
        SolverError::Invalid(error.to_string())
    }

    /// Creates a [`SolverError::Failed`] with the text of an error.
    pub fn failed(error: impl std::fmt::Display) -> SolverError {
        SolverError::Failed(error.to_string())
    }
}
