// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory between processes: keys and handles that are used wrongly, and what outlives its owner.

use std::ffi::c_void;

use ascend_acl_sys::acl::{Access, CopyKind, Key, PidCheck};
use ascend_acl_sys::raw::types as abi;

use crate::cann::Cann;
use crate::owned::STEP;
use crate::pair::{Peer, Talk};
use crate::rule::{Answer, Expected, Rule, Stop};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S33.own",
        "What does importing a handle that this process exported itself return?",
        Expected::Always("107000"),
        "sharing/export.rs import",
        import_own_handle,
    ),
    Rule::new(
        "S33.unknown",
        "What does importing a handle return to a process that was not named?",
        Expected::Always("207006"),
        "session/member.rs fetch",
        import_unnamed,
    )
    .with_peer(export_handle),
    Rule::new(
        "S27.owner-gone",
        "Can memory of another process still be read after its owner freed and ended?",
        Expected::Always("yes"),
        "sharing/export.rs import",
        outlive,
    )
    .with_peer(export_handle),
    Rule::new(
        "S37.own",
        "What does importing a key that this process made itself return?",
        Expected::Always("107000"),
        "sharing/ipc.rs import",
        import_own_key,
    ),
    Rule::new(
        "S37.twice",
        "What does importing a key the second time in one process return?",
        Expected::Always("success, 507022"),
        "sharing/ipc.rs import",
        import_twice,
    )
    .with_peer(export_key),
];

fn import_own_handle(cann: &Cann) -> Result<Answer, Stop> {
    let blocks = cann.blocks(STEP, &cann.physical(abi::ACL_HBM_MEM_HUGE, cann.here()))?;
    let shareable = cann.acl().export(blocks.it, PidCheck::Anyone)?;
    let outcome = cann.acl().import(shareable, cann.device);
    if let Ok(imported) = outcome {
        // SAFETY: no other code has the handle.
        unsafe { cann.acl().free_physical(imported) }?;
    }
    Answer::from_outcome(&outcome)
}

/// In the owner: exports memory full of ones for the named processes. The other process sends its id and if
/// it is to be named.
fn export_handle(cann: &Cann, talk: &mut Talk) -> Result<(), Stop> {
    let acl = cann.acl();
    let blocks = cann.blocks(STEP, &cann.physical(abi::ACL_HBM_MEM_HUGE, cann.here()))?;
    let range = cann.reservation(STEP)?;
    let mapping = cann.mapping(&range, STEP, &blocks)?;
    // SAFETY: the mapping is ours and that long.
    unsafe { acl.memset(mapping.it, STEP, 1, STEP) }?;
    let shareable = acl.export(blocks.it, PidCheck::Named)?;
    let other = talk.receive()?;
    if let Ok(other) = other.parse() {
        acl.allow(shareable, &[other])?;
    }
    talk.send(&shareable.to_string())?;
    talk.receive().map(drop)
}

fn handle_of(peer: &mut Peer) -> Result<u64, Stop> {
    let line = peer.talk.receive()?;
    line.parse().map_err(|_| Stop::Before(format!("the other process gave the handle {line:?}")))
}

fn import_unnamed(cann: &Cann) -> Result<Answer, Stop> {
    let mut peer = Peer::start()?;
    peer.talk.send("nobody")?;
    let shareable = handle_of(&mut peer)?;
    let outcome = cann.acl().import(shareable, cann.device);
    if let Ok(imported) = outcome {
        // SAFETY: no other code has the handle.
        unsafe { cann.acl().free_physical(imported) }?;
    }
    peer.talk.send("done")?;
    Answer::from_outcome(&outcome)
}

fn outlive(cann: &Cann) -> Result<Answer, Stop> {
    let acl = cann.acl();
    let mut peer = Peer::start()?;
    peer.talk.send(&acl.bare_tgid()?.to_string())?;
    let shareable = handle_of(&mut peer)?;
    let blocks = cann.own_physical(acl.import(shareable, cann.device)?);
    let range = cann.reservation(STEP)?;
    let mapping = cann.mapping(&range, STEP, &blocks)?;
    // SAFETY: no task uses the mapping.
    match unsafe { acl.set_access(mapping.it, STEP, cann.here(), Access::ReadWrite) } {
        // Releases without the function have no rights either.
        Err(error) if !error.is_not_supported() => return Err(error.into()),
        _ => {}
    }
    peer.talk.send("done")?;
    peer.wait()?;
    let mut byte = 0_u8;
    let to = (&raw mut byte).cast::<c_void>();
    // SAFETY: the byte is ours, and the mapping has more than one.
    let read = unsafe { acl.memcpy(to, 1, mapping.it, 1, CopyKind::DeviceToHost) };
    match read {
        Ok(()) if byte == 1 => Ok(Answer::value("yes")),
        Ok(()) => Ok(Answer::value(format!("no, it reads {byte:#x} instead of 0x1"))),
        Err(_) => Answer::from_outcome(&read),
    }
}

fn import_own_key(cann: &Cann) -> Result<Answer, Stop> {
    let memory = cann.memory(STEP)?;
    let key = cann.acl().export_key(memory.it, STEP, PidCheck::Anyone)?;
    let outcome = cann.acl().import_key(&key, false);
    // SAFETY: no task uses the memory.
    let _ = unsafe { cann.acl().close_key(&key) };
    Answer::from_outcome(&outcome)
}

fn export_key(cann: &Cann, talk: &mut Talk) -> Result<(), Stop> {
    let memory = cann.memory(STEP)?;
    let key = cann.acl().export_key(memory.it, STEP, PidCheck::Anyone)?;
    talk.send_bytes(key.as_bytes())?;
    talk.receive()?;
    // SAFETY: no task uses the memory, and the other process has closed it.
    let _ = unsafe { cann.acl().close_key(&key) };
    Ok(())
}

fn import_twice(cann: &Cann) -> Result<Answer, Stop> {
    let mut peer = Peer::start()?;
    let key = peer.talk.receive_bytes()?.try_into().ok().and_then(Key::from_bytes);
    let key = key.ok_or_else(|| Stop::Before("the other process gave no key".to_owned()))?;
    let import = || cann.acl().import_key(&key, true);
    let answer = Answer::of_all(&[import(), import()]);
    // SAFETY: no task uses the memory.
    let _ = unsafe { cann.acl().close_key(&key) };
    peer.talk.send("done")?;
    answer
}
