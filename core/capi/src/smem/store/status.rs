// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_config_store_get_cluster_status`: the config stores of this process, as JSON.
//!
//! A server knows its members by their connections to it. It does not know connections between members, nor
//! contributions of memory, so `linkSummary` counts connections to the store, and `role` is null.

use std::ffi::c_char;

use mf_base::{Error, Kind, Result};
use mf_bootstrap::{Host, StoreUrl};
use mf_store::{MemberStatus, Server, Status, StorePhase};
use serde_json::{Value, json};

use crate::boundary::null;
use crate::part;
use crate::smem::store::servers;

/// JSON of an empty list of stores.
const NONE: &str = "[]";

pub(crate) unsafe fn smem_config_store_get_cluster_status(
    op: &'static str,
    json: *mut c_char,
    room: u32,
    len: *mut u32,
) -> Result<()> {
    if json.is_null() && len.is_null() {
        return Err(null(op, "both the text and its length"));
    }
    let stores = report()?;
    let text = if stores.is_empty() { NONE.to_owned() } else { Value::from(stores.clone()).to_string() };
    // SAFETY: `json` has `room` bytes or is null, `len` has room for a number or is null: the interface.
    unsafe { write(op, &text, json, room, len) }?;
    if stores.is_empty() {
        return Err(Error::new(Kind::NotExist, op).what("this process has no config store"));
    }
    Ok(())
}

/// An object for each store of this process.
fn report() -> Result<Vec<Value>> {
    let mut report = Vec::new();
    for served in servers::all() {
        report.push(object(served.url(), "server", served.host().map(|host| &**host))?);
    }
    if let Some(context) = part::current_big_memory() {
        let url = StoreUrl::parse(context.store_url())?;
        let is_served = context.served_address().is_some();
        let mut object =
            object(&url, if is_served { "server" } else { "client" }, context.host().map(|host| &**host))?;
        if let (Value::Object(object), Ok(store)) = (&mut object, context.store()) {
            object.insert("connected".to_owned(), json!(store.is_connected()));
            object.insert("rank".to_owned(), json!(store.member().rank.0));
        }
        report.push(object);
    }
    Ok(report)
}

fn object(url: &StoreUrl, model: &str, host: Option<&Host>) -> Result<Value> {
    let kind = match url {
        StoreUrl::Tcp { .. } => "tcp",
        StoreUrl::Etcd { .. } => "etcd",
        StoreUrl::Backend { .. } => "reg",
    };
    let mut object = json!({ "type": kind, "model": model, "connect": url.to_string() });
    let server = host.and_then(|host| host.with_server(server)).transpose()?;
    if let (Value::Object(object), Some(server)) = (&mut object, server) {
        object.insert("server".to_owned(), server);
    }
    Ok(object)
}

fn server(server: &Server) -> Result<Value> {
    let address = server.address();
    let status = match server.status() {
        Ok(status) => status,
        // It has ended by itself, for one that leads.
        Err(error) if error.kind() == Kind::NotStarted => {
            return Ok(json!({ "state": "SS_EXITED", "listen": address.to_string() }));
        }
        Err(error) => return Err(error),
    };
    Ok(server_json(&address.to_string(), &status))
}

/// Returns the status of a server: the fields of the interface, then additional ones.
fn server_json(listen: &str, status: &Status) -> Value {
    let members = &status.members;
    let connected = members.iter().filter(|member| member.is_connected).count();
    let ranks: Vec<Value> = members.iter().map(rank_json).collect();
    let expected = status.world_size as usize;
    let rate = if expected == 0 { 0.0 } else { connected as f64 / expected as f64 };
    json!({
        "state": state(status.phase, status.term),
        "worldSize": status.world_size,
        "listen": listen,
        "backendAliveRanks": connected,
        "aliveRanks": connected,
        "reconnectedRanks": status.resumed_members,
        "lastHeartbeat": members.iter().map(|member| json!({
            "rank": member.rank.0, "ageMs": millis(member),
        })).collect::<Vec<_>>(),
        "groupManager": {
            "maxRanks": status.world_size,
            "ranks": ranks,
            "linkSummary": {
                "activeRanks": connected,
                "connectedLinks": connected,
                "expectedLinks": expected,
                "completionRate": rate,
                "abnormalLinks": members.len() - connected,
            },
            "unstableLinks": members.iter().filter(|member| !member.is_connected).map(|member| json!({
                "rank": member.rank.0, "state": "IDLE", "ageMs": millis(member),
            })).collect::<Vec<_>>(),
        },
        "term": status.term,
        "epoch": status.epoch,
        "revision": status.revision,
        "keys": status.keys,
        "keyBytes": status.key_bytes,
        "watches": status.watches,
        "guests": status.guests,
        "expectedRanks": status.expected_members,
    })
}

fn state(phase: StorePhase, term: u64) -> &'static str {
    match phase {
        StorePhase::Fresh => "SS_INITED",
        StorePhase::Recovering => "SS_RECOVERING",
        // The first store of a job has the term 1; every later one took over.
        StorePhase::Serving if term > 1 => "SS_RECOVERED",
        StorePhase::Serving => "SS_NORMAL",
        StorePhase::Over => "SS_EXITED",
    }
}

fn rank_json(member: &MemberStatus) -> Value {
    json!({
        "rank": member.rank.0,
        "state": if member.is_connected { "RANK_ACTIVE" } else { "RANK_IDLE" },
        "role": null,
        "host": member.host,
        "pid": member.pid,
        "device": member.device,
        "address": member.address.to_string(),
        "phase": member.phase,
        "heardMs": millis(member),
        "waitingRequests": member.waiting_requests,
        "hostsStore": member.hosts_store,
    })
}

fn millis(member: &MemberStatus) -> u64 {
    u64::try_from(member.last_contact_ago.as_millis()).unwrap_or(u64::MAX)
}

/// # Safety
/// `json` is null or has `room` writable bytes; `len` is null or has room for a number.
unsafe fn write(
    operation: &'static str,
    text: &str,
    json: *mut c_char,
    room: u32,
    len: *mut u32,
) -> Result<()> {
    let bytes = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let fits = !json.is_null() && bytes < room;
    let reported = if fits || text == NONE { bytes } else { bytes.saturating_add(1) };
    if !len.is_null() {
        // SAFETY: not null; the caller passes room for a number.
        unsafe { len.write(reported) };
    }
    if json.is_null() {
        return Ok(());
    }
    if !fits {
        return Err(Error::new(Kind::BufferTooSmall, operation)
            .with("needed", bytes.saturating_add(1))
            .with("capacity", room));
    }
    // SAFETY: the text and its terminator fit, and a fresh string does not overlap the caller's room.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), json.cast::<u8>(), text.len()) };
    // SAFETY: the text and its terminator fit into the room of the caller.
    let end = unsafe { json.add(text.len()) };
    // SAFETY: the text and its terminator fit into the room of the caller.
    unsafe { end.write(0) };
    Ok(())
}
