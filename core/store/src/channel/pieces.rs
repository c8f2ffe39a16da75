// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Zero-copy frames: the queue shares their large values with the store.
//!
//! A reply of 8 MiB that waits for its reader then costs a few bytes, until the value is replaced in the
//! store.

use std::sync::Arc;

use postcard::ser_flavors::{Flavor, Size};
use serde::Serialize;

use super::{SEAL_BYTES, SendQueue};
use crate::api::Entry;
use crate::protocol::frame::{FrameError, FrameKind, header_of};

/// Copying a value of less than this is cheaper than a segment of its own.
pub(crate) const SHARED_BYTES: usize = 4 << 10;

/// Serializer that cuts its output at the beginning of each shared value.
struct Pieces<'a> {
    queue: &'a mut SendQueue,
    own: Vec<u8>,
    /// The large values of the message that follow, in their order.
    values: std::slice::Iter<'a, Arc<Entry>>,
}

impl Pieces<'_> {
    fn cut(&mut self) {
        self.queue.push(std::mem::take(&mut self.own));
    }
}

impl Flavor for Pieces<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.own.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        if bytes.len() >= SHARED_BYTES
            && let Some(entry) = self.values.as_slice().first()
            && std::ptr::eq(entry.value.as_slice(), bytes)
        {
            let entry = Arc::clone(entry);
            self.values.next();
            self.cut();
            self.queue.share_value(entry);
            return Ok(());
        }
        self.own.extend_from_slice(bytes);
        if self.own.len() >= SEAL_BYTES {
            self.cut();
        }
        Ok(())
    }

    fn finalize(mut self) -> postcard::Result<()> {
        self.cut();
        Ok(())
    }
}

/// Appends a frame to `queue` in which `values` are shared: all values of at least [`SHARED_BYTES`], in their
/// order.
pub(crate) fn append_frame<T: Serialize + ?Sized>(
    queue: &mut SendQueue,
    kind: FrameKind,
    sequence: u64,
    body: &T,
    values: &[Arc<Entry>],
) -> Result<(), FrameError> {
    let malformed = |_| FrameError::Body(kind);
    let bytes = postcard::serialize_with_flavor(body, Size::default()).map_err(malformed)?;
    let own = header_of(kind, sequence, bytes)?.to_vec();
    // It is encoded as when it was measured, so it fails there or not at all.
    postcard::serialize_with_flavor(body, Pieces { queue, own, values: values.iter() }).map_err(malformed)
}
