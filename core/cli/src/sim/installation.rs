// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Version files and variables of an installation of CANN, as programs of a release expect them.

use std::env::consts::ARCH;
use std::path::Path;

use ascend_acl_sys::releases::Release;

/// Announces the generation of drivers with public memory calls.
const DRIVER_VERSION: &str = "V100R001C23SPC005B219";

/// Version files by path inside the installation.
pub(super) fn version_files(release: &Release) -> Vec<(String, String)> {
    let version = release.version;
    let line = format!("Version={version}\n");
    let mut files: Vec<_> = Release::PACKAGES
        .iter()
        .map(|name| (format!("share/info/{name}/version.info"), line.clone()))
        .collect();
    files.extend([
        ("version.info".to_owned(), line.clone()),
        ("opp/version.info".to_owned(), line),
        ("version.cfg".to_owned(), version_table(version)),
        (format!("{ARCH}-linux/ascend_toolkit_install.info"), toolkit(version)),
        (
            "driver/version.info".to_owned(),
            format!("Version={}\nInnerversion={DRIVER_VERSION}\n", release.driver),
        ),
        ("firmware/version.info".to_owned(), format!("Version={}\n", release.driver)),
    ]);
    files
}

/// Contents of `/etc/ascend_install.info` for an installation at `home`.
pub(super) fn install_info(home: &Path) -> String {
    let home = home.display();
    format!("Driver_Install_Path_Param={home}\nFirmware_Install_Path_Param={home}\n")
}

/// Variables with one value.
pub(super) fn variables(home: &Path) -> [(&'static str, String); 5] {
    let home = home.display();
    [
        ("ASCEND_HOME_PATH", home.to_string()),
        ("ASCEND_TOOLKIT_HOME", home.to_string()),
        ("ASCEND_AICPU_PATH", home.to_string()),
        ("ASCEND_OPP_PATH", format!("{home}/opp")),
        ("TOOLCHAIN_HOME", format!("{home}/toolkit")),
    ]
}

/// Variables that list folders, with the folders to put first.
pub(super) fn paths(home: &Path) -> [(&'static str, String); 4] {
    let home = home.display();
    let folders =
        |names: &[&str]| names.iter().map(|name| format!("{home}/{name}")).collect::<Vec<_>>().join(":");
    [
        (
            "LD_LIBRARY_PATH",
            folders(&["lib64", "lib64/plugin/opskernel", "lib64/plugin/nnengine", "driver/lib64/driver"]),
        ),
        ("PATH", folders(&["bin"])),
        ("PYTHONPATH", folders(&["python/site-packages"])),
        ("CMAKE_PREFIX_PATH", folders(&["lib64/cmake"])),
    ]
}

fn version_table(version: &str) -> String {
    let kinds = ["running", "upgrade", "installed"];
    let lines = kinds.map(|kind| format!("toolkit_{kind}_version=[{version}:{version}]\n"));
    format!("# version: 1.0\n{}", lines.concat())
}

/// Assumed: how the inner version of a toolkit is written.
fn toolkit(version: &str) -> String {
    format!(
        "package_name=Ascend-cann-toolkit\nversion={version}\ninnerversion={version}B001\narch={ARCH}\nos=linux\n"
    )
}
