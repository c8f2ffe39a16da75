// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collector: fills a sheet with the counters of this process.

use mf_base::MemKind;
use mf_fabric::pool::{Copied, Direction, copied, copied_by_pools, segments};
use mf_fabric::space::Presence;
use mf_net::posted;
use mf_net::watch::{self, wait_metrics};
use mf_store::client_counts;
use mf_transport::OperationKind;

use super::sheet::{Sheet, Value};
use super::sources;
use super::table::{self, Metric};
use crate::registry;

/// Returns the counters of this process until now. **Local**, but for a store that runs in this process,
/// which is asked.
pub fn sheet() -> Sheet {
    let mut sheet = Sheet::default();
    let process = [("version", env!("CARGO_PKG_VERSION").to_owned()), ("host", host())];
    let pid = ("pid", std::process::id().to_string());
    sheet.number(table::PROCESS, process.into_iter().chain([pid]).collect(), 1);
    let mut hosts = Vec::new();
    registry::for_each(|job| {
        job.collect(&mut sheet);
        hosts.extend(job.host());
    });
    // The store is asked last: its answer may take its time.
    hosts.iter().for_each(|(store, host)| {
        let status = host.with_server(|server| server.status());
        if let Some(Ok(status)) = status {
            let mut served = |metric, value| sheet.number(metric, vec![("store", store.clone())], value);
            served(table::SERVED_KEYS, status.keys);
            served(table::SERVED_KEY_BYTES, status.key_bytes);
            served(table::SERVED_MEMBERS, status.members.len() as u64);
            served(table::SERVED_GUESTS, u64::from(status.guests));
            served(table::SERVED_WATCHES, status.watches);
        }
    });
    client(&mut sheet);
    pools(&mut sheet);
    operations(&mut sheet);
    groups(&mut sheet);
    sources::fill(&mut sheet);
    sheet
}

/// The name of this host.
pub(super) fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

fn client(sheet: &mut Sheet) {
    let counts = client_counts();
    sheet.number(table::STORE_REQUESTS, vec![], counts.requests);
    sheet.number(table::STORE_REQUEST_ERRORS, vec![], counts.failed);
    sheet.add(table::STORE_REQUEST_SECONDS, vec![], Value::Time(counts.took));
    sheet.number(table::STORE_RESUMES, vec![], counts.resumed);
    sheet.number(table::STORE_RETRIES, vec![], counts.retried);
}

fn pools(sheet: &mut Sheet) {
    for segments in segments() {
        let pool = segments.pool.to_string();
        for (presence, name) in
            [(Presence::Joined, "joined"), (Presence::Left, "left"), (Presence::Dead, "dead")]
        {
            let count = segments.members.iter().filter(|(_, found, _)| *found == presence).count();
            let labels = vec![("pool", pool.clone()), ("presence", name.to_owned())];
            sheet.number(table::POOL_MEMBERS, labels, count as u64);
        }
        for (rank, _, bytes) in &segments.members {
            for kind in MemKind::ALL.into_iter().filter(|kind| bytes[kind.index()] > 0) {
                let labels =
                    vec![("pool", pool.clone()), ("kind", kind.to_string()), ("rank", rank.0.to_string())];
                sheet.number(table::POOL_SEGMENT_BYTES, labels, bytes[kind.index()]);
            }
        }
    }
    for copies in copied_by_pools() {
        for row in copies.rows.iter().filter(|row| row.copies > 0) {
            let labels = || [vec![("pool", copies.pool.to_string())], labels_of(row)].concat();
            sheet.number(table::POOL_COPIES, labels(), row.copies);
            sheet.number(table::POOL_COPIED_BYTES, labels(), row.bytes);
        }
    }
    for row in copied().filter(|row| row.copies > 0) {
        sheet.number(table::COPIES, labels_of(&row), row.copies);
        sheet.number(table::COPIED_BYTES, labels_of(&row), row.bytes);
    }
}

fn labels_of(row: &Copied) -> Vec<(&'static str, String)> {
    let direction = match row.direction {
        Direction::Put => "put",
        Direction::Get => "get",
        Direction::Between => "between",
    };
    vec![("kind", row.kind.to_string()), ("direction", direction.to_owned())]
}

/// Operations, bytes, errors and durations of a kind.
fn metrics_of(kind: OperationKind) -> [Metric; 4] {
    use table::{
        ATOMIC_BYTES, ATOMIC_ERRORS, ATOMIC_OPERATIONS, ATOMIC_SECONDS, COPY_BYTES, COPY_ERRORS,
        COPY_OPERATIONS, COPY_SECONDS, GET_BYTES, GET_ERRORS, GET_OPERATIONS, GET_SECONDS, MESSAGE_BYTES,
        MESSAGE_ERRORS, MESSAGE_OPERATIONS, MESSAGE_SECONDS, PUT_BYTES, PUT_ERRORS, PUT_OPERATIONS,
        PUT_SECONDS, SIGNAL_BYTES, SIGNAL_ERRORS, SIGNAL_OPERATIONS, SIGNAL_SECONDS,
    };
    match kind {
        OperationKind::Put => [PUT_OPERATIONS, PUT_BYTES, PUT_ERRORS, PUT_SECONDS],
        OperationKind::Get => [GET_OPERATIONS, GET_BYTES, GET_ERRORS, GET_SECONDS],
        OperationKind::Copy => [COPY_OPERATIONS, COPY_BYTES, COPY_ERRORS, COPY_SECONDS],
        OperationKind::Atomic => [ATOMIC_OPERATIONS, ATOMIC_BYTES, ATOMIC_ERRORS, ATOMIC_SECONDS],
        OperationKind::Signal => [SIGNAL_OPERATIONS, SIGNAL_BYTES, SIGNAL_ERRORS, SIGNAL_SECONDS],
        OperationKind::Message => [MESSAGE_OPERATIONS, MESSAGE_BYTES, MESSAGE_ERRORS, MESSAGE_SECONDS],
    }
}

fn operations(sheet: &mut Sheet) {
    for row in watch::rows() {
        let [operations, bytes, errors, seconds] = metrics_of(row.kind);
        let peer = row.peer.map(|peer| ("peer", peer.to_string()));
        let labels: Vec<_> = [("route", row.route.to_owned())].into_iter().chain(peer).collect();
        sheet.number(operations, labels.clone(), row.operations);
        sheet.number(bytes, labels.clone(), row.bytes);
        sheet.number(errors, labels.clone(), row.errors);
        sheet.add(seconds, labels, Value::Times(row.took));
    }
    for row in posted() {
        let labels = vec![("route", row.transport.to_owned()), ("operation", row.kind.name().to_owned())];
        sheet.number(table::POSTED, labels.clone(), row.operations);
        sheet.number(table::POSTED_BYTES, labels.clone(), row.bytes);
        sheet.number(table::POSTED_REFUSED, labels, row.refused);
    }
}

fn groups(sheet: &mut Sheet) {
    for waited in wait_metrics::waits() {
        let labels = vec![("call", waited.call.to_owned()), ("route", waited.route.to_owned())];
        sheet.add(table::WAIT_SECONDS, labels.clone(), Value::Times(waited.took));
        sheet.number(table::WAIT_ERRORS, labels.clone(), waited.failed);
        sheet.number(table::WAITING, labels.clone(), waited.open);
        sheet.add(table::WAITING_SECONDS, labels, Value::Time(waited.oldest));
    }
}
