//! The devices that networks are trained on and play on.

use burn::tensor::Device;
use std::sync::OnceLock;

/// The device selected for this process.
static SELECTED: OnceLock<TrainingDevice> = OnceLock::new();

houseway_env::named_enum! {
    /// A device that networks can be trained on. Agents always play on the CPU, because they mostly see a few hands at a
    /// time. Like the type of the machine, the device affects how numbers are rounded, so it changes the trained weights.
    #[derive(Default)]
    pub enum TrainingDevice: kebab_case {
        /// The processor.
        #[default]
        Cpu,
        /// The default GPU, through Vulkan, Metal or DirectX 12. This requires the crate's feature `gpu`.
        Gpu,
    }
}

impl TrainingDevice {
    /// Returns the selected device.
    pub fn selected() -> TrainingDevice {
        SELECTED.get().copied().unwrap_or_default()
    }

    /// Selects the device for all training in this process. Only the first call has an effect.
    ///
    /// # Errors
    /// Returns an error if the device isn't available.
    pub fn select(self) -> Result<(), String> {
        if self == TrainingDevice::Gpu {
            check_gpu()?;
        }
        SELECTED.get_or_init(|| self);
        Ok(())
    }

    /// Returns the device, without automatic differentiation.
    fn device(self) -> Device {
        match self {
            TrainingDevice::Cpu => Device::flex(),
            #[cfg(feature = "gpu")]
            TrainingDevice::Gpu => Device::wgpu(burn::prelude::DeviceKind::DefaultDevice),
            #[cfg(not(feature = "gpu"))]
            TrainingDevice::Gpu => unreachable!("it can't be selected"),
        }
    }
}

/// Returns the device used for training, with automatic differentiation.
pub fn training_device() -> Device {
    TrainingDevice::selected().device().autodiff()
}

/// Returns the device that agents play on.
pub fn playing_device() -> Device {
    Device::flex()
}

/// Checks that there is a GPU that computes.
#[cfg(feature = "gpu")]
fn check_gpu() -> Result<(), String> {
    use burn::tensor::Tensor;
    // The library panics, possibly in a thread of its own, if there is no GPU.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let sum = std::panic::catch_unwind(|| {
        Tensor::<1>::ones([8], &Device::wgpu(burn::prelude::DeviceKind::DefaultDevice)).sum().into_scalar::<f32>()
    });
    std::panic::set_hook(hook);
    match sum {
        Ok(8.0) => Ok(()),
        _ => Err("no GPU was found; check that its driver is installed, or train on the CPU".to_owned()),
    }
}

#[cfg(not(feature = "gpu"))]
fn check_gpu() -> Result<(), String> {
    Err("this program was built without support for GPUs; build it with --features gpu, or train on the CPU".to_owned())
}

#[cfg(all(test, not(feature = "gpu")))]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_gpu_support_refuses_it() {
        assert!(TrainingDevice::Gpu.select().unwrap_err().contains("--features gpu"));
    }
}
