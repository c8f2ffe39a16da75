// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations that are posted later than their caller believes: with lists, and with the bytes that the
//! caller may reuse, of their own.

use mf_device::engine;

use crate::{Atomic, Operation, Peer, Remote, SegmentKey, SignalKind, Span, Strided, Width};

/// An [`Operation`] with lists of its own, and with a copy of the bytes of a put that is short enough.
pub struct OwnedOperation(Owned);

enum Owned {
    Put(SegmentKey, Spans),
    Get(SegmentKey, Spans),
    PutStrided(SegmentKey, Strided, Vec<u8>),
    GetStrided(SegmentKey, Strided),
    Atomic(Remote, Atomic, *mut u8),
    Signal(SegmentKey, Spans, u64, Width, SignalKind, u64),
    Copy(Remote, Peer, Vec<u8>, Remote, u64),
}

// SAFETY: it holds addresses of local memory that the poster keeps valid until its completion has counted it,
// on any thread, and of memory of its own.
unsafe impl Send for Owned {}
// SAFETY: shared, it only gives out descriptions of that memory.
unsafe impl Sync for Owned {}

/// Spans, and the bytes behind them where those were copied.
struct Spans {
    spans: Vec<Span>,
    copy: Vec<u8>,
}

impl Spans {
    fn of(spans: &[Span]) -> Self {
        Self { spans: spans.to_vec(), copy: Vec::new() }
    }

    /// # Safety
    /// Every span is readable.
    unsafe fn copied(spans: &[Span], eager_bytes: u64) -> Self {
        let mut own = Self::of(spans);
        let total = spans.iter().fold(0_u64, |sum, span| sum.saturating_add(span.bytes));
        if total > eager_bytes {
            return own;
        }
        let mut copy = vec![0; usize::try_from(total).unwrap_or(0)];
        let mut free = &mut *copy;
        for span in &mut own.spans {
            let Some((part, rest)) = usize::try_from(span.bytes)
                .ok()
                .and_then(|bytes| std::mem::take(&mut free).split_at_mut_checked(bytes))
            else {
                break;
            };
            // SAFETY: the span is readable, by the caller; the part of the copy is as long.
            unsafe { engine::copy(span.local, part.as_mut_ptr(), part.len()) };
            span.local = part.as_mut_ptr();
            free = rest;
        }
        own.copy = copy;
        own
    }
}

impl OwnedOperation {
    /// Takes over an operation; bytes of a put up to `eager_bytes` in sum are copied.
    ///
    /// # Safety
    /// The sources of puts are readable.
    pub unsafe fn of(operation: &Operation<'_>, eager_bytes: u64) -> Self {
        Self(match *operation {
            // SAFETY: passed on to the caller.
            Operation::Put { key, spans } => Owned::Put(key, unsafe { Spans::copied(spans, eager_bytes) }),
            Operation::Get { key, spans } => Owned::Get(key, Spans::of(spans)),
            Operation::PutStrided { key, strided } if strided.bytes() <= eager_bytes => {
                let mut copy = vec![0; usize::try_from(strided.bytes()).unwrap_or(0)];
                let block = usize::try_from(strided.block_bytes).unwrap_or(usize::MAX);
                for (part, index) in copy.chunks_mut(block).zip(0..) {
                    // SAFETY: the block is readable, by the caller; the part is as long.
                    unsafe { engine::copy(strided.span(index).local, part.as_mut_ptr(), part.len()) };
                }
                let packed =
                    Strided { local: copy.as_mut_ptr(), local_stride: strided.block_bytes, ..strided };
                Owned::PutStrided(key, packed, copy)
            }
            Operation::PutStrided { key, strided } => Owned::PutStrided(key, strided, Vec::new()),
            Operation::GetStrided { key, strided } => Owned::GetStrided(key, strided),
            Operation::Atomic { at, atomic, old } => Owned::Atomic(at, atomic, old),
            Operation::Signal { key, spans, signal, width, kind, value } => {
                // SAFETY: passed on to the caller.
                let spans = unsafe { Spans::copied(spans, eager_bytes) };
                Owned::Signal(key, spans, signal, width, kind, value)
            }
            Operation::Copy { from, to_peer, to_address, to, bytes } => {
                Owned::Copy(from, to_peer, to_address.to_vec(), to, bytes)
            }
        })
    }

    /// Returns the operation; its copies live as long as this.
    #[inline]
    pub fn operation(&self) -> Operation<'_> {
        match &self.0 {
            Owned::Put(key, spans) => Operation::Put { key: *key, spans: &spans.spans },
            Owned::Get(key, spans) => Operation::Get { key: *key, spans: &spans.spans },
            Owned::PutStrided(key, strided, _) => Operation::PutStrided { key: *key, strided: *strided },
            Owned::GetStrided(key, strided) => Operation::GetStrided { key: *key, strided: *strided },
            Owned::Atomic(at, atomic, old) => Operation::Atomic { at: *at, atomic: *atomic, old: *old },
            Owned::Signal(key, spans, signal, width, kind, value) => Operation::Signal {
                key: *key,
                spans: &spans.spans,
                signal: *signal,
                width: *width,
                kind: *kind,
                value: *value,
            },
            Owned::Copy(from, to_peer, to_address, to, bytes) => {
                Operation::Copy { from: *from, to_peer: *to_peer, to_address, to: *to, bytes: *bytes }
            }
        }
    }

    /// Returns the copied bytes, which may be empty.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Owned::Put(_, spans) | Owned::Signal(_, spans, ..) => &mut spans.copy,
            Owned::PutStrided(_, _, copy) => copy,
            _ => &mut [],
        }
    }
}
