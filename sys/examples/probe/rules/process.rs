// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Beginning and end of ACL in a process, and versions.

use std::ffi::{CStr, CString};

use crate::cann::{Cann, raw};
use crate::rule::{Answer, Expected, Rule, Start, Stop};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "init.references",
        "After aclInit twice, how many references does aclFinalizeReference leave?",
        Expected::Always("1"),
        "acl/general.rs references_after_begin",
        references,
    )
    .starting(Start::Initialised),
    Rule::new(
        "finalize.unbegun",
        "What does aclFinalize return without aclInit?",
        Expected::Always("100001"),
        "acl/general.rs has_begun",
        finalize,
    )
    .starting(Start::Opened),
    Rule::new(
        "finalize.twice",
        "What does a second aclFinalize return?",
        Expected::Always("100037"),
        "acl/general.rs has_begun",
        finalize_twice,
    )
    .starting(Start::Initialised),
    Rule::new(
        "version.number",
        "Is the number of a package 10000000 × major + 100000 × minor + 1000 × patch of its text?",
        Expected::Always("yes"),
        "acl/versions.rs number_of",
        version_number,
    )
    .starting(Start::Initialised),
    Rule::new(
        "version.unknown",
        "What is returned for a package that does not exist?",
        Expected::Always("100003"),
        "acl/versions.rs version_named",
        unknown_package,
    )
    .starting(Start::Initialised),
];

fn references(cann: &Cann) -> Result<Answer, Stop> {
    // The first time was before the question; that this is refused is documented.
    let _ = cann.acl().init(None);
    let mut left = 0_u64;
    let outcome = raw!(cann.acl(), aclFinalizeReference(&raw mut left))?;
    if outcome.is_err() { Answer::from_outcome(&outcome) } else { Ok(Answer::value(left.to_string())) }
}

fn finalize(cann: &Cann) -> Result<Answer, Stop> {
    // SAFETY: this process has nothing of ACL.
    Answer::from_outcome(&unsafe { cann.acl().finalize() })
}

fn finalize_twice(cann: &Cann) -> Result<Answer, Stop> {
    // SAFETY: this process has nothing of ACL.
    unsafe { cann.acl().finalize() }?;
    finalize(cann)
}

fn version_number(cann: &Cann) -> Result<Answer, Stop> {
    const PACKAGE: &CStr = c"runtime";
    let text = cann.acl().package_version(PACKAGE)?;
    let mut name = CString::from(PACKAGE).into_bytes_with_nul();
    let mut number = 0_i32;
    raw!(cann.acl(), aclsysGetVersionNum(name.as_mut_ptr().cast(), &raw mut number))??;
    let mut parts = text.split('.').map(|part| {
        // Release candidates (RC1) count as the release.
        part.parse::<i64>().unwrap_or(0)
    });
    let mut next = || parts.next().unwrap_or(0);
    let wanted = next() * 10_000_000 + next() * 100_000 + next() * 1000;
    if i64::from(number) == wanted {
        return Ok(Answer::value("yes"));
    }
    Ok(Answer::value(format!("{text} is {number}")))
}

fn unknown_package(cann: &Cann) -> Result<Answer, Stop> {
    Answer::from_outcome(&cann.acl().package_version(c"no-such-package"))
}
