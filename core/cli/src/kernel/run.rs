// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf kernel run`: one launch, with memory made for it.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use mf_base::settings::{DeviceChoice, settings};
use mf_base::{ByteLen, Error, Kind, Result};
use mf_library::accelerator::{Accelerator, Arguments, Kernels, Memory};
use mf_library::c_text;
use mf_program::child::ourselves;
use mf_program::output::{note, print};

use super::OPERATION;

/// Launch one kernel on the accelerator, with memory made for it, and print the resulting memory.
///
/// ARGUMENTS, in the order of the kernel's declaration:
///   u32:N i32:N u64:N i64:N f32:X   a number
///   in:FILE                         device memory with the bytes of FILE
///   out:SIZE or out:SIZE:FILE       device memory of SIZE zeroes; afterwards shown, or put into FILE
///
/// Kernels that work on share memory need a job: launch them from a program. Without MF_DEVICE the
/// simulator is taken where there is no NPU.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Example:
  mf kernel run mf_copy out:64 in:README.md u64:64"
)]
pub(super) struct Args {
    /// The kernel.
    #[arg(value_name = "NAME")]
    name: String,
    /// Its arguments.
    #[arg(value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
    /// The binary (default: the kernels of this library).
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Number of blocks.
    #[arg(long, default_value_t = 1, value_name = "N")]
    blocks: u32,
    /// Longest run in seconds (default: the device's own limit).
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Number of the device.
    #[arg(long, default_value_t = 0, value_name = "N")]
    device: u32,
}

/// Launches and shows.
pub(super) fn main(args: &Args) -> Result<u8> {
    let accelerator = match Accelerator::open(args.device) {
        Err(error) if error.kind() == Kind::NotExist && settings()?.device == DeviceChoice::Auto => {
            return on_simulator(&error);
        }
        opened => opened?,
    };
    let kernels = match &args.binary {
        Some(path) => Kernels::load(path)?,
        None => Kernels::built_in()?,
    };
    let given = args
        .arguments
        .iter()
        .map(|text| KernelArgument::parse(text, &accelerator))
        .collect::<Result<Vec<_>>>()?;
    let arguments = given.iter().fold(Arguments::new(), |all, one| one.add_to(all));
    let timeout = args.timeout.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO));
    let (name, start) = (c_text(&args.name)?, Instant::now());
    // SAFETY: the memory arguments belong to `given`; numbers are passed as the user gave them.
    unsafe { kernels.launch(&name, None, args.blocks, timeout, &arguments) }?;
    note(&format!("{}: {} blocks, {:.3} ms", args.name, args.blocks, start.elapsed().as_secs_f64() * 1e3));
    given.iter().try_for_each(|one| one.show(&accelerator)).map(|()| 0)
}

/// Runs the command again on the simulator: a process reads its settings once.
fn on_simulator(why: &Error) -> Result<u8> {
    let mut command = ourselves(&[]);
    command.args(std::env::args_os().skip(1)).env("MF_DEVICE", "sim");
    let status = command
        .status()
        .map_err(|error| Error::new(Kind::NotExist, OPERATION).what(why.to_string()).source(error))?;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// An argument.
enum KernelArgument<'a> {
    Word(u64),
    Memory { memory: Memory<'a>, bytes: u64, output: Option<PathBuf>, is_shown: bool },
}

impl<'a> KernelArgument<'a> {
    fn parse(text: &OsString, accelerator: &'a Accelerator) -> Result<Self> {
        let text = text.to_string_lossy();
        let wrong = || {
            Error::invalid(OPERATION, "not a kernel argument")
                .with("argument", &text)
                .hint("u32:N i32:N u64:N i64:N f32:X in:FILE out:SIZE[:FILE]")
        };
        let (kind, value) = text.split_once(':').ok_or_else(wrong)?;
        fn number<T: FromStr>(value: &str) -> Option<T> {
            value.parse().ok()
        }
        let word = match kind {
            "u32" => number::<u32>(value).map(u64::from),
            "i32" => number::<i32>(value).map(|value| u64::from(value.cast_unsigned())),
            "u64" => number(value),
            "i64" => number::<i64>(value).map(i64::cast_unsigned),
            "f32" => number::<f32>(value).map(|value| u64::from(value.to_bits())),
            "in" => {
                let content = std::fs::read(value).map_err(|error| wrong().source(error))?;
                return Self::memory(accelerator, &content, None, false);
            }
            "out" => {
                let (size, file) =
                    value.split_once(':').map_or((value, None), |(size, file)| (size, Some(file)));
                let size = size.parse::<ByteLen>().map_err(|_| wrong())?;
                let content = vec![0; usize::try_from(size.0).map_err(|_| wrong())?];
                return Self::memory(accelerator, &content, file.map(PathBuf::from), true);
            }
            _ => None,
        };
        word.map(KernelArgument::Word).ok_or_else(wrong)
    }

    /// Device memory with this content.
    fn memory(
        accelerator: &'a Accelerator,
        content: &[u8],
        output: Option<PathBuf>,
        is_shown: bool,
    ) -> Result<Self> {
        let bytes = content.len() as u64;
        let memory = accelerator.allocate(bytes.max(1))?;
        // SAFETY: a slice, and memory of as many bytes that nothing else uses.
        unsafe { accelerator.copy(memory.address(), content.as_ptr(), bytes) }?;
        Ok(KernelArgument::Memory { memory, bytes, output, is_shown })
    }

    fn add_to(&self, arguments: Arguments) -> Arguments {
        match self {
            KernelArgument::Word(word) => arguments.u64(*word),
            KernelArgument::Memory { memory, .. } => arguments.address(memory.address()),
        }
    }

    fn show(&self, accelerator: &Accelerator) -> Result<()> {
        let KernelArgument::Memory { memory, bytes, output, is_shown: true } = self else { return Ok(()) };
        let mut content = vec![0_u8; usize::try_from(*bytes).unwrap_or_default()];
        // SAFETY: memory of so many bytes, and a vector of as many.
        unsafe { accelerator.copy(content.as_mut_ptr(), memory.address(), *bytes) }?;
        match output {
            Some(path) => std::fs::write(path, content).map_err(|error| {
                Error::new(Kind::Failed, OPERATION)
                    .what("the file cannot be written")
                    .with("file", path.display())
                    .source(error)
            }),
            None => print(&dump(&content)),
        }
    }
}

/// Hex dump in rows of 16 bytes, with offsets and text.
fn dump(content: &[u8]) -> String {
    let row = |(number, row): (usize, &[u8])| {
        let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let text: String = row
            .iter()
            .map(|byte| if byte.is_ascii_graphic() || *byte == b' ' { char::from(*byte) } else { '.' })
            .collect();
        format!("{:08x}  {:<47}  {text}\n", number * 16, hex.join(" "))
    };
    content.chunks(16).enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_rows() {
        let text = dump(b"0123456789abcdef\x00z");
        assert_eq!(text.lines().count(), 2);
        assert!(text.starts_with("00000000  30 31"), "{text}");
        assert!(text.ends_with("  .z\n") && text.contains("00000010  00 7a "), "{text}");
    }
}
