// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contents of a folder that programs take for a CANN installation.

use std::env::consts::ARCH;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use ascend_acl_sys::releases::Release;
use mf_base::{Error, Kind, Result};

use super::gpus::Gpus;
use super::{LIBRARY, OPERATION, compiler, failed, installation, unified_bus};

/// Names under which programs open the libraries of CANN; the board management library is absent on purpose,
/// as programs do without it.
const SONAMES: [&str; 18] = [
    "libascendcl.so",
    "libacl_rt.so",
    "libacl_rt_impl.so",
    "libacl_op_compiler.so",
    "libacl_tdt_channel.so",
    "libacl_tdt_queue.so",
    "libascend_dump.so",
    "libascendsk.so",
    "libge_runner.so",
    "libgraph.so",
    "libhccl.so",
    "libhcomm.so",
    "libmsprofiler.so",
    "libprofapi.so",
    "libprofapi.so.1",
    "libra.so",
    "libruntime.so",
    "libtsdclient.so",
];
/// Libraries of CANN that builds name on the linker's line. What programs use of them is in their headers
/// here, so the simulator takes their places, too.
const LINKED: [&str; 15] = [
    "libascendalog.so",
    "libascendc_runtime.so",
    "libc_sec.so",
    "liberror_manager.so",
    "libexe_graph.so",
    "libgraph_base.so",
    "libkernel_tiling.so",
    "libmetadef.so",
    "libmmpa.so",
    "libnnopbase.so",
    "libopp_registry.so",
    "libplatform.so",
    "libregister.so",
    "libtiling_api.so",
    "libunified_dlog.so",
];
/// Folders that programs add to their paths; empty here.
const FOLDERS: [&str; 9] = [
    "bin",
    "lib64/cmake",
    "lib64/plugin/nnengine",
    "lib64/plugin/opskernel",
    "opp/vendors",
    "python/site-packages",
    "toolkit",
    "driver/lib64/driver",
    "etc",
];
/// The driver's library. Programs look for it in the driver's folder, through the loader's path; our own
/// beside ACL's.
const DRIVER_SONAME: &str = "libascend_hal.so";
/// By this file a folder is known as one of ours.
const MARK: &str = "sim.conf";

