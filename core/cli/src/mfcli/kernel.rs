// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfcli kernel`: the kernels of this library, which are a part of it, as files for programs that load them
//! by path (`mfx_kernel_load`, `mf_smem.kernels.load`).

use std::path::{Path, PathBuf};

use mf_base::{Error, Kind, Result};
use mf_device_kernels::{made_by, table};
use mf_program::output::print;
use mf_program::table::TextTable;

use crate::kernel::{SIMULATOR, built_in};

const OPERATION: &str = "mfcli kernel";

/// The kernels of this library: install them as files, show and remove those.
///
/// The library needs no files: its kernels are a part of it. Files are for programs that load kernels by
/// path.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: KernelCommand,
}

#[derive(clap::Subcommand)]
enum KernelCommand {
    Install(InstallArgs),
    Info(InfoArgs),
    Version(VersionArgs),
    Uninstall(UninstallArgs),
}

/// Write the kernels into a folder: one file for each chip that this build has kernels for.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mfcli kernel install
  mfcli kernel install --install-for-all --soc-version A3")]
struct InstallArgs {
    #[command(flatten)]
    place: InstallPlace,
    /// The chip; without it all that this build has kernels for.
    #[arg(long, value_enum, ignore_case = true, value_name = "A2|A3|A5|sim")]
    soc_version: Option<Chip>,
}

/// Show the folders of installed kernels, and this build's kernels.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mfcli kernel info")]
struct InfoArgs {
    #[command(flatten)]
    place: InstallPlace,
}

/// Show the version of the kernels, and what made them.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mfcli kernel version")]
struct VersionArgs {}

/// Remove what install has written.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mfcli kernel uninstall")]
struct UninstallArgs {
    #[command(flatten)]
    place: InstallPlace,
}

#[derive(clap::Args)]
struct InstallPlace {
    /// For all users: share/memfabric/kernels of the program's parent folder, instead of memfabric/kernels in
    /// the user's folder for data (XDG_DATA_HOME, or ~/.local/share).
    #[arg(long)]
    install_for_all: bool,
}

impl InstallPlace {
    fn folder(&self) -> Result<PathBuf> {
        let none = |why: &str| Error::new(Kind::NotExist, OPERATION).what(why.to_owned());
        if self.install_for_all {
            let program = std::fs::read_link("/proc/self/exe")
                .map_err(|error| none("the folder of this program is not known").source(error))?;
            let prefix = program.ancestors().nth(2);
            let prefix = prefix.ok_or_else(|| none("the program's folder has no parent"))?;
            return Ok(prefix.join("share/memfabric/kernels"));
        }
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let data = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")));
        let data = data.ok_or_else(|| {
            none("neither XDG_DATA_HOME nor HOME is set").hint("set one, or use --install-for-all")
        })?;
        Ok(data.join("memfabric/kernels"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Chip {
    #[value(name = "A2")]
    A2,
    #[value(name = "A3")]
    A3,
    #[value(name = "A5")]
    A5,
    #[value(name = "sim")]
    Simulator,
}

impl Chip {
    const ALL: [Self; 4] = [Self::A2, Self::A3, Self::A5, Self::Simulator];

    fn name(self) -> &'static str {
        match self {
            Self::A2 => "A2",
            Self::A3 => "A3",
            Self::A5 => "A5",
            Self::Simulator => "sim",
        }
    }

    /// This build's binary for it, or the reason for its absence.
    fn binary(self) -> std::result::Result<&'static [u8], String> {
        built_in(match self {
            Self::A2 => "Ascend910B1",
            Self::A3 => "Ascend910_9382",
            Self::A5 => "Ascend950PR_957c",
            Self::Simulator => SIMULATOR,
        })
    }

    fn file(self, folder: &Path) -> PathBuf {
        folder.join(format!("memfabric_kernels_{}.o", self.name()))
    }
}

/// Runs the subcommand.
pub(super) fn main(args: &Args) -> Result<()> {
    match &args.what {
        KernelCommand::Install(args) => install(args),
        KernelCommand::Info(args) => info(&args.place.folder()?),
        KernelCommand::Version(_) => version(),
        KernelCommand::Uninstall(args) => uninstall(&args.place.folder()?),
    }
}

fn failed(what: &str, path: &Path, error: std::io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what.to_owned()).with("path", path.display()).source(error)
}

fn install(args: &InstallArgs) -> Result<()> {
    let folder = args.place.folder()?;
    let chips: Vec<Chip> =
        Chip::ALL.into_iter().filter(|chip| args.soc_version.is_none_or(|one| one == *chip)).collect();
    let mut reasons = Vec::new();
    let mut binaries = Vec::new();
    for chip in chips {
        match chip.binary() {
            Ok(binary) => binaries.push((chip, binary)),
            Err(reason) => reasons.push(format!("{}: {reason}", chip.name())),
        }
    }
    if binaries.is_empty() {
        return Err(Error::new(Kind::NotExist, OPERATION)
            .what("this build has no such kernels")
            .with("reason", reasons.join("; "))
            .hint("build the library where CANN's compiler is (ASCEND_HOME_PATH)"));
    }
    std::fs::create_dir_all(&folder).map_err(|error| failed("the folder cannot be made", &folder, error))?;
    for (chip, binary) in binaries {
        let (path, beside) = (chip.file(&folder), folder.join(format!(".{}", std::process::id())));
        // A program that loads the file at this moment gets the old one or the new one.
        std::fs::write(&beside, binary).and_then(|()| std::fs::rename(&beside, &path)).map_err(|error| {
            let _ = std::fs::remove_file(&beside);
            failed("the file cannot be written", &path, error)
        })?;
        print(&format!("installed {}\n", path.display()))?;
    }
    Ok(())
}

fn info(folder: &Path) -> Result<()> {
    let mut kernels = TextTable::new(3, &["kernel", "cores", "arguments"]);
    for kernel in table() {
        kernels.row(vec![kernel.name.clone(), kernel.cores.to_string(), kernel.arguments.join(", ")]);
    }
    let mut chips = TextTable::new(3, &["chip", "in this build", "installed"]);
    for chip in Chip::ALL {
        let (path, binary) = (chip.file(folder), chip.binary());
        let installed = match (std::fs::read(&path), &binary) {
            (Ok(file), Ok(binary)) if file == *binary => path.display().to_string(),
            (Ok(_), _) => format!("{} (of another build)", path.display()),
            (Err(_), _) => "no".to_owned(),
        };
        let has = binary.map_or_else(|reason| format!("no: {reason}"), |_| "yes".to_owned());
        chips.row(vec![chip.name().to_owned(), has, installed]);
    }
    print(&format!("{}\n{}", kernels.render(), chips.render()))
}

fn version() -> Result<()> {
    let (host, npu) = made_by();
    let has_npu = Chip::ALL.into_iter().any(|chip| chip != Chip::Simulator && chip.binary().is_ok());
    let npu = if has_npu { npu } else { "not compiled" };
    print(&format!("kernels {}\nsimulator {host}\nNPU {npu}\n", env!("CARGO_PKG_VERSION")))
}

fn uninstall(folder: &Path) -> Result<()> {
    let mut removed = 0;
    for chip in Chip::ALL {
        let path = chip.file(folder);
        match std::fs::remove_file(&path) {
            Ok(()) => {
                removed += 1;
                print(&format!("removed {}\n", path.display()))?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed("the file cannot be removed", &path, error)),
        }
    }
    if removed == 0 {
        return print(&format!("nothing is installed in {}\n", folder.display()));
    }
    // Other files stay, and with them the folder.
    let _ = std::fs::remove_dir(folder);
    Ok(())
}
