//! Networks read from weight files.

use super::{Network, NetworkConfig, Networks, matrix};
use crate::device::playing_device;
use burn::module::{Param, ParamId};
use burn::nn::Linear;
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::seal::hex;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::io;

/// The maximum number of outputs per action of a method.
const MAX_OUTPUTS: usize = 2;

/// An error reading a network from a weight file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The file is incomplete or contains values that are not finite.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The file contains a different network.
    #[error("it contains a network for another task, such as another game: {0}")]
    Other(String),
}

/// The text in a weight file's header.
pub type Metadata = HashMap<String, String>;

/// The header of a safetensors file, sorted by name.
type Header = BTreeMap<String, BTreeMap<String, serde_json::Value>>;

/// The key of the text in the header, and the key of the checksum in it.
const TEXT: &str = "__metadata__";
const CHECKSUM: &str = "sha256";

/// Splits a safetensors file into its header and the bytes of its tensors.
fn split(file: &[u8]) -> io::Result<(Header, &[u8])> {
    let (length, rest) = file.split_at_checked(8).ok_or(io::ErrorKind::UnexpectedEof)?;
    let length = length.iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
    let (header, tensors) = rest.split_at_checked(length).ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok((serde_json::from_slice(header)?, tensors))
}

/// Returns the SHA-256 of a header without a checksum and of the tensors.
fn checksum(header: &Header, tensors: &[u8]) -> io::Result<String> {
    let digest = Sha256::new_with_prefix(serde_json::to_string(header)?).chain_update(tensors).finalize();
    Ok(hex(&digest))
}

/// Returns a safetensors file with a sorted header and a checksum. The library writes the header's text in random order,
/// but the bytes have to be reproducible.
pub(super) fn sealed(file: &[u8]) -> io::Result<Vec<u8>> {
    let (mut header, tensors) = split(file)?;
    header.entry(TEXT.to_owned()).or_default();
    let checksum = checksum(&header, tensors)?;
    header.entry(TEXT.to_owned()).or_default().insert(CHECKSUM.to_owned(), checksum.into());
    let mut header = serde_json::to_string(&header)?;
    // The format requires tensors to be aligned to eight bytes.
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    let length = (header.len() as u64).to_le_bytes();
    Ok([&length, header.as_bytes(), tensors].concat())
}

/// Checks the checksum in a weight file. Earlier versions didn't write one.
fn check_seal(file: &[u8]) -> Result<(), WeightsError> {
    let damaged = |error: io::Error| WeightsError::Damaged(error.to_string());
    let (mut header, tensors) = split(file).map_err(damaged)?;
    let Some(text) = header.get_mut(TEXT) else { return Ok(()) };
    let Some(found) = text.remove(CHECKSUM) else { return Ok(()) };
    match found == checksum(&header, tensors).map_err(damaged)? {
        true => Ok(()),
        false => Err(WeightsError::Damaged("its checksum does not match its content".to_owned())),
    }
}

impl Networks {
    /// Reads networks from a file written by [`Networks::save_weights`]. `shape` creates networks of a given size and
    /// number of outputs per action, whose weights are replaced. Also returns the file's metadata.
    ///
    /// # Errors
    /// Returns an error if the file is damaged, or if no size and number of outputs result in the networks in it.
    pub fn from_weights(
        file: &[u8],
        shape: impl Fn(NetworkConfig, usize) -> Networks,
    ) -> Result<(Networks, Metadata), WeightsError> {
        let (_, metadata) = SafeTensors::read_metadata(file).map_err(damaged)?;
        check_seal(file)?;
        let tensors = SafeTensors::deserialize(file).map_err(damaged)?;
        let size = size(&tensors)?;
        let read = |outputs| -> Result<Networks, WeightsError> {
            let (mut networks, mut stored) = (shape(size, outputs), StoredTensors::parse(file)?);
            let names = networks.names;
            for (i, part) in networks.parts.iter_mut().enumerate() {
                let prefix = names.get(i).map(|name| format!("{name}.")).unwrap_or_default();
                part.read(&prefix, &mut stored)?;
            }
            stored.check_all_read()?;
            if networks.is_finite() { Ok(networks) } else { Err(not_finite()) }
        };
        let mut found = read(1);
        for outputs in 2..=MAX_OUTPUTS {
            if !matches!(found, Err(WeightsError::Other(_))) {
                break;
            }
            found = match read(outputs) {
                Err(WeightsError::Other(_)) => found,
                read => read,
            };
        }
        Ok((found?, metadata.metadata().clone().unwrap_or_default()))
    }
}