/// The machine to announce: knobs of the simulator by name, without prefix.
pub(super) struct Machine {
    pub(super) knobs: Vec<(&'static str, String)>,
    /// Release of CANN.
    pub(super) release: &'static Release,
    /// Devices on a unified bus, if the product has one.
    pub(super) bus: Option<u32>,
    /// GPUs of other vendors.
    pub(super) gpus: Option<Gpus>,
}

/// A folder's contents, for the place where programs will see it.
pub(super) struct Layout {
    home: PathBuf,
    release: &'static Release,
    /// Devices on a unified bus, if the product has one.
    bus: Option<u32>,
    session: String,
    conf: String,
    gpus: Option<Gpus>,
}

/// Method of placing the library in the folder.
#[derive(Clone, Copy)]
pub(super) enum Library<'a> {
    /// As a copy, so that the folder stands alone.
    Copy(&'a Path),
    /// As a link, for folders that do not outlive this program.
    Link(&'a Path),
}

impl Layout {
    /// The contents for a folder that programs see at `home`, for a machine that its processes share as
    /// `session`.
    pub(super) fn for_home(home: &Path, machine: &Machine, session: &str) -> Self {
        let mut conf =
            "# Knobs of the simulated machine; ASCEND_SIM_<NAME> in the environment goes first.\n".to_owned();
        for (name, value) in &machine.knobs {
            // Writing to a string cannot fail.
            let _ = writeln!(conf, "{name} = {value}");
        }
        let (home, session, gpus) = (home.to_owned(), session.to_owned(), machine.gpus.clone());
        Self { home, release: machine.release, bus: machine.bus, session, conf, gpus }
    }

    /// The same for another place.
    pub(super) fn moved_to(&self, home: &Path) -> Self {
        let (session, conf, gpus) = (self.session.clone(), self.conf.clone(), self.gpus.clone());
        Self { home: home.to_owned(), release: self.release, bus: self.bus, session, conf, gpus }
    }

    /// Files at fixed system paths: name below `/etc`, and text.
    pub(super) fn system_files(&self) -> Vec<(&'static str, String)> {
        let mut files = vec![("ascend_install.info", installation::install_info(&self.home))];
        if let Some(devices) = self.bus {
            files.push((unified_bus::RANKS, unified_bus::ranks(&self.home, devices)));
        }
        files
    }

    /// Links at the default place of installations: name below it, and target.
    pub(super) fn installation_links(&self) -> [(String, PathBuf); 6] {
        [
            ("cann".to_owned(), self.home.clone()),
            (format!("cann-{}", self.release.version), self.home.clone()),
            ("ascend-toolkit/latest".to_owned(), self.home.clone()),
            ("ascend-toolkit/set_env.sh".to_owned(), self.home.join("set_env.sh")),
            ("driver".to_owned(), self.home.join("driver")),
            ("firmware".to_owned(), self.home.join("firmware")),
        ]
    }

    /// Variables for programs.
    pub(super) fn environment(&self) -> Vec<(&'static str, String)> {
        let mut variables = self.variables();
        variables.extend(installation::paths(&self.home).map(|(name, path)| match std::env::var(name) {
            Ok(old) if !old.is_empty() => (name, format!("{path}:{old}")),
            _ => (name, path),
        }));
        variables
    }

    /// Variables with one value.
    fn variables(&self) -> Vec<(&'static str, String)> {
        let mut variables = installation::variables(&self.home).to_vec();
        variables.push(("ASCEND_SIM_CONFIG", format!("{}/{MARK}", self.home.display())));
        variables.push(("ASCEND_SIM_SESSION", self.session.clone()));
        variables.extend(self.gpus.as_ref().map(Gpus::environment));
        variables
    }

    fn set_env(&self) -> String {
        let mut text = "# To be read by a shell: . set_env.sh\n".to_owned();
        for (name, value) in self.variables() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "export {name}={}", quoted(&value));
        }
        for (name, path) in installation::paths(&self.home) {
            let path = quoted(&path);
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "case \":${{{name}:-}}:\" in
    *:{path}:*) ;;
    *) export {name}={path}${{{name}:+:${name}}} ;;
esac
"
            );
        }
        text
    }

    /// Files with their text, by path inside the folder.
    fn files(&self) -> Vec<(String, String)> {
        let mut files = vec![(MARK.to_owned(), self.conf.clone()), ("set_env.sh".to_owned(), self.set_env())];
        files.extend(self.system_files().into_iter().map(|(name, text)| (format!("etc/{name}"), text)));
        files.extend(installation::version_files(self.release));
        files.extend(compiler::cmake());
        files.extend(
            self.bus.map(|devices| (unified_bus::TOPOLOGY.to_owned(), unified_bus::topology(devices))),
        );
        files
    }

    /// Writes the folder at `folder`, which exists.
    ///
    /// # Errors
    /// `Failed` names the file.
    pub(super) fn write(&self, folder: &Path, library: Library<'_>) -> Result<()> {
        let io = |path: &Path, error| failed("a file cannot be written", error).with("file", path.display());
        for place in FOLDERS {
            let path = folder.join(place);
            fs::create_dir_all(&path).map_err(|e| io(&path, e))?;
        }
        let headers = ascend_acl_sys::headers::files().into_iter();
        let beside_kernels = mf_device_kernels::host_headers().iter();
        let headers = headers
            .chain(beside_kernels.map(|(name, text)| (*name, (*text).to_owned())))
            .map(|(name, text)| (folder.join("include").join(name), text));
        let files = self.files().into_iter().map(|(name, text)| (folder.join(name), text));
        for (path, text) in files.chain(headers) {
            let place = path.parent().unwrap_or(folder);
            fs::create_dir_all(place).map_err(|e| io(place, e))?;
            fs::write(&path, text).map_err(|e| io(&path, e))?;
        }
        for (name, text) in compiler::programs(&self.home) {
            let path = folder.join(name);
            let place = path.parent().unwrap_or(folder);
            fs::create_dir_all(place).map_err(|e| io(place, e))?;
            fs::write(&path, text)
                .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o755)))
                .map_err(|e| io(&path, e))?;
        }
        let own = folder.join("lib64").join(LIBRARY);
        match library {
            Library::Copy(from) => {
                // A new file in the place of the old one, so that running programs keep theirs.
                let draft = folder.join("lib64").join(format!(".{LIBRARY}.new"));
                fs::copy(from, &draft).and_then(|_| fs::rename(&draft, &own)).map_err(|e| io(&own, e))?;
            }
            Library::Link(to) => link(&own, to).map_err(|e| io(&own, e))?,
        }
        if let Some(gpus) = &self.gpus {
            gpus.write(&folder.join("lib64"), matches!(library, Library::Copy(_)))?;
        }
        // All names lead to one file: the loader then has one library in a process, with one state.
        for name in SONAMES.into_iter().chain(LINKED).chain([DRIVER_SONAME]) {
            let path = folder.join("lib64").join(name);
            link(&path, Path::new(LIBRARY)).map_err(|e| io(&path, e))?;
        }
        let path = folder.join("driver/lib64/driver").join(DRIVER_SONAME);
        link(&path, &Path::new("../../../lib64").join(LIBRARY)).map_err(|e| io(&path, e))?;
        // Builds look for headers and libraries by architecture, too.
        for name in ["include", "lib64"] {
            let path = folder.join(format!("{ARCH}-linux")).join(name);
            link(&path, &Path::new("..").join(name)).map_err(|e| io(&path, e))?;
        }
        Ok(())
    }
}

