// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The committed bindings match the headers, and headers of an installation can be bound in their place.
//! Built with the feature `bindgen` only.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod fake;

use std::path::Path;
use std::process::Command;

use fake::Folder;

const FILES: [&str; 6] = ["types.rs", "acl.rs", "hal.rs", "rt.rs", "hccl.rs", "optional.rs"];

/// Writes the bindings into `out`.
fn generate(arguments: &[&Path], out: &Folder) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_generate_bindings"));
    let output = command.arg(out.path()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn generated(out: &Folder, name: &str) -> String {
    std::fs::read_to_string(out.path().join(name)).unwrap()
}

fn committed(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/raw").join(name)).unwrap()
}

#[test]
fn committed_bindings_are_those_of_the_headers() {
    let out = Folder::new("bindings");
    generate(&[], &out);
    for name in FILES {
        assert!(generated(&out, name) == committed(name), "{name} differs; run scripts/regen_bindings");
    }
}

#[test]
fn installed_headers_replace_bundled_ones() {
    let out = Folder::new("installed");
    let include = out.sub("include");
    let install = |folder: &str, name: &str, from: &str, to: &str| {
        let place = include.join(folder);
        std::fs::create_dir_all(&place).unwrap();
        let text = std::fs::read_to_string(fake::abi().join(name)).unwrap();
        let changed = text.replace(from, to);
        assert!(from.is_empty() || changed != text, "{name} has no {from}");
        std::fs::write(place.join(name), changed).unwrap();
        place.join(name)
    };
    // An installation is C++, has more than we bind, in another order, and here one structure that is not
    // ours.
    let more = "aclError aclMore(void);\n}\ntemplate <typename T> T aclBoth(T one, T other = T{});\nextern \"C\" {\n\
                aclError aclInit(const char *configPath);";
    let acl = install("acl", "acl.h", "aclError aclInit(const char *configPath);", more);
    install("acl", "acl_errors.h", "", "");
    install("acl", "acl_types.h", "uint32_t pageSize;", "uint64_t pageSize;");
    for entry in std::fs::read_dir(fake::abi()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name == "hccl_more.h" {
            // The installed hccl.h below defines it.
            install("hccl", &name, "HcclCommConfigInit", "HcclCommConfigOther");
        } else if name.ends_with(".h") && !include.join("acl").join(&name).exists() {
            install("acl", &name, "", "");
        }
    }
    let hccl = install("hccl", "hccl.h", "#include \"acl_types.h\"", "#include <acl/acl_types.h>");
    let text = std::fs::read_to_string(&hccl).unwrap();
    let first = text.find("/// Makes the root info").unwrap();
    let (last, end) =
        (text.find("/// Destroys a communicator.").unwrap(), text.find("\n#ifdef __cplusplus\n}").unwrap());
    let sized = text[..first].replace("char reserved[24];", "char reserved[HCCL_COMM_CONFIG_INFO_BYTES];");
    let inline = "inline void HcclCommConfigInit(HcclCommConfig *config) { *config = HcclCommConfig{}; }\n";
    let other = [&sized, &text[last..end], "\n", inline, &text[first..last], &text[end..]].concat();
    std::fs::write(&hccl, other).unwrap();

    generate(&[&acl, &hccl], &out);
    let pair = |name: &str| (generated(&out, name), generated(&out, &format!("committed/{name}")));
    for name in ["acl.rs", "hal.rs", "rt.rs", "hccl.rs"] {
        let (installed, ours) = pair(name);
        assert!(ours.lines().count() > 10 && installed == ours, "{name} differs:\n{installed}\n{ours}");
        assert!(ours.lines().is_sorted());
    }
    let (installed, ours) = pair("types.rs");
    let of = |text: &str, other: &str| -> Vec<String> {
        text.lines().filter(|line| !other.lines().any(|same| same == *line)).map(str::to_owned).collect()
    };
    let (theirs, ours) = (of(&installed, &ours), of(&ours, &installed));
    assert!(theirs.iter().any(|line| line == "aclrtPtrAttributes pageSize: u64"), "{theirs:#?}");
    assert!(ours.iter().any(|line| line == "aclrtPtrAttributes pageSize: u32"), "{ours:#?}");
    assert!(
        theirs.iter().chain(&ours).all(|line| line.contains("aclrtPtrAttributes")),
        "{theirs:#?} {ours:#?}"
    );
}
