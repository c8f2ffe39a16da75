// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Callbacks of the program.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use mf_base::sync::{read, write};

use crate::frame::Message;
use crate::hello::Hello;
use crate::http::Method;
use crate::link::Link;
use crate::request::HttpRequest;

/// Called when a peer has connected; a result other than 0 refuses it.
pub type NewLinkFn = Arc<dyn Fn(&Hello, &Arc<Link>) -> i32 + Send + Sync>;
/// Called when a link has ended.
pub type BrokenFn = Arc<dyn Fn(&Arc<Link>) + Send + Sync>;
/// Called when a message has arrived. Its result is logged.
pub type RequestFn = Arc<dyn Fn(&Message, &[u8], &Arc<Link>) -> i32 + Send + Sync>;
/// Called when a message was sent ([`SENT`](crate::SENT)), or not; with the data that the sender attached.
pub type SentFn = Arc<dyn Fn(i32, &Message, &[u8]) + Send + Sync>;
/// Called for an HTTP request. Its result is logged.
pub type RouteFn = Arc<dyn Fn(&Arc<HttpRequest>) -> i32 + Send + Sync>;

/// The path for all requests without a route.
pub const ANY_PATH: &str = "*";

#[derive(Default)]
struct HandlerTable {
    new_link: Option<NewLinkFn>,
    broken: Option<BrokenFn>,
    requests: HashMap<i16, RequestFn>,
    sent: HashMap<i16, SentFn>,
    /// By path, then by the number of the method.
    routes: HashMap<String, [Option<RouteFn>; Method::ALL.len()]>,
}

/// Result of routing a request.
pub(crate) enum Routed {
    To(RouteFn),
    /// The path has routes, for other methods.
    OtherMethod,
    Nowhere,
}

/// The handlers of a server; they may be changed at any time. They never run under a lock.
#[derive(Default)]
pub(crate) struct Handlers(RwLock<HandlerTable>);

impl Handlers {
    pub(crate) fn set_new_link(&self, handler: Option<NewLinkFn>) {
        write(&self.0).new_link = handler;
    }

    pub(crate) fn set_broken(&self, handler: Option<BrokenFn>) {
        write(&self.0).broken = handler;
    }

    pub(crate) fn set_request(&self, kind: i16, handler: Option<RequestFn>) {
        let mut table = write(&self.0);
        match handler {
            Some(handler) => table.requests.insert(kind, handler),
            None => table.requests.remove(&kind),
        };
    }

    pub(crate) fn set_sent(&self, kind: i16, handler: Option<SentFn>) {
        let mut table = write(&self.0);
        match handler {
            Some(handler) => table.sent.insert(kind, handler),
            None => table.sent.remove(&kind),
        };
    }

    /// Adds a route; an existing handler of the same route is kept.
    pub(crate) fn add_route(&self, method: Method, path: &str, handler: RouteFn) {
        let mut table = write(&self.0);
        let of_path = table.routes.entry(path.to_owned()).or_default();
        if let Some(route) = of_path.get_mut(method as usize) {
            route.get_or_insert(handler);
        }
    }

    pub(crate) fn new_link(&self) -> Option<NewLinkFn> {
        read(&self.0).new_link.clone()
    }

    pub(crate) fn broken(&self) -> Option<BrokenFn> {
        read(&self.0).broken.clone()
    }

    pub(crate) fn request(&self, kind: i16) -> Option<RequestFn> {
        read(&self.0).requests.get(&kind).cloned()
    }

    pub(crate) fn sent(&self, kind: i16) -> Option<SentFn> {
        read(&self.0).sent.get(&kind).cloned()
    }

    pub(crate) fn has_sent(&self, kind: i16) -> bool {
        read(&self.0).sent.contains_key(&kind)
    }

    pub(crate) fn has_requests(&self) -> bool {
        !read(&self.0).requests.is_empty()
    }

    pub(crate) fn has_routes(&self) -> bool {
        !read(&self.0).routes.is_empty()
    }

    pub(crate) fn route(&self, method: Method, path: &str) -> Routed {
        if method == Method::Connect {
            return Routed::OtherMethod;
        }
        let table = read(&self.0);
        let handler_of = |path: &str| table.routes.get(path)?.get(method as usize)?.clone();
        if let Some(found) = handler_of(path).or_else(|| handler_of(ANY_PATH)) {
            return Routed::To(found);
        }
        // The path has routes, but not for this method.
        let is_known = path != ANY_PATH && table.routes.contains_key(path);
        if is_known { Routed::OtherMethod } else { Routed::Nowhere }
    }
}
