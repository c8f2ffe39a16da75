// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf sim` from outside, with an empty file in the place of the simulator's library: the layout, a command's
//! environment, and refusals.

#![expect(unsafe_code, reason = "capabilities of child processes")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "helpers of tests fail the test"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mf-sim-test-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("library.so"), "").unwrap();
        Self(path)
    }

    fn sim(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
        command
            .arg("sim")
            .arg("--library")
            .arg(self.0.join("library.so"))
            .args(arguments)
            .env_remove("LD_LIBRARY_PATH")
            .current_dir(&self.0);
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn sim_folder_has_the_installation_layout_and_can_be_refreshed() {
    let folder = Folder::new("layout");
    text(&folder.sim(&["--devices", "2", "my cann"]));
    text(&folder.sim(&["--devices", "3", "--hbm", "1G", "my cann"]));
    let home = folder.0.join("my cann");
    let own = fs::canonicalize(home.join("lib64/libascend_sim.so")).unwrap();
    for name in [
        "lib64/libascendcl.so",
        "lib64/libascend_hal.so",
        "lib64/libra.so",
        "driver/lib64/driver/libascend_hal.so",
    ] {
        assert_eq!(fs::canonicalize(home.join(name)).unwrap(), own, "{name}");
    }
    assert!(!home.join("lib64/libdcmi.so").exists());
    let read = |name: &str| fs::read_to_string(home.join(name)).unwrap();
    assert!(read("sim.conf").ends_with("DEVICES = 3\nHBM_BYTES = 1073741824\n"), "{}", read("sim.conf"));
    assert_eq!(read("driver/version.info"), "Version=26.0.0\nInnerversion=V100R001C23SPC005B219\n");
    let at = home.display();
    let info = format!("Driver_Install_Path_Param={at}\nFirmware_Install_Path_Param={at}\n");
    assert_eq!(read("etc/ascend_install.info"), info);
    let shell = Command::new("sh")
        .args([
            "-c",
            ". './my cann/set_env.sh'; . './my cann/set_env.sh'; echo \"$LD_LIBRARY_PATH|$ASCEND_HOME_PATH|$ASCEND_OPP_PATH|$PYTHONPATH\"",
        ])
        .env_remove("PYTHONPATH")
        .current_dir(&folder.0)
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap();
    let libraries = ["lib64", "lib64/plugin/opskernel", "lib64/plugin/nnengine", "driver/lib64/driver"];
    let libraries = libraries.map(|name| format!("{at}/{name}")).join(":");
    assert_eq!(text(&shell), format!("{libraries}|{at}|{at}/opp|{at}/python/site-packages\n"));
}

#[test]
fn sim_folder_has_headers_for_cann_programs() {
    let folder = Folder::new("include");
    text(&folder.sim(&["cann"]));
    let program = "
        #include <stddef.h>
        #include \"acl/acl.h\"
        #include \"acl/acl_rt.h\"
        #include \"acl/acl_base.h\"
        #include \"hccl/hccl.h\"
        #include \"hccl/hccl_types.h\"
        #include \"driver/ascend_hal.h\"
        #include \"runtime/rt.h\"
        int main(void)
        {
            struct HcclSendRecvItem item = { HCCL_SEND, NULL, 1, HCCL_DATA_TYPE_INT8, 0 };
            void *place = NULL;
            HcclComm comm = NULL;
            if (aclInit(NULL) != ACL_ERROR_NONE || aclrtSetDevice(0) != ACL_SUCCESS) return 1;
            if (aclrtMalloc(&place, 4096, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_ERROR_FAILURE) return 2;
            if (halMemAddressFree(place) != DRV_ERROR_NONE) return 3;
            return HcclBatchSendRecv(&item, 1, comm, NULL) == HCCL_SUCCESS ? 0 : (int)ACL_ERROR_INTERNAL_ERROR;
        }";
    for (compiler, language, standard) in [("cc", "c", "-std=c11"), ("c++", "c++", "-std=c++17")] {
        let source = folder.0.join("program");
        fs::write(&source, program).unwrap();
        let compiled = Command::new(compiler)
            .args([
                standard,
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Wno-unused-const-variable",
                "-fsyntax-only",
                "-x",
                language,
            ])
            .arg(&source)
            .arg("-I")
            .arg(folder.0.join("cann/include"))
            .output();
        match compiled {
            Err(error) => eprintln!("skip {compiler}: {error}"),
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        }
    }
}

#[test]
fn older_release_is_selected_by_number() {
    let folder = Folder::new("release");
    text(&folder.sim(&["--cann", "8.1", "cann"]));
    assert!(fs::read_to_string(folder.0.join("cann/sim.conf")).unwrap().ends_with("CANN = 8.1\n"));
    let read = |name: &str| fs::read_to_string(folder.0.join("cann").join(name)).unwrap();
    assert_eq!(read("share/info/runtime/version.info"), "Version=8.1.RC1\n");
    text(&folder.sim(&["cann"]));
    for name in ["share/info/hcomm/version.info", "version.info", "opp/version.info"] {
        assert_eq!(read(name), "Version=9.1.0\n", "{name}");
    }
    assert!(read("version.cfg").contains("toolkit_upgrade_version=[9.1.0:9.1.0]"), "{}", read("version.cfg"));
    let toolkit = read(&format!("{}-linux/ascend_toolkit_install.info", std::env::consts::ARCH));
    assert!(toolkit.contains("\nversion=9.1.0\n"), "{toolkit}");
    let wrong = folder.sim(&["--cann", "7.0", "cann"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("8.1"), "{wrong:?}");
}

#[test]
fn command_runs_in_the_simulator_and_its_exit_code_is_returned() {
    let folder = Folder::new("run");
    let script = "test -e \"$ASCEND_HOME_PATH/lib64/libascendcl.so\" && echo \"$ASCEND_SIM_SESSION\"; exit 7";
    let first = folder.sim(&["--", "sh", "-c", script]);
    let second = folder.sim(&["--", "sh", "-c", script]);
    assert_eq!(first.status.code(), Some(7), "{first:?}");
    assert!(first.stdout.starts_with(b"mf-sim-"), "{first:?}");
    assert_ne!(first.stdout, second.stdout, "each run is a machine of its own");
}

#[test]
fn unified_bus_is_described_where_the_product_has_one() {
    let folder = Folder::new("bus");
    text(&folder.sim(&["--devices", "3", "--soc", "Ascend950PR_9599", "bus"]));
    text(&folder.sim(&["--devices", "3", "--soc", "Ascend910_9382", "other"]));
    let read = |path: &Path| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    };
    let ranks = read(&folder.0.join("bus/etc/hccl_rootinfo.json"));
    let addresses: BTreeSet<&str> = ranks["rank_list"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|rank| rank["level_list"].as_array().unwrap())
        .map(|level| level["rank_addr_list"][0]["addr"].as_str().unwrap())
        .collect();
    assert_eq!(addresses.len(), 6, "two addresses a device: {ranks}");
    let topology = read(Path::new(ranks["topo_file_path"].as_str().unwrap()));
    assert_eq!(topology["edge_list"].as_array().unwrap().len(), 3 + 3, "{topology}");
    assert!(!folder.0.join("other/etc/hccl_rootinfo.json").exists());
}

#[test]
fn ascend_install_info_exists_only_inside_the_simulator() {
    let folder = Folder::new("system");
    let there_before = fs::exists("/etc/ascend_install.info").unwrap();
    let inside = folder.sim(&["--", "cat", "/etc/ascend_install.info"]);
    if String::from_utf8_lossy(&inside.stderr).contains("are not provided") {
        println!("skip the fixed system files: {}", String::from_utf8_lossy(&inside.stderr).trim());
        return;
    }
    let home = "/etc/ascend-sim";
    let info = format!("Driver_Install_Path_Param={home}\nFirmware_Install_Path_Param={home}\n");
    assert_eq!(text(&inside), info);
    let ranks = folder.sim(&["--soc", "Ascend950PR_9599", "--", "cat", "/etc/hccl_rootinfo.json"]);
    assert!(text(&ranks).contains("\"rank_count\": 8"), "{ranks:?}");
    assert_eq!(fs::exists("/etc/ascend_install.info").unwrap(), there_before);
    assert!(!fs::exists("/etc/ascend-sim").unwrap());
}

#[test]
fn default_place_is_the_installation_only_inside_the_simulator() {
    let folder = Folder::new("place");
    let place = "/usr/local/Ascend";
    let there_before = fs::exists(place).unwrap();
    let script = format!(
        "cd {place} && readlink cann cann-8.5.0 ascend-toolkit/latest && cat cann/version.info && \
         test -e cann/lib64/libacl_rt_impl.so && test -e driver/lib64/driver/libascend_hal.so && \
         grep -c Version driver/version.info firmware/version.info && . ascend-toolkit/set_env.sh && test -d /usr/local/bin"
    );
    for (arguments, home) in [
        (&["--cann", "8.5"][..], "/etc/ascend-sim".into()),
        (&["--cann", "8.5", "own"][..], folder.0.join("own")),
    ] {
        let inside = folder.sim(&[arguments, &["--", "sh", "-c", &script]].concat());
        let note = String::from_utf8_lossy(&inside.stderr).into_owned();
        if note.contains("are not provided") || note.contains("is not the simulated installation") {
            println!("skip the default place of installations: {}", note.trim());
            return;
        }
        let home = home.canonicalize().unwrap_or(home);
        let home = home.display();
        let expected = format!(
            "{home}\n{home}\n{home}\nVersion=8.5.0\ndriver/version.info:1\nfirmware/version.info:1\n"
        );
        assert_eq!(text(&inside), expected);
    }
    assert_eq!(fs::exists(place).unwrap(), there_before);
}

#[test]
fn mounts_below_covered_folders_stay_visible() {
    let folder = Folder::new("mounts");
    fs::write(folder.0.join("own"), "own\n").unwrap();
    // A file and a folder are mounted, as containers do it, in a namespace of the test.
    let script = format!(
        "mount --bind {own} /etc/hosts && mount --bind {parent} /usr/local/bin && \
         exec {mf} sim --library {parent}/library.so -- sh -c 'cat /etc/hosts /usr/local/bin/own && test -e /etc/ascend_install.info'",
        own = folder.0.join("own").display(),
        parent = folder.0.display(),
        mf = env!("CARGO_BIN_EXE_mf"),
    );
    let ran =
        Command::new("unshare").args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]).output();
    match ran {
        Ok(ran) if ran.status.success() => assert_eq!(text(&ran), "own\nown\n", "{ran:?}"),
        // Neither the command nor the namespaces are everywhere.
        Ok(ran) if String::from_utf8_lossy(&ran.stderr).contains("unshare") => {
            println!("skip mounts below covered folders: {ran:?}");
        }
        Ok(ran) => panic!("{ran:?}"),
        Err(error) => println!("skip mounts below covered folders: unshare: {error}"),
    }
}

