// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys and their values.
//!
//! A value up to [`WHOLE_BYTES`] stands in its record. A larger one is cut into pieces (etcd takes 1.5 MiB in
//! a request as it comes): they are written first, bound to the session, so that they go if the writer dies;
//! the transaction that sets the record binds them to where they belong. A reader takes record and pieces of
//! one revision. The writer that replaces a record removes its pieces.

use std::sync::Arc;

use etcd_client::{
    Compare, CompareOp, DeleteOptions, GetOptions, KeyValue, PutOptions, Txn, TxnOp, TxnOpResponse,
};
use mf_base::{Error, Kind, Rank, Result, Retry};

use super::cluster::{Backoff, Call};
use super::feed::{Feed, changes};
use super::names::{Body, Life, Record, WriteId, decode, encode, end_of, write_id};
use super::session::{Session, Written};
use crate::api::{Entry, Lifetime, Listing, Page, Swap};
use crate::protocol::limits::{MAX_LISTING_BYTES, check_value_bytes};

/// Largest value that stands in its record.
const WHOLE_BYTES: usize = 64 << 10;
const PIECE_BYTES: usize = 1 << 20;
/// How many keys are read at a time.
const PAGE_KEYS: i64 = 128;
/// What is counted for an entry in a listing beside key and value.
const ENTRY_BYTES: usize = 32;

/// A record with what etcd knows of it.
pub(super) struct Found {
    pub(super) record: Record,
    pub(super) revision: i64,
    lease: i64,
}

impl Found {
    fn of(operation: &'static str, kv: &KeyValue) -> Result<Self> {
        let record = decode(operation, kv.value())?;
        Ok(Self { record, revision: kv.mod_revision(), lease: kv.lease() })
    }
}

/// What a new value takes over or is given.
#[derive(Clone, Copy)]
struct Ties {
    owner: Option<Rank>,
    session: u64,
    life: Life,
    lease: i64,
}

/// A value on its way: the operations that set it.
struct Laid {
    id: WriteId,
    operations: Vec<TxnOp>,
    pieces: bool,
}

/// What a change did.
pub(super) struct Changed<T> {
    pub(super) revision: i64,
    pub(super) result: T,
}

impl Session {
    pub(super) async fn set(&self, call: &Call, key: &str, value: &[u8], lifetime: Lifetime) -> Result<i64> {
        let name = self.names.data(key);
        let laid = self.lay(call, &name, self.ties(lifetime), value).await?;
        let (when, els) = self.lease_stands(lifetime);
        match self.write(call, &name, &laid.id, &when, &laid.operations, &els).await? {
            Written::Done(revision, answers) => {
                self.tidy(call, &answers);
                Ok(revision)
            }
            Written::Refused(..) => {
                self.drop_pieces(call, &laid);
                Err(self.lease_has_ended(call, lifetime))
            }
        }
    }

    pub(super) async fn get(&self, call: &Call, key: &str) -> Result<Option<Entry>> {
        let (revision, found) = self.find(call, &self.names.data(key)).await?;
        match found {
            Some(found) => Ok(Some(self.entry(call, key, found, revision).await?)),
            None => Ok(None),
        }
    }

    pub(super) async fn wait(&self, call: &Call, key: &str) -> Result<Entry> {
        let name = self.names.data(key);
        let (mut revision, mut found) = {
            // A key that is there is found, however little time is left.
            let reading = call.until(call.deadline.max(std::time::Instant::now() + super::MARGIN));
            self.find(&reading, &name).await?
        };
        let mut feed = Feed::new(&self.cluster, name.clone(), Vec::new(), revision);
        loop {
            if let Some(found) = found {
                return self.entry(&self.call(call.operation), key, found, revision).await;
            }
            let Ok(batch) = tokio::time::timeout(call.left(), feed.batch()).await else {
                let waited = call.started.elapsed().as_secs_f64();
                return Err(Error::new(Kind::Timeout, call.operation)
                    .what(format!("key \"{key}\" did not appear within {waited:.3} s"))
                    .retry(Retry::Later));
            };
            let Ok(events) = batch else {
                (revision, found) = self.find(call, &name).await?;
                feed = Feed::new(&self.cluster, name.clone(), Vec::new(), revision);
                continue;
            };
            if let Some(change) = changes(&events).find(|change| !change.deleted) {
                found = Some(Found::of(call.operation, change.now)?);
                revision = change.now.mod_revision();
            }
        }
    }

