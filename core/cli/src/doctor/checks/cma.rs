// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cross-memory attach (`process_vm_readv`) between two processes of this user, checked by a trial.
//!
//! The call on this process itself shows whether kernel and filters of system calls have it at all; whether
//! *another* process may, decides the same rule as of opening `/proc/PID/mem`, which a child of this program
//! tries on its parent: with kernel.yama.ptrace_scope=1 a parent may read its child, and not the reverse.

use std::fs::File;
use std::os::unix::fs::FileExt;

use mf_net::cma::Cma;
use mf_program::child::ourselves;

use super::super::finding::Finding;

/// Result of the trial.
#[derive(Clone, Debug)]
pub(in super::super) struct CmaFacts {
    /// Why the call cannot be used on the own process; none: it can.
    pub(in super::super) refusal: Option<String>,
    /// Ok if a child could read this process.
    pub(in super::super) child: Result<(), String>,
    /// `kernel.yama.ptrace_scope`; none: the kernel has no such thing.
    pub(in super::super) scope: Option<String>,
}

/// Word that the child reads.
static WORD: [u8; 8] = *b"mfdoctor";

/// Arguments of the child.
#[derive(clap::Args)]
pub(crate) struct ChildArgs {
    process: u32,
    address: u64,
}

/// The child: reads the word of its parent; exit code 0: it could.
pub(crate) fn child(args: &ChildArgs) -> mf_base::Result<u8> {
    let read = || {
        let mut word = [0; WORD.len()];
        File::open(format!("/proc/{}/mem", args.process))?.read_exact_at(&mut word, args.address)?;
        Ok::<_, std::io::Error>(word)
    };
    let text = match read() {
        Ok(word) if word == WORD => return Ok(0),
        Ok(_) => "another word was read than is there".to_owned(),
        Err(error) => error.to_string(),
    };
    mf_program::output::print(&text)?;
    Ok(1)
}

/// Tries.
pub(in super::super) fn gather() -> CmaFacts {
    let (process, address) = (std::process::id().to_string(), (WORD.as_ptr().addr() as u64).to_string());
    let output = ourselves(&["doctor-child", &process, &address]).output();
    let child = match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        Err(error) => Err(format!("no child can be started: {error}")),
    };
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    CmaFacts { refusal: Cma::refusal(), child, scope: scope.ok().map(|text| text.trim().to_owned()) }
}

/// Decides if the kernel can copy transfers between processes of this host.
pub(in super::super) fn diagnose(facts: &CmaFacts) -> Vec<Finding> {
    let scope = facts.scope.as_deref().unwrap_or("not there");
    let instead =
        "transfers between processes of this host map memory files where they can, and use tcp for the rest";
    vec![match (&facts.refusal, &facts.child) {
        (None, Ok(())) => Finding::ok("the kernel copies between processes of this user (process_vm_readv)"),
        (Some(reason), _) => Finding::warning(
            format!("{reason}: {instead}"),
            "docker: --cap-add SYS_PTRACE, or a seccomp profile with process_vm_readv and process_vm_writev",
        ),
        (None, Err(reason)) => Finding::warning(
            format!(
                "a process of this user may not read another ({reason}; kernel.yama.ptrace_scope is {scope}): {instead}"
            ),
            "as root: sysctl kernel.yama.ptrace_scope=0; docker: --cap-add SYS_PTRACE",
        ),
    }]
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Warning};
    use super::super::super::finding::severities;
    use super::*;

    type Row<'a> = (Option<&'a str>, Result<(), &'a str>, Option<&'a str>, Severity, &'a str);

    #[test]
    fn kernel_refusals_are_named_with_their_remedy() {
        let table: [Row<'_>; 4] = [
            (None, Ok(()), None, Good, ""),
            (Some("the kernel has no process_vm_readv"), Ok(()), None, Warning, "seccomp"),
            (None, Err("Permission denied"), Some("1"), Warning, "ptrace_scope=0"),
            (Some("EPERM"), Err("Permission denied"), Some("3"), Warning, "SYS_PTRACE"),
        ];
        for (refusal, child, scope, severity, remedy) in table {
            let facts = CmaFacts {
                refusal: refusal.map(str::to_owned),
                child: child.map_err(str::to_owned),
                scope: scope.map(str::to_owned),
            };
            let findings = diagnose(&facts);
            assert_eq!(severities(&findings), [severity], "{facts:?}");
            assert!(findings[0].remedy.clone().unwrap_or_default().contains(remedy), "{findings:?}");
        }
    }
}
