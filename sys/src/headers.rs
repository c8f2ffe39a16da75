// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Our headers as files, for programs that are compiled where no CANN is: a folder `include` in which the
//! names are that programs of CANN include, with what `sys/abi` declares of it.

/// The types, errors and functions of ACL.
const ACL: &str = "acl/acl.h";

/// Path below `include`, and text.
pub type File = (&'static str, String);

/// Every file of the folder.
pub fn files() -> Vec<File> {
    let own = [
        (ACL, include_str!("../abi/acl.h")),
        ("acl/acl_types.h", include_str!("../abi/acl_types.h")),
        ("acl/acl_errors.h", include_str!("../abi/acl_errors.h")),
        ("hccl/hccl.h", include_str!("../abi/hccl.h")),
        ("driver/ascend_hal.h", include_str!("../abi/hal.h")),
        ("driver/queue.h", include_str!("../abi/queue.h")),
        ("runtime/rt.h", include_str!("../abi/rt.h")),
    ];
    // Elsewhere the types stand in one folder with who includes them.
    let types = |text: &str| text.replace("#include \"acl_types.h\"", "#include \"../acl/acl_types.h\"");
    let own = own.map(|(path, text)| match path.starts_with("acl/") {
        true => (path, text.to_owned()),
        false => (path, types(text)),
    });
    let others = [
        ("acl/acl_base.h", "acl.h"),
        ("acl/acl_base_rt.h", "acl.h"),
        ("acl/acl_rt.h", "acl.h"),
        ("acl/error_codes/rt_error_codes.h", "../acl_errors.h"),
        ("hccl/hccl_types.h", "hccl.h"),
    ];
    let others = others.map(|(path, other)| {
        let text = format!(
            "// SPDX-License-Identifier: Apache-2.0 OR MIT\n// Another name for {other}.\n#include \"{other}\"\n"
        );
        (path, text)
    });
    own.into_iter().chain(others).collect()
}
