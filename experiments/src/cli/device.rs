//! The option for the training device.

use clap::Args;
use houseway_lab::console::{CommandResult, Failure};
use houseway_lab::run::set_training_device;
use houseway_learned::device::TrainingDevice;

/// The device for training.
#[derive(Args, Clone, Debug)]
pub(super) struct DeviceOptions {
    /// Train on the CPU (cpu) or on the GPU (gpu), which needs a program built with --features gpu
    #[arg(long, value_name = "NAME", default_value = "cpu", value_parser = parse_device)]
    pub(super) device: TrainingDevice,
}

/// Parses the value of the option for a device.
fn parse_device(text: &str) -> Result<TrainingDevice, String> {
    let found = TrainingDevice::ALL.into_iter().find(|device| device.name() == text);
    found.ok_or_else(|| format!("expected {}", TrainingDevice::ALL.map(TrainingDevice::name).join(" or ")))
}

impl DeviceOptions {
    /// Selects the device for this process. Must be called before any training.
    pub(super) fn start(&self) -> CommandResult {
        let name = self.device.name();
        self.device.select().map_err(|error| Failure::usage(format!("--device {name}: {error}")))?;
        if self.device != TrainingDevice::Cpu {
            set_training_device(name);
        }
        Ok(())
    }
}
