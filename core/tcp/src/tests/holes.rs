// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Local memory of long operations that has a hole between its ends.

use mf_base::Retry;
use mf_base::settings::Switch;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

use super::*;

const HOLE: usize = 64 << 10;

/// Memory with a hole in its middle.
pub(super) struct Holed(*mut u8, usize);

impl Holed {
    pub(super) fn new(bytes: usize) -> Self {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping, which nothing else knows.
        let start = unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, access, MapFlags::PRIVATE) };
        let start = start.unwrap().cast::<u8>();
        // SAFETY: a part of it, to which nothing refers.
        unsafe { munmap(start.wrapping_add((bytes - HOLE) / 2).cast(), HOLE) }.unwrap();
        Self(start, bytes)
    }

    pub(super) fn span(&self) -> Span {
        Span { local: self.0, address: BASE, bytes: self.1 as u64 }
    }
}

impl Drop for Holed {
    fn drop(&mut self) {
        // SAFETY: the operations have ended.
        let _ = unsafe { munmap(self.0.cast(), self.1) };
    }
}

fn plain(rank: u32) -> End {
    end_with(peer(rank), 16 << 20, |options| options.tls = Switch::Off)
}

#[test]
fn a_get_into_memory_with_a_hole_fails_alone() {
    let (a, b) = (plain(0), plain(1));
    introduce(&[&a, &b]);
    b.memory.fill(2);
    a.put(&b, 0, 0, 8).unwrap();
    for bytes in [192 << 10, 1 << 20, 3 << 20] {
        let holed = Holed::new(bytes);
        let (completion, other) = (Arc::new(Completion::new()), Arc::new(Completion::new()));
        completion.guard();
        a.post(b.me, &Operation::Get { key: KEY, spans: &[holed.span()] }, &completion).unwrap();
        a.post(b.me, &Operation::Get { key: KEY, spans: &[a.span(8, 8, 8000)] }, &other).unwrap();
        let error = a.tcp.wait(&completion).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
        a.tcp.wait(&other).unwrap();
        a.memory.check(2, 1..1001);
        assert_eq!(a.tcp.usage().connections, 1);
    }
}

#[test]
fn put_from_memory_with_a_hole_is_refused_and_others_retry() {
    let (a, b) = (plain(0), plain(1));
    introduce(&[&a, &b]);
    for bytes in [192 << 10, 512 << 10] {
        a.put(&b, 0, 0, 8).unwrap();
        b.memory.fill(2);
        let holed = Holed::new(bytes);
        let (completion, other) = (Arc::new(Completion::new()), Arc::new(Completion::new()));
        let gate = b.memory.shut();
        a.post(b.me, &Operation::Put { key: KEY, spans: &[a.span(0, 0, 8)] }, &other).unwrap();
        a.post(b.me, &Operation::Put { key: KEY, spans: &[holed.span()] }, &completion).unwrap();
        let error = a.tcp.wait(&completion).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
        let error = a.tcp.wait(&other).unwrap_err();
        assert_eq!((error.kind(), error.retry_class()), (Kind::Timeout, Retry::AtOnce), "{error}");
        drop(gate);
        a.put(&b, 0, 8, 8).unwrap();
        // Only bytes of the source were written.
        let middle = bytes / 16;
        b.memory.check(2, middle..16 << 17);
    }
}