/// Refuses a folder with other things in it.
///
/// # Errors
/// `InUse` for a folder that is not empty and not ours · `Failed` for a file · `InvalidParam` for a name
/// that cannot stand in the loader's path.
pub(super) fn check_target(folder: &Path) -> Result<()> {
    if folder.to_str().is_none_or(|name| name.contains([':', '\n'])) {
        return Err(Error::invalid(OPERATION, "the folder's name cannot stand in LD_LIBRARY_PATH")
            .with("folder", folder.display())
            .hint("no colon, no line break, UTF-8"));
    }
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            return Err(failed("the folder cannot be read", error).with("folder", folder.display()));
        }
    };
    if folder.join(MARK).is_file() || entries.next().is_none() {
        return Ok(());
    }
    Err(Error::new(Kind::InUse, OPERATION)
        .what("the folder has other things in it")
        .with("folder", folder.display())
        .hint("name a new folder, an empty one, or one that `mf sim` has made"))
}

pub(super) fn link(path: &Path, target: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    symlink(target, path)
}

/// As a word of the shell.
pub(super) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:+=@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(knobs: &[(&'static str, &str)]) -> Layout {
        let knobs = knobs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Layout::for_home(
            Path::new("/opt/it's here"),
            &Machine { knobs, release: &Release::ALL[0], bus: None, gpus: None },
            "machine 1",
        )
    }

    #[test]
    fn the_shell_file_survives_odd_names() {
        let text = layout(&[]).set_env();
        assert!(text.contains(r"ASCEND_HOME_PATH='/opt/it'\''s here'"), "{text}");
        assert!(text.contains("ASCEND_SIM_SESSION='machine 1'"), "{text}");
    }

    #[test]
    fn settings_are_written_to_the_configuration() {
        let files = layout(&[("DEVICES", "2"), ("SOC", "Ascend910B3")]).files();
        assert!(files[0].1.ends_with("DEVICES = 2\nSOC = Ascend910B3\n"), "{}", files[0].1);
    }

    #[test]
    fn only_words_with_special_characters_are_quoted() {
        assert_eq!(quoted("/a/b-c_1.0"), "/a/b-c_1.0");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a b"), "'a b'");
    }
}
