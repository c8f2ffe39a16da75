// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An HTTP request while its handler runs.

use std::sync::{Mutex, OnceLock};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use crate::http::answer::{Situation, answer};
use crate::http::{Head, Method, Parameters};

const OP: &str = "acc reply";

enum Reply {
    None,
    Given(Vec<u8>),
    /// The handler has returned.
    Over,
}

/// An HTTP request, as its handler sees it.
pub struct HttpRequest {
    head: Head,
    body: Vec<u8>,
    parameters: OnceLock<Parameters>,
    situation: Situation,
    reply: Mutex<Reply>,
}

impl HttpRequest {
    pub(crate) fn new(head: Head, body: Vec<u8>, situation: Situation) -> Self {
        Self { head, body, parameters: OnceLock::new(), situation, reply: Mutex::new(Reply::None) }
    }

    /// Returns its method.
    pub fn method(&self) -> Method {
        self.head.method
    }

    /// Returns its path, as sent.
    pub fn path(&self) -> &str {
        &self.head.path
    }

    /// Returns its body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns the parameters of its query string.
    pub fn parameters(&self) -> &Parameters {
        self.parameters.get_or_init(|| Parameters::read(&self.head.query))
    }

    /// Answers it; once, before the handler returns.
    ///
    /// # Errors
    /// `InvalidParam` the status is not in 100..=599, or the content type contains a line end · `Failed` it
    /// was answered already, or its handler has returned.
    pub fn reply(&self, status: u16, content_type: &str, body: &[u8]) -> Result<()> {
        if !(100..=599).contains(&status) {
            return Err(Error::invalid(OP, "not an HTTP status code").with("status", status));
        }
        if content_type.contains(['\r', '\n']) {
            return Err(Error::invalid(OP, "the content type has a line end in it"));
        }
        let mut reply = lock(&self.reply);
        let what = match *reply {
            Reply::None => {
                *reply = Reply::Given(answer(status, content_type, body, &self.situation));
                return Ok(());
            }
            Reply::Given(_) => "the request was answered before",
            Reply::Over => "the handler of the request has returned",
        };
        Err(Error::new(Kind::Failed, OP).what(what).with("path", &self.head.path))
    }

    /// Takes the response; `None` if the handler gave no response.
    pub(crate) fn end(&self) -> Option<Vec<u8>> {
        match std::mem::replace(&mut *lock(&self.reply), Reply::Over) {
            Reply::Given(bytes) => Some(bytes),
            Reply::None | Reply::Over => None,
        }
    }
}
