// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The used subset of etcd's v3 messages. Names and numbers of the fields are as published; fields that are
//! not read here are left out, as protobuf allows.

use prost::{Message, Oneof};

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResponseHeader {
    #[prost(int64, tag = "3")]
    pub(super) revision: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct KeyValue {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) key: Vec<u8>,
    #[prost(int64, tag = "2")]
    pub(super) create_revision: i64,
    #[prost(bytes = "vec", tag = "5")]
    pub(super) value: Vec<u8>,
    #[prost(int64, tag = "6")]
    pub(super) lease: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RangeRequest {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) key: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) range_end: Vec<u8>,
    #[prost(int64, tag = "3")]
    pub(super) limit: i64,
    #[prost(int64, tag = "4")]
    pub(super) revision: i64,
    #[prost(bool, tag = "8")]
    pub(super) keys_only: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RangeResponse {
    #[prost(message, optional, tag = "1")]
    pub(super) header: Option<ResponseHeader>,
    #[prost(message, repeated, tag = "2")]
    pub(super) kvs: Vec<KeyValue>,
    #[prost(bool, tag = "3")]
    pub(super) more: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PutRequest {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) key: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) value: Vec<u8>,
    #[prost(int64, tag = "3")]
    pub(super) lease: i64,
}

/// Of a put or delete only its success is read.
#[derive(Clone, PartialEq, Message)]
pub(super) struct EmptyResponse {}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DeleteRangeRequest {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) key: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) range_end: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RequestOp {
    #[prost(oneof = "Request", tags = "1, 2, 3")]
    pub(super) request: Option<Request>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Request {
    #[prost(message, tag = "1")]
    Range(RangeRequest),
    #[prost(message, tag = "2")]
    Put(PutRequest),
    #[prost(message, tag = "3")]
    Delete(DeleteRangeRequest),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResponseOp {
    #[prost(oneof = "Response", tags = "1, 2, 3")]
    pub(super) response: Option<Response>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Response {
    #[prost(message, tag = "1")]
    Range(RangeResponse),
    #[prost(message, tag = "2")]
    Put(EmptyResponse),
    #[prost(message, tag = "3")]
    Delete(EmptyResponse),
}

/// A condition: `target` (1 the revision of its creation, 3 its value) of a key is equal to that in the
/// union.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Compare {
    #[prost(int32, tag = "2")]
    pub(super) target: i32,
    #[prost(bytes = "vec", tag = "3")]
    pub(super) key: Vec<u8>,
    #[prost(oneof = "Target", tags = "5, 7")]
    pub(super) is: Option<Target>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Target {
    #[prost(int64, tag = "5")]
    Created(i64),
    #[prost(bytes, tag = "7")]
    Value(Vec<u8>),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TxnRequest {
    #[prost(message, repeated, tag = "1")]
    pub(super) compare: Vec<Compare>,
    #[prost(message, repeated, tag = "2")]
    pub(super) success: Vec<RequestOp>,
    #[prost(message, repeated, tag = "3")]
    pub(super) failure: Vec<RequestOp>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TxnResponse {
    #[prost(message, optional, tag = "1")]
    pub(super) header: Option<ResponseHeader>,
    #[prost(bool, tag = "2")]
    pub(super) succeeded: bool,
    #[prost(message, repeated, tag = "3")]
    pub(super) responses: Vec<ResponseOp>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LeaseGrantRequest {
    #[prost(int64, tag = "1")]
    pub(super) ttl_s: i64,
    #[prost(int64, tag = "2")]
    pub(super) id: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LeaseGrantResponse {
    #[prost(int64, tag = "2")]
    pub(super) id: i64,
    #[prost(int64, tag = "3")]
    pub(super) ttl_s: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LeaseKeepAliveResponse {
    /// 0: the lease has ended.
    #[prost(int64, tag = "3")]
    pub(super) ttl_s: i64,
}

/// A call of the interface, with its request and response.
pub(super) trait Call: Message {
    /// gRPC path of the request.
    const PATH: &'static str;
    type Answer: Message + Default;
}

impl Call for RangeRequest {
    const PATH: &'static str = "/etcdserverpb.KV/Range";
    type Answer = RangeResponse;
}

impl Call for TxnRequest {
    const PATH: &'static str = "/etcdserverpb.KV/Txn";
    type Answer = TxnResponse;
}

impl Call for LeaseGrantRequest {
    const PATH: &'static str = "/etcdserverpb.Lease/LeaseGrant";
    type Answer = LeaseGrantResponse;
}

/// Renews the lease. A stream of requests and answers, of which one each is used.
#[derive(Clone, PartialEq, Message)]
pub(super) struct KeepAlive {
    #[prost(int64, tag = "1")]
    pub(super) id: i64,
}

impl Call for KeepAlive {
    const PATH: &'static str = "/etcdserverpb.Lease/LeaseKeepAlive";
    type Answer = LeaseKeepAliveResponse;
}

/// Ends the lease, and with it the keys bound to it.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Revoke {
    #[prost(int64, tag = "1")]
    pub(super) id: i64,
}

impl Call for Revoke {
    const PATH: &'static str = "/etcdserverpb.Lease/LeaseRevoke";
    type Answer = EmptyResponse;
}

impl Compare {
    /// The key was created at this revision of etcd; 0: it is not there.
    pub(super) fn created(key: &[u8], revision: i64) -> Self {
        Self { target: 1, key: key.to_vec(), is: Some(Target::Created(revision)) }
    }

    /// The key has this value.
    pub(super) fn value(key: &[u8], value: Vec<u8>) -> Self {
        Self { target: 3, key: key.to_vec(), is: Some(Target::Value(value)) }
    }
}

impl RequestOp {
    pub(super) fn get(key: &[u8]) -> Self {
        let range = RangeRequest { key: key.to_vec(), ..RangeRequest::default() };
        Self { request: Some(Request::Range(range)) }
    }

    pub(super) fn put(key: Vec<u8>, value: Vec<u8>, lease: i64) -> Self {
        Self { request: Some(Request::Put(PutRequest { key, value, lease })) }
    }

    pub(super) fn delete(key: Vec<u8>) -> Self {
        Self { request: Some(Request::Delete(DeleteRangeRequest { key, range_end: Vec::new() })) }
    }

    /// Deletes all keys that begin with `prefix`.
    pub(super) fn delete_all(prefix: Vec<u8>) -> Self {
        let range_end = end_of(&prefix);
        Self { request: Some(Request::Delete(DeleteRangeRequest { key: prefix, range_end })) }
    }
}

impl TxnResponse {
    /// The key that the n-th operation read, if it is there.
    pub(super) fn found(&self, at: usize) -> Option<&KeyValue> {
        match self.responses.get(at)?.response.as_ref()? {
            Response::Range(range) => range.kvs.first(),
            Response::Put(_) | Response::Delete(_) => None,
        }
    }
}

/// Returns the first key after all keys that begin with `prefix`.
pub(super) fn end_of(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < 0xff {
            end.push(last + 1);
            return end;
        }
    }
    // All keys from there on, in the terms of etcd.
    vec![0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_end_follows_all_keys_of_the_prefix() {
        assert_eq!(end_of(b"a/"), b"a0");
        assert_eq!(end_of(b"a\xff"), b"b");
        assert_eq!(end_of(b"\xff\xff"), b"\0");
    }

    #[test]
    fn compare_is_encoded_as_in_the_etcd_api() {
        // Field 2 (target) 1, field 3 (key) "k", field 5 (create_revision) 7; field 1 (result) 0 is "equal".
        assert_eq!(Compare::created(b"k", 7).encode_to_vec(), [0x10, 1, 0x1a, 1, b'k', 0x28, 7]);
        // A condition that the key is not there must not lose its zero.
        assert_eq!(Compare::created(b"k", 0).encode_to_vec(), [0x10, 1, 0x1a, 1, b'k', 0x28, 0]);
    }
}
