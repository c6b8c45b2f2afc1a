//! Solver errors.

/// The error returned by a computation that was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the evaluation was cancelled")]
pub struct Cancelled;

/// The reason why a solver has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The rules, options or hands are invalid. The message names the valid values.
    #[error("{0}")]
    Invalid(String),
    /// The computation failed.
    #[error("{0}")]
    Failed(String),
    /// The computation was cancelled.
    #[error("the computation was cancelled")]
    Cancelled,
}

impl From<Cancelled> for SolverError {
    fn from(_: Cancelled) -> SolverError {
        SolverError::Cancelled
    }
}

impl SolverError {
    /// Creates a [`SolverError::Invalid`] from an error's message.
    pub fn invalid(error: impl std::fmt::Display) -> SolverError {
        SolverError::Invalid(error.to_string())
    }

    /// Creates a [`SolverError::Failed`] from an error's message.
    pub fn failed(error: impl std::fmt::Display) -> SolverError {
        SolverError::Failed(error.to_string())
    }
}