#[test]
fn programs_of_wrapper_scripts_end_when_mf_is_killed() {
    let folder = Folder::new("killed");
    // Where namespaces are allowed, mf replaces itself by the command.
    let without_namespaces = |arguments: &[&str]| {
        const CAP_SYS_ADMIN: libc::c_ulong = 21;
        let mut command = folder.command(arguments);
        let in_child = || {
            // SAFETY: a number of a capability; of another user than root it is refused.
            unsafe { libc::prctl(libc::PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0) };
            Ok(())
        };
        // SAFETY: between fork and exec the closure makes a system call only.
        unsafe { command.pre_exec(in_child) };
        command
    };
    let ordinary = without_namespaces(&["--", "true"]).output().unwrap();
    if !String::from_utf8_lossy(&ordinary.stderr).contains("are not provided") {
        println!("skip the guard of mf sim: this user has namespaces");
        return;
    }
    let script = "echo $ASCEND_HOME_PATH; sleep 600 & echo $!; sh -c 'sleep 600 & echo $!; wait'";
    let mut child = without_namespaces(&["--", "sh", "-c", script]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    let (home, first, second) = (next(), next(), next());
    child.kill().unwrap();
    child.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    for pid in [first, second] {
        let is_running = || {
            let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            status.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
        };
        while is_running() {
            assert!(Instant::now() < deadline, "a program of the script goes on");
            std::thread::yield_now();
        }
    }
    while Path::new(&home).exists() {
        assert!(Instant::now() < deadline, "the folder stays");
        std::thread::yield_now();
    }
}

#[test]
fn bad_folders_and_commands_are_refused_by_name() {
    let folder = Folder::new("refusals");
    let refused = |arguments: &[&str], why: &str| {
        let output = folder.sim(arguments);
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && printed.contains(why), "{arguments:?}: {printed}");
    };
    fs::create_dir(folder.0.join("full")).unwrap();
    fs::write(folder.0.join("full/note"), "dear").unwrap();
    refused(&["full"], "other things in it");
    refused(&["a:b"], "LD_LIBRARY_PATH");
    refused(&[], "neither a folder nor a command");
    refused(&["--", "/no/such/program"], "cannot be started");
    fs::remove_file(folder.0.join("library.so")).unwrap();
    refused(&["x"], "the simulator's library is not there");
    assert_eq!(fs::read_to_string(folder.0.join("full/note")).unwrap(), "dear");
}

#[test]
fn requested_gpus_have_driver_library_names() {
    let folder = Folder::new("gpus");
    let refused = folder.sim(&["--gpus", "1:cuda", "machine"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("libgpu_sim.so"), "{refused:?}");
    fs::write(folder.0.join("libgpu_sim.so"), "").unwrap();
    text(&folder.sim(&["--gpus", "1:musa", "machine"]));
    text(&folder.sim(&["--gpus", "2:cuda,1:cndrv", "machine"]));
    let home = fs::canonicalize(folder.0.join("machine")).unwrap();
    for (name, is_there) in
        [("libcuda.so.1", true), ("libcndrv.so", true), ("libamdhip64.so.7", false), ("libmusa.so.1", false)]
    {
        assert_eq!(fs::canonicalize(home.join("lib64").join(name)).is_ok(), is_there, "{name}");
    }
    let shell = Command::new("sh")
        .args(["-c", ". machine/set_env.sh; echo \"$GPUSIM_GPUS\""])
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert_eq!(text(&shell), "2:cuda,1:cndrv\n");
    let wrong = folder.sim(&["--gpus", "2:cud", "machine"]);
    assert!(!wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("cndrv"), "{wrong:?}");
}
