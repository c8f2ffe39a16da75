// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Links by handle.
//!
//! A link has one handle from its begin until its broken callback has returned and all shares were given
//! back; shares are counted beside it.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use mf_abi::smem::AccLinkHandle;
use mf_acc::{Hooks, Link};
use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::sync::slots::{Handle, SlotTable};
use mf_base::{Error, Kind, Result};

use crate::boundary::{bytes, present};

/// All links of this process. All bytes are zero until the first use, so the table costs no room in the
/// library.
static LINKS: SlotTable<LinkHandle, 65536> = SlotTable::new();

struct LinkHandle {
    link: Arc<Link>,
    shares: Mutex<Shares>,
    owner: Owner,
}

struct Shares {
    owned: u32,
    /// No callback gets the link any more.
    is_over: bool,
}

/// Gives links their handles.
pub(super) struct Handles;

impl Hooks for Handles {
    fn begun(&self, link: &Arc<Link>) -> bool {
        insert(link, Shares { owned: 0, is_over: false }).is_some()
    }

    fn ended(&self, link: &Arc<Link>) {
        let number = number(link.tag());
        let Some(held) = LINKS.get(number) else { return };
        let mut shares = lock(&held.shares);
        shares.is_over = true;
        let is_free = shares.owned == 0;
        drop(shares);
        if is_free {
            LINKS.remove(number);
        }
    }
}

fn insert(link: &Arc<Link>, shares: Shares) -> Option<usize> {
    let held = LinkHandle { link: Arc::clone(link), shares: Mutex::new(shares), owner: Owner::current() };
    let handle = LINKS.insert(Arc::new(held))?;
    let tag = usize::try_from(handle.0).ok()?;
    link.set_tag(tag);
    Some(tag)
}

fn number(tag: usize) -> Handle {
    Handle(tag as u64)
}

/// A link as callbacks get it.
pub(super) fn borrowed_handle(link: &Arc<Link>) -> AccLinkHandle {
    std::ptr::without_provenance_mut(link.tag())
}

/// A share for the program, also in a link that has ended meanwhile.
pub(super) fn owned_handle(operation: &'static str, link: &Arc<Link>) -> Result<AccLinkHandle> {
    if retain(borrowed_handle(link)) {
        return Ok(borrowed_handle(link));
    }
    match insert(link, Shares { owned: 1, is_over: true }) {
        Some(tag) => Ok(std::ptr::without_provenance_mut(tag)),
        None => Err(Error::new(Kind::NoResources, operation).what("no room for another link")),
    }
}

fn retain(link: AccLinkHandle) -> bool {
    let Some(held) = LINKS.get(number(link.addr())) else { return false };
    let mut shares = lock(&held.shares);
    if shares.is_over && shares.owned == 0 {
        return false;
    }
    shares.owned += 1;
    true
}

fn held(operation: &'static str, link: AccLinkHandle) -> Result<Arc<LinkHandle>> {
    present(operation, "the link", link)?;
    let held = LINKS.get(number(link.addr())).ok_or_else(|| {
        Error::invalid(operation, "the handle names no link of this process")
            .with("handle", format!("{link:p}"))
            .hint("its callback has returned, it was given back, or it never came from this library")
    })?;
    match held.owner.is_current() {
        true => Ok(held),
        false => {
            Err(Error::new(Kind::NotInit, operation).what("the link belongs to the parent of this process"))
        }
    }
}

/// The link of a handle.
pub(super) fn find(operation: &'static str, link: AccLinkHandle) -> Result<Arc<Link>> {
    held(operation, link).map(|held| Arc::clone(&held.link))
}

pub(crate) fn smem_acc_link_retain(op: &'static str, link: AccLinkHandle) -> Result<AccLinkHandle> {
    if link.is_null() {
        return Ok(link);
    }
    held(op, link)?;
    match retain(link) {
        true => Ok(link),
        false => Err(Error::invalid(op, "the link has ended, and no share of it is left")),
    }
}

pub(crate) fn smem_acc_link_release(op: &'static str, link: AccLinkHandle) -> Result<()> {
    if link.is_null() {
        return Ok(());
    }
    let held = held(op, link)?;
    let mut shares = lock(&held.shares);
    let Some(left) = shares.owned.checked_sub(1) else {
        return Err(
            Error::invalid(op, "no share of the link is left to give back").with("link", held.link.id())
        );
    };
    shares.owned = left;
    let is_free = shares.is_over && left == 0;
    drop(shares);
    if is_free {
        LINKS.remove(number(link.addr()));
    }
    Ok(())
}

pub(crate) fn smem_acc_link_id(op: &'static str, link: AccLinkHandle) -> Result<u32> {
    find(op, link).map(|link| link.id())
}

pub(crate) fn smem_acc_link_set_context(op: &'static str, link: AccLinkHandle, context: u64) -> Result<()> {
    find(op, link)?.set_context(context);
    Ok(())
}

pub(crate) fn smem_acc_link_get_context(op: &'static str, link: AccLinkHandle) -> Result<u64> {
    find(op, link).map(|link| link.context())
}

pub(crate) unsafe fn smem_acc_link_send(
    op: &'static str,
    link: AccLinkHandle,
    kind: i16,
    result: i16,
    sequence: u32,
    data: *const c_void,
    data_len: u32,
) -> Result<()> {
    let link = find(op, link)?;
    // SAFETY: the caller passes so many readable bytes.
    let data = unsafe { bytes(op, "the data", data, u64::from(data_len)) }?;
    link.send((kind, result, sequence), data, &[], false)
}

pub(crate) unsafe fn smem_acc_link_send_v2(
    op: &'static str,
    link: AccLinkHandle,
    kind: i16,
    result: i16,
    sequence: u32,
    data: *const c_void,
    data_len: u32,
    back: *const c_void,
    back_len: u32,
) -> Result<()> {
    let link = find(op, link)?;
    // SAFETY: the caller passes so many readable bytes.
    let data = unsafe { bytes(op, "the data", data, u64::from(data_len)) }?;
    // SAFETY: the caller passes so many readable bytes.
    let back = unsafe { bytes(op, "the callback data", back, u64::from(back_len)) }?;
    link.send((kind, result, sequence), data, back, true)
}