/// Returns the size of the networks in a file, which is the same for all of them. Networks of this size don't need much
/// more memory than the file, even if it is damaged.
fn size(tensors: &SafeTensors<'_>) -> Result<NetworkConfig, WeightsError> {
    const HEAD: &str = "head.weight";
    let mut names = tensors.names();
    names.sort_unstable();
    let prefix = names.iter().find_map(|name| name.strip_suffix(HEAD));
    let prefix = prefix.ok_or_else(|| WeightsError::Other(format!("it has no {HEAD}")))?;
    let shape = |layer: &str| -> Option<[usize; 2]> {
        tensors.tensor(&format!("{prefix}{layer}.weight")).ok()?.shape().try_into().ok()
    };
    let hidden = (0..).map_while(|i| shape(&format!("hidden.{i}")));
    let layers: Vec<[usize; 2]> = shape("row").into_iter().chain(hidden).collect();
    let Some((&[_, width], further)) = layers.split_first() else { return Ok(NetworkConfig::LINEAR) };
    let size = NetworkConfig { width, layers: layers.len() };
    size.check().map_err(WeightsError::Other)?;
    if further.iter().any(|&shape| shape != [width, width]) {
        return Err(incompatible());
    }
    Ok(size)
}

fn damaged(error: SafeTensorError) -> WeightsError {
    WeightsError::Damaged(error.to_string())
}

fn not_finite() -> WeightsError {
    WeightsError::Damaged("a weight is not a finite number".to_owned())
}

fn incompatible() -> WeightsError {
    WeightsError::Other("its layers have incompatible shapes".to_owned())
}

impl Network {
    /// Replaces all weights with stored ones of the same shapes.
    fn read(&mut self, prefix: &str, stored: &mut StoredTensors<'_>) -> Result<(), WeightsError> {
        let Network { context, row, hidden, head, linear } = self;
        let first = [("context", context), ("row", row), ("linear", linear)];
        let first = first.into_iter().filter_map(|(name, layer)| Some((name.to_owned(), layer.as_mut()?)));
        let hidden = hidden.iter_mut().enumerate().map(|(i, layer)| (format!("hidden.{i}"), layer));
        for (name, layer) in first.chain(hidden).chain([("head".to_owned(), head)]) {
            let (name, [inputs, outputs]) = (format!("{prefix}{name}"), layer.weight.dims());
            let (read, found) = stored.linear(&name, inputs, layer.bias.is_some())?;
            if found != outputs {
                return Err(wrong_shape(&format!("{name}.weight"), &[inputs, found]));
            }
            *layer = read;
        }
        Ok(())
    }
}

/// The tensors in a weight file. The number of tensors read shows in the end whether the file contains any others.
struct StoredTensors<'a> {
    tensors: SafeTensors<'a>,
    read: usize,
}

