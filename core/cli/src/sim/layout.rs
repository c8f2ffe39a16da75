// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contents of a folder that programs take for a CANN installation.

use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use mf_base::{Error, Kind, Result};

use super::gpus::Gpus;
use super::{LIBRARY, OPERATION, failed};

/// Names under which programs open the libraries of CANN; the board management library is absent on purpose,
/// as programs do without it.
const SONAMES: [&str; 6] =
    ["libascendcl.so", "libhccl.so", "libhcomm.so", "libruntime.so", "libra.so", "libtsdclient.so"];
/// The driver's library. Programs look for it in the driver's folder, through the loader's path; our own
/// beside ACL's.
const DRIVER_SONAME: &str = "libascend_hal.so";
/// Announces the generation of drivers with public memory calls.
const DRIVER_VERSION: &str = "V100R001C23SPC005B219";
/// By this file a folder is known as one of ours.
const MARK: &str = "sim.conf";

/// The machine to announce: knobs of the simulator by name, without prefix.
pub(super) struct Machine {
    pub(super) knobs: Vec<(&'static str, String)>,
    /// GPUs of other vendors.
    pub(super) gpus: Option<Gpus>,
}

/// A folder's contents, for the place where programs will see it.
pub(super) struct Layout {
    home: PathBuf,
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
        Self { home: home.to_owned(), session: session.to_owned(), conf, gpus: machine.gpus.clone() }
    }

    /// The same for another place.
    pub(super) fn moved_to(&self, home: &Path) -> Self {
        let (session, conf, gpus) = (self.session.clone(), self.conf.clone(), self.gpus.clone());
        Self { home: home.to_owned(), session, conf, gpus }
    }

    /// Contents of the file at a fixed system path that names the driver's folder.
    pub(super) fn install_info(&self) -> String {
        format!("Driver_Install_Path_Param={}\n", self.home.display())
    }

    /// Variables for programs.
    pub(super) fn environment(&self) -> Vec<(&'static str, String)> {
        let home = self.home.display();
        let mut path = self.library_path();
        if let Ok(old) = std::env::var("LD_LIBRARY_PATH")
            && !old.is_empty()
        {
            path = format!("{path}:{old}");
        }
        let gpus = self.gpus.as_ref().map(Gpus::environment);
        let mut variables = vec![
            ("ASCEND_HOME_PATH", home.to_string()),
            ("ASCEND_TOOLKIT_HOME", home.to_string()),
            ("ASCEND_SIM_CONFIG", format!("{home}/{MARK}")),
            ("ASCEND_SIM_SESSION", self.session.clone()),
            ("LD_LIBRARY_PATH", path),
        ];
        variables.extend(gpus);
        variables
    }

    fn library_path(&self) -> String {
        let home = self.home.display();
        format!("{home}/lib64:{home}/driver/lib64/driver")
    }

    fn set_env(&self) -> String {
        let home = quoted(&self.home.display().to_string());
        let path = quoted(&self.library_path());
        let gpus = self.gpus.as_ref().map(Gpus::environment);
        let gpus = gpus.map(|(name, text)| format!("export {name}={}\n", quoted(&text))).unwrap_or_default();
        format!(
            "# To be read by a shell: . set_env.sh
export ASCEND_HOME_PATH={home}
export ASCEND_TOOLKIT_HOME={home}
export ASCEND_SIM_CONFIG={home}/{MARK}
export ASCEND_SIM_SESSION={session}
{gpus}case \":${{LD_LIBRARY_PATH:-}}:\" in
    *:{path}:*) ;;
    *) export LD_LIBRARY_PATH={path}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}} ;;
esac
",
            session = quoted(&self.session),
        )
    }

    /// Files with their text, by path inside the folder.
    fn files(&self) -> [(&'static str, String); 4] {
        [
            (MARK, self.conf.clone()),
            ("set_env.sh", self.set_env()),
            ("driver/version.info", format!("Innerversion={DRIVER_VERSION}\n")),
            ("etc/ascend_install.info", self.install_info()),
        ]
    }

    /// Writes the folder at `folder`, which exists.
    ///
    /// # Errors
    /// `Failed` names the file.
    pub(super) fn write(&self, folder: &Path, library: Library<'_>) -> Result<()> {
        let io = |path: &Path, error| failed("a file cannot be written", error).with("file", path.display());
        for place in ["lib64", "driver/lib64/driver", "etc"] {
            let path = folder.join(place);
            fs::create_dir_all(&path).map_err(|e| io(&path, e))?;
        }
        let headers = ascend_acl_sys::headers::files().into_iter();
        let headers = headers.map(|(name, text)| (folder.join("include").join(name), text));
        for (path, text) in
            self.files().map(|(name, text)| (folder.join(name), text)).into_iter().chain(headers)
        {
            let place = path.parent().unwrap_or(folder);
            fs::create_dir_all(place).map_err(|e| io(place, e))?;
            fs::write(&path, text).map_err(|e| io(&path, e))?;
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
        for name in SONAMES.into_iter().chain([DRIVER_SONAME]) {
            let path = folder.join("lib64").join(name);
            link(&path, Path::new(LIBRARY)).map_err(|e| io(&path, e))?;
        }
        let path = folder.join("driver/lib64/driver").join(DRIVER_SONAME);
        link(&path, &Path::new("../../../lib64").join(LIBRARY)).map_err(|e| io(&path, e))
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
        Layout::for_home(Path::new("/opt/it's here"), &Machine { knobs, gpus: None }, "machine 1")
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
