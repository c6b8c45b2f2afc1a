//! Sums that are rounded in the same way on all processors.
//!
//! The tensor library sums whole tensors, and the last dimension of a tensor, in as many parts as the processor's
//! vectors have lanes. It sums all other dimensions in order. So these functions append a dimension of size 1, which
//! also applies to the gradients.

use crate::network::padded;
use burn::prelude::*;
use burn::tensor::activation;

/// Returns the sum of each row, with shape (rows, 1).
pub(crate) fn row_sums(values: Tensor<2>) -> Tensor<2> {
    values.unsqueeze_dim::<3>(2).sum_dim(1).squeeze_dim(2)
}

/// The number of parts in which all values of a tensor are summed. A single part would be slower and less accurate.
const PARTS: usize = 64;

/// Returns the sum of all values.
pub(crate) fn total(values: Tensor<2>) -> Tensor<1> {
    let count = values.shape().num_elements();
    let rows = count.div_ceil(PARTS);
    let values = padded(values.reshape([count]), 0, rows * PARTS);
    row_sums(values.reshape([rows, PARTS]).sum_dim(0)).reshape([1])
}

/// Returns the mean of all values.
pub(crate) fn mean(values: Tensor<2>) -> Tensor<1> {
    let count = values.shape().num_elements();
    total(values) / count as f32
}

/// Subtracts a number with shape (rows, 1) from each row. Its gradient is the sum of a row.
pub(crate) fn subtract(values: Tensor<2>, numbers: Tensor<2>) -> Tensor<2> {
    (values.unsqueeze_dim::<3>(2) - numbers.unsqueeze_dim(2)).squeeze_dim(2)
}

/// Returns the log softmax of each row.
pub(crate) fn log_softmax(values: Tensor<2>) -> Tensor<2> {
    activation::log_softmax(values.unsqueeze_dim::<3>(2), 1).squeeze_dim(2)
}