impl<'a> StoredTensors<'a> {
    fn parse(file: &'a [u8]) -> Result<StoredTensors<'a>, WeightsError> {
        Ok(StoredTensors { tensors: SafeTensors::deserialize(file).map_err(damaged)?, read: 0 })
    }

    /// Checks that the file contains no other tensors than those that have been read.
    fn check_all_read(&self) -> Result<(), WeightsError> {
        match self.read == self.tensors.len() {
            true => Ok(()),
            false => Err(incompatible()),
        }
    }

    /// Reads a tensor. Returns its values and its shape.
    fn values(&mut self, name: &str) -> Result<(Vec<f32>, Vec<usize>), WeightsError> {
        let tensor = self.tensors.tensor(name).map_err(|_| WeightsError::Other(format!("it has no {name}")))?;
        if tensor.dtype() != Dtype::F32 {
            return Err(WeightsError::Other(format!("{name} has the type {:?}", tensor.dtype())));
        }
        self.read += 1;
        let values = tensor.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        Ok((values, tensor.shape().to_vec()))
    }

    /// Reads the layer with the given name and number of inputs. Also returns its number of outputs.
    fn linear(&mut self, name: &str, inputs: usize, bias: bool) -> Result<(Linear, usize), WeightsError> {
        let device = playing_device();
        let (weight, bias_name) = (format!("{name}.weight"), format!("{name}.bias"));
        let (weights, shape) = self.values(&weight)?;
        let [rows, outputs] = shape[..] else { return Err(wrong_shape(&weight, &shape)) };
        if rows != inputs || outputs == 0 {
            return Err(wrong_shape(&weight, &shape));
        }
        let weight = Param::initialized(ParamId::from(2 * self.read as u64), matrix(&weights, inputs, &device));
        let bias = match bias {
            false => None,
            true => {
                let (values, shape) = self.values(&bias_name)?;
                if shape != [outputs] {
                    return Err(wrong_shape(&bias_name, &shape));
                }
                let values = Tensor::<1>::from_data(TensorData::new(values, shape), &device);
                Some(Param::initialized(ParamId::from(2 * self.read as u64 + 1), values))
            }
        };
        Ok((Linear { weight, bias }, outputs))
    }
}

fn wrong_shape(name: &str, shape: &[usize]) -> WeightsError {
    WeightsError::Other(format!("{name} has the shape {shape:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::training_device;
    use crate::network::WeightSource;
    use safetensors::serialize;
    use safetensors::tensor::TensorView;

    #[test]
    fn impossible_sizes_are_refused_before_anything_is_allocated() {
        let read = |layers: &[(&str, [usize; 2])]| {
            let bytes = vec![0; 4 * layers.iter().map(|(_, [rows, columns])| rows * columns).max().unwrap_or(0)];
            let tensors = layers.iter().map(|&(name, shape)| {
                let bytes = &bytes[..4 * shape[0] * shape[1]];
                (format!("{name}.weight"), TensorView::new(Dtype::F32, shape.to_vec(), bytes).unwrap())
            });
            let file = serialize(tensors, None).unwrap();
            Networks::from_weights(&file, |_, _| panic!("no network has this size"))
                .map(|_| ())
                .unwrap_err()
                .to_string()
        };
        let deep: Vec<String> = (0..65).map(|i| format!("hidden.{i}")).collect();
        let deep: Vec<(&str, [usize; 2])> = deep.iter().map(|name| (name.as_str(), [1, 1])).collect();
        for (layers, part) in [
            (vec![("hidden.0", [3, 0])], "network.width = 0: must be between 1 and"),
            (vec![("row", [0, 1 << 40])], "network.width = 1099511627776: must be between 1 and"),
            (deep, "network.layers = 65: must be between 1 and"),
            (vec![("row", [1, 8]), ("hidden.0", [8, 8]), ("hidden.1", [8, 1])], "incompatible shapes"),
        ] {
            let error = read(&[&layers[..], &[("head", [1, 1])]].concat());
            assert!(error.contains("another task") && error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_weight_that_is_not_finite_is_damage() {
        let (folder, device) = (tempfile::tempdir().unwrap(), training_device());
        let file = folder.path().join("weights.safetensors");
        let size = NetworkConfig { width: 4, layers: 2 };
        let shape = |size, outputs| Network::new(size, 3, outputs, 2.0, &mut WeightSource::new(1, &device)).into();
        for outputs in 1..=MAX_OUTPUTS {
            let networks: Networks = shape(size, outputs);
            networks.save_weights(&file, &[]).unwrap();
            let mut bytes = std::fs::read(&file).unwrap();
            assert!(Networks::from_weights(&bytes, shape).is_ok());
            let end = bytes.len() - 4;
            // Every bit counts, also those that leave a finite number.
            for bit in 0..32 {
                let mut flipped = bytes.clone();
                flipped[end + bit / 8] ^= 1 << (bit % 8);
                let error = Networks::from_weights(&flipped, shape).err().unwrap().to_string();
                assert!(error.contains("its checksum does not match"), "{error}");
            }
            bytes[end..].copy_from_slice(&f32::NAN.to_le_bytes());
            // Files of earlier versions have no checksum.
            let (mut header, tensors) = split(&bytes).unwrap();
            header.remove(TEXT);
            let header = serde_json::to_string(&header).unwrap();
            let old = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), tensors].concat();
            assert_eq!(Networks::from_weights(&old, shape).err(), Some(not_finite()));
            assert_eq!(Networks::from_weights(&sealed(&old).unwrap(), shape).err(), Some(not_finite()));
        }
    }
}
