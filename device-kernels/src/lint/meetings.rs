// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Hardware synchronization of cores, checked against the kernel's declared type: a type without it hangs.

use super::Finding;
use super::functions::{Function, reached_from};
use super::words::{line_at, places_of};

/// Calls by which cores meet by hardware. Of `SyncAll` that is the form without a workspace.
const MEETINGS: [&str; 10] = [
    "SyncAll",
    "CrossCoreSetFlag",
    "CrossCoreWaitFlag",
    "barrier_at_begin",
    "barrier",
    "barrier_at_end",
    "aclshmem_barrier",
    "aclshmem_barrier_all",
    "aclshmem_sync",
    "aclshmem_sync_all",
];
/// Declarations of types without synchronization.
const ALONE: [&str; 4] =
    ["MF_KERNEL_VECTOR_ALONE", "MF_KERNEL_CUBE_ONLY", "KERNEL_TYPE_AIV_ONLY", "KERNEL_TYPE_AIC_ONLY"];

/// Finds entries that are declared alone, or not at all, and meet.
pub(super) fn check(text: &str, functions: &[Function], found: &mut Vec<Finding>) {
    for entry in functions.iter().filter(|function| function.is_entry) {
        let body = text.get(entry.body.clone()).unwrap_or_default();
        let alone = ALONE.iter().find(|name| places_of(body, name).next().is_some());
        let declared = match alone {
            Some(name) => format!("is declared {name}"),
            None if entry.is_vector => "is declared __vector__".to_owned(),
            None if body.contains("MF_KERNEL_") || body.contains("KERNEL_TASK_TYPE") => continue,
            None => "does not say of which type it is".to_owned(),
        };
        let meeting = reached_from(text, functions, entry).find_map(|function| meeting_in(text, function));
        if let Some((at, call)) = meeting {
            let what = format!(
                "{call} meets by hardware, and {} {declared}: on the device its cores hang; say MF_KERNEL_VECTOR() \
                 (KERNEL_TYPE_MIX_AIV_1_0), or MF_KERNEL_MIX_1_1() or _1_2() where cube cores take part",
                entry.name
            );
            found.push(Finding::new(line_at(text, at), "meeting", what));
        }
    }
}

fn meeting_in(text: &str, function: &Function) -> Option<(usize, &'static str)> {
    let body = text.get(function.body.clone())?;
    MEETINGS.iter().find_map(|call| {
        let at = places_of(body, call).find(|at| meets_by_hardware(body, at + call.len(), call))?;
        Some((function.body.start + at, *call))
    })
}

/// Returns true if the call synchronizes by hardware, unlike SyncAll through a workspace.
fn meets_by_hardware(body: &str, behind: usize, call: &str) -> bool {
    let rest = body.get(behind..).unwrap_or_default().trim_start();
    let rest = match rest.strip_prefix('<').and_then(|inside| inside.split_once('>')) {
        Some((_, after)) => after.trim_start(),
        None => rest,
    };
    let Some(arguments) = rest.strip_prefix('(') else { return false };
    call != "SyncAll" || arguments.trim_start().starts_with(')')
}