    pub(super) async fn add(&self, call: &Call, key: &str, delta: i64) -> Result<Changed<i64>> {
        self.update(call, key, |old| {
            let number = match old {
                None => 0,
                Some(old) => std::str::from_utf8(old)
                    .ok()
                    .and_then(|text| text.parse::<i64>().ok())
                    .ok_or_else(|| {
                        Error::invalid(
                            call.operation,
                            format!("the value of key \"{key}\" is not a decimal number"),
                        )
                    })?,
            };
            let sum = number.checked_add(delta).ok_or_else(|| {
                let what =
                    format!("key \"{key}\" holds {number}, adding {delta} leaves the range of 64 bits");
                Error::invalid(call.operation, what)
            })?;
            Ok((sum.to_string().into_bytes(), sum))
        })
        .await
    }

    pub(super) async fn append(&self, call: &Call, key: &str, tail: &[u8]) -> Result<Changed<u64>> {
        self.update(call, key, |old| {
            let mut new = old.unwrap_or_default().to_vec();
            check_value_bytes(new.len() + tail.len())
                .map_err(|failure| failure.into_error(call.operation))?;
            new.extend_from_slice(tail);
            let bytes = new.len() as u64;
            Ok((new, bytes))
        })
        .await
    }

    /// Replaces the value of `key` by what `make` makes of it.
    async fn update<T>(
        &self,
        call: &Call,
        key: &str,
        make: impl Fn(Option<&[u8]>) -> Result<(Vec<u8>, T)>,
    ) -> Result<Changed<T>> {
        let name = self.names.data(key);
        let mut backoff = Backoff::default();
        let (mut read_at, mut found) = self.find(call, &name).await?;
        loop {
            let known = found.as_ref().map_or(0, |found| found.revision);
            let mut ties = self.ties(Lifetime::Permanent);
            let old = match found {
                Some(found) => {
                    let record = &found.record;
                    ties = Ties {
                        owner: record.owner,
                        session: record.session,
                        life: record.life,
                        lease: found.lease,
                    };
                    Some(self.body(call, found.record, read_at).await?)
                }
                None => None,
            };
            let (new, result) = make(old.as_deref())?;
            let laid = self.lay(call, &name, ties, &new).await?;
            let when = [Compare::mod_revision(name.clone(), CompareOp::Equal, known)];
            match self
                .write(call, &name, &laid.id, &when, &laid.operations, &[TxnOp::get(name.clone(), None)])
                .await?
            {
                Written::Done(revision, answers) => {
                    self.tidy(call, &answers);
                    return Ok(Changed { revision, result });
                }
                Written::Refused(revision, answers) => {
                    self.drop_pieces(call, &laid);
                    (read_at, found) = self.found(call, revision, answers.first())?;
                }
            }
            if call.left().is_zero() {
                return Err(Error::new(Kind::Timeout, call.operation)
                    .what(format!("others kept changing key \"{key}\""))
                    .with("waited_ms", call.started.elapsed().as_millis())
                    .retry(Retry::Later));
            }
            backoff.pause().await;
        }
    }

    pub(super) async fn compare_and_swap(
        &self,
        call: &Call,
        key: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        lifetime: Lifetime,
    ) -> Result<Changed<Swap>> {
        let name = self.names.data(key);
        let (stands, lease_read) = self.lease_stands(lifetime);
        let (mut read_at, mut found) = match expected {
            // Most who expect nothing find nothing.
            None => (0, None),
            Some(_) => self.find(call, &name).await?,
        };
        loop {
            let known = found.as_ref().map_or(0, |found| found.revision);
            if let Some(found) = found {
                let entry = self.entry(call, key, found, read_at).await?;
                if expected != Some(entry.value.as_slice()) {
                    return Ok(Changed {
                        revision: 0,
                        result: Swap { swapped: false, current: Some(entry) },
                    });
                }
            } else if expected.is_some() {
                return Ok(Changed { revision: 0, result: Swap { swapped: false, current: None } });
            }
            let ties = self.ties(lifetime);
            let laid = self.lay(call, &name, ties, new).await?;
            let mut when = stands.clone();
            when.push(Compare::mod_revision(name.clone(), CompareOp::Equal, known));
            let mut els = vec![TxnOp::get(name.clone(), None)];
            els.extend_from_slice(&lease_read);
            match self.write(call, &name, &laid.id, &when, &laid.operations, &els).await? {
                Written::Done(revision, answers) => {
                    self.tidy(call, &answers);
                    let current = Entry {
                        key: key.to_owned(),
                        value: new.to_vec(),
                        revision: revision.unsigned_abs(),
                        owner: ties.owner,
                    };
                    return Ok(Changed { revision, result: Swap { swapped: true, current: Some(current) } });
                }
                Written::Refused(revision, answers) => {
                    self.drop_pieces(call, &laid);
                    if answers.get(1).and_then(super::session::version_of) == Some(0) {
                        return Err(self.lease_has_ended(call, lifetime));
                    }
                    (read_at, found) = self.found(call, revision, answers.first())?;
                }
            }
        }
    }

