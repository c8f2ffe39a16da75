// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Shareable handles: how a process lets others have its physical memory.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, Weak};

use mf_base::sync::lock;

use super::physical::Physical;
use super::properties::{Properties, Side};
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::Block;
use crate::product::Line;
use crate::session::{Fetched, Offer, Published, Sort};

/// Reach of a shareable handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Form {
    /// 64 bits, within a server.
    Number = 1,
    /// 128 bytes, across servers.
    Fabric = 2,
}

/// A process may or may not import its own exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// At ACL it may not.
    Refused,
    /// At the driver it may.
    Allowed,
}

/// Contents of a shareable handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The number in the session.
    pub number: u64,
    /// Unguessable secret; a 64-bit handle has no room for it.
    pub secret: Option<u64>,
    /// The exporter's server.
    pub server: u32,
}

/// Size of a fabric handle.
pub const FABRIC_BYTES: usize = 128;
const MAGIC: u64 = u64::from_le_bytes(*b"ascsim:1");

impl Ticket {
    /// As a fabric handle.
    pub fn to_bytes(self) -> [u8; FABRIC_BYTES] {
        let mut bytes = [0; FABRIC_BYTES];
        let words = [MAGIC, self.number, self.secret.unwrap_or(0), self.server.into()];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The reverse.
    ///
    /// # Errors
    /// 107017 for bytes that are no handle.
    pub fn from_bytes(bytes: &[u8; FABRIC_BYTES]) -> Outcome<Self> {
        let mut words = bytes.chunks_exact(8).map(|word| {
            let mut value = [0; 8];
            value.copy_from_slice(word);
            u64::from_le_bytes(value)
        });
        let mut next = || words.next().unwrap_or(0);
        let (magic, number, secret, server) = (next(), next(), next(), next());
        let server = u32::try_from(server).ok().filter(|_| magic == MAGIC && words.all(|word| word == 0));
        let server =
            server.ok_or_else(|| Fault::new(acl::INVALID_HANDLE, "not a handle of this machine's fabric"))?;
        Ok(Self { number, secret: Some(secret), server })
    }
}

/// The shareable handle of a [`Physical`]; no import works once it is dropped.
pub struct Export {
    published: Published,
    open: bool,
    /// Some process was allowed by number.
    listed: bool,
}

impl Drop for Export {
    fn drop(&mut self) {
        lock(&EXPORTS).remove(&self.published.number);
    }
}

/// Exports of this process, by number.
static EXPORTS: LazyLock<Mutex<HashMap<u64, Weak<Physical>>>> = LazyLock::new(Mutex::default);

/// Assumed: on A2, where devices reach those of one server, a fabric handle of the driver is valid on that
/// server. ACL has none.
fn spans_servers(line: Line) -> bool {
    line != Line::A2
}

/// Exports `physical`; `open` to all, or to the processes that [`allow`] names.
///
/// Assumed: host memory can only be exported for the fabric, and only where devices reach it.
///
/// # Errors
/// 107000 imported, or exported before · 207000 a form that this memory or product does not have · 207005
/// too many.
pub fn export(physical: &Arc<Physical>, form: Form, open: bool) -> Outcome<Ticket> {
    let machine = machine()?;
    ensure(physical.importer.is_none() && !physical.block.imported, acl::RT_PARAM_INVALID, || {
        "the memory is imported; only its owner can export it".to_owned()
    })?;
    let on_host = physical.properties.side != Side::Device;
    ensure(
        !on_host || (form == Form::Fabric && machine.product.reaches_host),
        acl::FEATURE_NOT_SUPPORT,
        || "host memory is exported for the fabric alone, on products whose devices reach it".to_owned(),
    )?;
    let mut place = lock(&physical.export);
    if let Some(export) = &*place {
        let number = export.published.number;
        let text = format_args!("the memory has been exported already, as {number:#x}");
        return Err(Fault::new(acl::RT_PARAM_INVALID, text));
    }
    let [page, kind, id, module] = physical.properties.to_facts();
    let published = machine.session.publish(Offer {
        sort: Sort::Memory,
        file: Arc::clone(&physical.block.file),
        claim: physical.block.claim.clone(),
        facts: [physical.bytes, page, kind, id, module, form as u64],
        open,
        fabric: form == Form::Fabric && spans_servers(machine.product.line),
    })?;
    let (number, secret) = (published.number, published.secret);
    lock(&EXPORTS).insert(number, Arc::downgrade(physical));
    *place = Some(Export { published, open, listed: false });
    Ok(Ticket { number, secret: Some(secret), server: machine.config.server })
}

/// Imports what another process exports, for the device with the physical number `device`.
///
/// # Errors
/// 107000 this process exports it, which `own` refuses · 107017 unknown · 207006 not allowed.
pub fn import(form: Form, ticket: Ticket, device: u32, own: Own) -> Outcome<Arc<Physical>> {
    let machine = machine()?;
    let session = &machine.session;
    if own == Own::Refused && lock(&EXPORTS).contains_key(&ticket.number) {
        let text = "the memory belongs to this process; use the handle it was made with";
        return Err(Fault::new(acl::RT_PARAM_INVALID, text));
    }
    let Fetched { file, claim, facts, server, .. } =
        session.fetch(Sort::Memory, ticket.number, ticket.secret, acl::INVALID_HANDLE)?;
    let [bytes, page, kind, id, module, exported_as] = facts;
    let is_meant = exported_as == form as u64 && (form == Form::Number || server == ticket.server);
    ensure(is_meant, acl::INVALID_HANDLE, || {
        format!("the memory {:#x} was not exported in this form", ticket.number)
    })?;
    let properties = Properties::from_facts([page, kind, id, module])?;
    let block = Arc::new(Block {
        file: Arc::new(file),
        bytes,
        location: properties.location(),
        page: properties.page,
        imported: true,
        claim,
    });
    Physical::of_block(&block, bytes, properties, Some(device))
}

/// Lets these processes import this process's export `number`.
///
/// # Errors
/// 107000 how many · 107017 unknown · 207006 another process's, or open to all.
pub fn allow(number: u64, processes: &[i32]) -> Outcome {
    change(number, |export| {
        ensure(!export.open, acl::NO_PERMISSION, || {
            "the handle is open to every process and has no list".to_owned()
        })?;
        export.published.allow(processes)?;
        export.listed = true;
        Ok(())
    })
}

/// Opens this process's export `number` to all processes or not; only before [`allow`].
///
/// # Errors
/// 107017 unknown · 207006 another process's, or processes have been named.
pub fn set_open(number: u64, open: bool) -> Outcome {
    change(number, |export| {
        ensure(!export.listed, acl::NO_PERMISSION, || {
            "processes have been named already; the attribute comes before".to_owned()
        })?;
        export.published.set_open(open);
        export.open = open;
        Ok(())
    })
}

fn change(number: u64, work: impl FnOnce(&mut Export) -> Outcome) -> Outcome {
    let machine = machine()?;
    let physical = lock(&EXPORTS).get(&number).and_then(Weak::upgrade);
    if let Some(physical) = physical {
        let mut place = lock(&physical.export);
        if let Some(export) = &mut *place {
            return work(export);
        }
    }
    // Unknown altogether, or another process's?
    match machine.session.fetch(Sort::Memory, number, None, acl::INVALID_HANDLE) {
        Err(fault) if fault.code != acl::NO_PERMISSION => Err(fault),
        _ => Err(Fault::new(
            acl::NO_PERMISSION,
            format_args!(
                "the memory {number:#x} was exported by another process; only its exporter can allow importers"
            ),
        )),
    }
}
