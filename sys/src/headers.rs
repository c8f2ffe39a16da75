// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Our headers as files, for programs that are compiled where no CANN is: a folder `include` in which the
//! names are that programs of CANN include, with what `sys/abi` declares of it.

/// The types, errors and functions of ACL.
const ACL: &str = "acl/acl.h";

/// Types included by CANN's `acl/acl.h`.
const WITH_ACL: &str = "#include \"acl_types.h\"
#include \"acl_base.h\"
#include \"acl_tensor.h\"
#include \"acl_rt_memory.h\"
#include \"acl_rt_tasks.h\"
#include \"acl_rt_device.h\"
#include \"acl_graph.h\"
#include \"acl_rt_allocator.h\"
#include \"acl_mem_pool.h\"
#include \"acl_op.h\"
#include \"acl_mdl.h\"";

/// The types and functions of HCCL, and how the file ends that brings the others with it.
const HCCL: &str = "hccl/hccl.h";
const WITH_HCCL: &str = "#include \"hccl_more.h\"\n#endif\n";

/// Path below `include`, and text.
pub type File = (&'static str, String);

/// Every file of the folder.
pub fn files() -> Vec<File> {
    let own = [
        (ACL, include_str!("../abi/acl.h")),
        ("acl/acl_types.h", include_str!("../abi/acl_types.h")),
        ("acl/acl_errors.h", include_str!("../abi/acl_errors.h")),
        (HCCL, include_str!("../abi/hccl.h")),
        ("acl/acl_base.h", include_str!("../abi/acl_base.h")),
        ("acl/acl_tensor.h", include_str!("../abi/acl_tensor.h")),
        ("acl/acl_rt_types.h", include_str!("../abi/acl_rt_types.h")),
        ("acl/acl_rt_memory.h", include_str!("../abi/acl_rt_memory.h")),
        ("acl/acl_rt_tasks.h", include_str!("../abi/acl_rt_tasks.h")),
        ("acl/acl_rt_device.h", include_str!("../abi/acl_rt_device.h")),
        ("acl/acl_graph.h", include_str!("../abi/acl_graph.h")),
        ("acl/acl_rt_allocator.h", include_str!("../abi/acl_rt_allocator.h")),
        ("acl/acl_mem_pool.h", include_str!("../abi/acl_mem_pool.h")),
        ("acl/acl_platform.h", include_str!("../abi/acl_platform.h")),
        ("acl/acl_mdl.h", include_str!("../abi/acl_mdl.h")),
        ("acl/acl_op.h", include_str!("../abi/acl_op.h")),
        ("acl/acl_op_compiler.h", include_str!("../abi/acl_op_compiler.h")),
        ("acl/acl_prof.h", include_str!("../abi/acl_prof.h")),
        ("acl/acl_dump.h", include_str!("../abi/acl_dump.h")),
        ("acl/acl_tdt.h", include_str!("../abi/acl_tdt.h")),
        ("acl/acl_tdt_queue.h", include_str!("../abi/acl_tdt_queue.h")),
        ("acl/super_kernel.h", include_str!("../abi/super_kernel.h")),
        ("hccl/hccl_more.h", include_str!("../abi/hccl_more.h")),
        ("hcomm/hcomm_res.h", include_str!("../abi/hcomm.h")),
        ("driver/ascend_hal.h", include_str!("../abi/hal.h")),
        ("driver/queue.h", include_str!("../abi/queue.h")),
        ("runtime/rt.h", include_str!("../abi/rt.h")),
    ];
    // In the other folders the types are next to the including header.
    let types = |text: &str| text.replace("#include \"acl_", "#include \"../acl/acl_");
    let own = own.map(|(path, text)| match path {
        ACL => (path, text.replacen("#include \"acl_types.h\"", WITH_ACL, 1)),
        path if path.starts_with("acl/") => (path, text.to_owned()),
        HCCL => {
            let text = types(text);
            (path, text.strip_suffix("#endif\n").unwrap_or(&text).to_owned() + WITH_HCCL)
        }
        _ => (path, types(text)),
    });
    let others = [
        ("acl/acl_base_mdl.h", "acl_tensor.h"),
        ("acl/acl_rt_memory_soma.h", "acl_mem_pool.h"),
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