    /// The revision of the deletion; none when there was no such key.
    pub(super) async fn delete(&self, call: &Call, key: &str) -> Result<Option<i64>> {
        let name = self.names.data(key);
        let id = write_id(call.operation)?;
        let when = [Compare::create_revision(name.clone(), CompareOp::Greater, 0)];
        let then = [
            TxnOp::delete(name.clone(), Some(DeleteOptions::new().with_prev_key())),
            TxnOp::put(self.names.fixed("del"), id, None),
        ];
        match self.write(call, &name, &id, &when, &then, &[]).await? {
            Written::Done(revision, answers) => {
                self.tidy(call, &answers);
                Ok(Some(revision))
            }
            Written::Refused(..) => Ok(None),
        }
    }

    pub(super) async fn list(&self, call: &Call, prefix: &str) -> Result<Listing> {
        let page = self.page(call, prefix, None, u32::MAX).await?;
        if page.more {
            let what = format!("the entries under \"{prefix}\" hold more than {MAX_LISTING_BYTES} bytes");
            return Err(Error::new(Kind::BufferTooSmall, call.operation)
                .what(what)
                .hint("list a longer prefix"));
        }
        Ok(Listing { revision: page.revision, entries: page.entries })
    }

    /// See [`Store::list_page`](crate::Store::list_page).
    pub(super) async fn page(
        &self,
        call: &Call,
        prefix: &str,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Page> {
        let first = self.names.data(prefix);
        let end = end_of(&first);
        let behind = after.map(|after| [self.names.data(after).as_slice(), b"\0"].concat());
        let mut from = behind.unwrap_or_default().max(first);
        let (mut revision, mut bytes) = (0, 0usize);
        let mut entries = Vec::new();
        loop {
            let options =
                GetOptions::new().with_range(end.clone()).with_limit(PAGE_KEYS).with_revision(revision);
            // An empty range is an error to etcd; its revision is needed all the same.
            let options = if from < end { options } else { GetOptions::new().with_count_only() };
            let got = self.cluster.get(call, from.clone(), options).await?;
            if revision == 0 {
                revision = self.cluster.saw(got.header());
            }
            for kv in got.kvs() {
                let Some(key) = self.names.data_key(kv.key()) else { continue };
                let found = Found::of(call.operation, kv)?;
                bytes = bytes.saturating_add(key.len() + found.record.bytes() + ENTRY_BYTES);
                if bytes > MAX_LISTING_BYTES || entries.len() as u64 >= u64::from(limit) {
                    return Ok(Page { revision: revision.unsigned_abs(), entries, more: true });
                }
                entries.push(self.entry(call, key, found, revision).await?);
            }
            match got.kvs().last() {
                Some(last) if got.more() => from = [last.key(), b"\0"].concat(),
                _ => return Ok(Page { revision: revision.unsigned_abs(), entries, more: false }),
            }
        }
    }

    /// What a caller sees of a record.
    pub(super) async fn entry(&self, call: &Call, key: &str, found: Found, revision: i64) -> Result<Entry> {
        let (owner, set_at) = (found.record.owner, found.revision.unsigned_abs());
        let value = self.body(call, found.record, revision).await?;
        Ok(Entry { key: key.to_owned(), value, revision: set_at, owner })
    }

    /// The value of a record as it was at `revision`.
    pub(super) async fn body(&self, call: &Call, record: Record, revision: i64) -> Result<Vec<u8>> {
        let (count, bytes) = match record.body {
            Body::Whole(bytes) => return Ok(bytes),
            Body::Pieces { count, bytes } => (count, bytes),
        };
        let mut value = Vec::new();
        for number in 0..count {
            let piece = self.names.piece(&record.write, number);
            let got = self.cluster.get(call, piece, GetOptions::new().with_revision(revision)).await?;
            value.extend_from_slice(got.kvs().first().map_or(&[], KeyValue::value));
        }
        if value.len() as u64 == bytes {
            return Ok(value);
        }
        Err(Error::new(Kind::Failed, call.operation)
            .what("pieces of a large value are missing in etcd")
            .with("bytes", value.len())
            .with("expected", bytes))
    }

    /// The record of `key`, and the revision at which that was so.
    async fn find(&self, call: &Call, key: &[u8]) -> Result<(i64, Option<Found>)> {
        let got = self.cluster.get(call, key, GetOptions::new()).await?;
        let found = got.kvs().first().map(|kv| Found::of(call.operation, kv)).transpose()?;
        Ok((self.cluster.saw(got.header()), found))
    }

    /// The record that a transaction at `revision` read.
    fn found(
        &self,
        call: &Call,
        revision: i64,
        answer: Option<&TxnOpResponse>,
    ) -> Result<(i64, Option<Found>)> {
        match answer {
            Some(TxnOpResponse::Get(got)) => {
                let found = got.kvs().first().map(|kv| Found::of(call.operation, kv)).transpose()?;
                Ok((revision, found))
            }
            _ => Err(Error::new(Kind::Failed, call.operation).what("etcd gave an answer that does not fit")),
        }
    }

    fn ties(&self, lifetime: Lifetime) -> Ties {
        let (owner, lease) = match lifetime {
            Lifetime::Permanent => (None, 0),
            Lifetime::Session => (self.rank, self.lease),
            Lifetime::Lease(lease) => (None, i64::try_from(lease.0).unwrap_or(i64::MAX)),
        };
        Ties { owner, session: self.number(), life: Life::of(lifetime), lease }
    }

    /// The condition that the lease stands which a key is to live with, and what to read when it does not
    /// hold.
    fn lease_stands(&self, lifetime: Lifetime) -> (Vec<Compare>, Vec<TxnOp>) {
        let Lifetime::Lease(lease) = lifetime else { return (Vec::new(), Vec::new()) };
        let granted = self.names.granted(lease);
        (
            vec![Compare::create_revision(granted.clone(), CompareOp::Greater, 0)],
            vec![TxnOp::get(granted, None)],
        )
    }

    fn lease_has_ended(&self, call: &Call, lifetime: Lifetime) -> Error {
        let error = Error::new(Kind::NotExist, call.operation).what("the lease has ended");
        match lifetime {
            Lifetime::Lease(lease) => error.with("lease", lease.0),
            Lifetime::Permanent | Lifetime::Session => error,
        }
    }

    async fn lay(&self, call: &Call, key: &[u8], ties: Ties, value: &[u8]) -> Result<Laid> {
        let id = write_id(call.operation)?;
        let mut operations = Vec::new();
        let body = if value.len() <= WHOLE_BYTES {
            Body::Whole(value.to_vec())
        } else {
            let mut count = 0;
            for piece in value.chunks(PIECE_BYTES) {
                let name = self.names.piece(&id, count);
                let bound = PutOptions::new().with_lease(self.lease);
                let put = TxnOp::put(name.clone(), piece, Some(bound));
                self.cluster.txn(call, Txn::new().and_then([put])).await?;
                let bind = PutOptions::new().with_ignore_value().with_lease(ties.lease);
                operations.push(TxnOp::put(name, "", Some(bind)));
                count += 1;
            }
            Body::Pieces { count, bytes: value.len() as u64 }
        };
        let pieces = matches!(body, Body::Pieces { .. });
        let Ties { owner, session, life, lease } = ties;
        let record = Record { write: id, owner, session, life, body };
        let put = PutOptions::new().with_lease(lease).with_prev_key();
        operations.insert(0, TxnOp::put(key, encode(call.operation, &record)?, Some(put)));
        Ok(Laid { id, operations, pieces })
    }

    /// Removes the pieces of the value that a change replaced.
    fn tidy(&self, call: &Call, answers: &[TxnOpResponse]) {
        let before = match answers.first() {
            Some(TxnOpResponse::Put(put)) => put.prev_key(),
            Some(TxnOpResponse::Delete(deleted)) => deleted.prev_kvs().first(),
            _ => None,
        };
        let record = before.and_then(|before| decode::<Record>(call.operation, before.value()).ok());
        if let Some(record) = record
            && matches!(record.body, Body::Pieces { .. })
        {
            self.remove_pieces(call, &record.write);
        }
    }

    fn drop_pieces(&self, call: &Call, laid: &Laid) {
        if laid.pieces {
            self.remove_pieces(call, &laid.id);
        }
    }

    fn remove_pieces(&self, call: &Call, write: &WriteId) {
        let (cluster, call) = (Arc::clone(&self.cluster), self.call(call.operation));
        let delete = TxnOp::delete(self.names.pieces(write), Some(DeleteOptions::new().with_prefix()));
        tokio::spawn(async move {
            if let Err(error) = cluster.txn(&call, Txn::new().and_then([delete])).await {
                tracing::warn!(%error, "pieces of a replaced value stay in etcd");
            }
        });
    }
}

/// Only the key; for what is read as a number of keys.
pub(super) fn keys_only() -> GetOptions {
    GetOptions::new().with_prefix().with_keys_only()
}

/// The entry of an event.
pub(super) fn found_in(operation: &'static str, kv: &KeyValue) -> Result<Found> {
    Found::of(operation, kv)
}

/// The session number of the lock or arrival behind a key.
pub(super) fn session_of(key: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(key.last_chunk::<16>()?).ok()?;
    u64::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::etcd::names::Names;

    #[test]
    fn sessions_are_read_back_from_their_keys() {
        let names = Names::new("job");
        assert_eq!(session_of(&names.lock("l", 0xabc)), Some(0xabc));
        assert_eq!(session_of(&names.numbered("a/", u64::MAX)), Some(u64::MAX));
        assert_eq!(session_of(b"short"), None);
    }
}
