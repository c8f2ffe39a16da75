// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Headers and orders survive a round trip, and impossible ones are refused.

use mf_transport::{JobId, Peer};
use proptest::prelude::*;

use super::operations::ATOMICS;
use super::*;

proptest! {
    #[test]
    fn accepted_headers_are_bounded_and_round_trip(bytes in proptest::array::uniform32(any::<u8>()), kind in 0u8..24, tail in any::<[u8; 8]>()) {
        let mut all = [0u8; HEADER];
        all[..32].copy_from_slice(&bytes);
        all[32..].copy_from_slice(&tail);
        all[0] = kind;
        if let Ok(header) = Header::decode(&all) {
            prop_assert!(header.payload() <= CHUNK_MAX);
            prop_assert_eq!(header.encode(), all);
        }
    }

    #[test]
    fn copy_orders_round_trip(job: u64, rank: u32, session: u64, key: u64, address: u64, us: u64, at in proptest::collection::vec(any::<u8>(), 0..100)) {
        let order = CopyOrder { to_peer: Peer { job: JobId(job), rank, session }, to_key: key, to_address: address, microseconds: us, transport_address: at };
        prop_assert_eq!(CopyOrder::decode(JobId(job), &order.encode()), Ok(order));
    }
}

#[test]
fn every_atomic_round_trips() {
    for kind in ATOMICS {
        for width in [Width::W32, Width::W64] {
            let atomic = Atomic { kind, width, operand: 1, compare: 2 };
            let mut header = Header::new(Kind::Atomic, 9);
            header.detail = atomic_detail(&atomic);
            header.extra = 1;
            header.length = 8;
            let header = Header::decode(&header.encode()).unwrap();
            assert_eq!(header.atomic(&2u64.to_le_bytes()), Some(atomic));
        }
    }
}

#[test]
fn oversized_misaligned_and_foreign_frames_are_refused() {
    let mut put = Header::new(Kind::Put, 1);
    put.length = length_u32(CHUNK_MAX + 1);
    assert!(Header::decode(&put.encode()).is_err());
    put.length = 8;
    put.address = u64::MAX - 3;
    assert!(Header::decode(&put.encode()).is_err());
    let mut signal = Header::new(Kind::Signal, 1);
    signal.address = 4;
    assert!(Header::decode(&signal.encode()).is_err());
    signal.detail = signal_detail(SignalKind::Add, Width::W32);
    assert_eq!(
        Header::decode(&signal.encode()).map(|signal| signal.signal()),
        Ok((SignalKind::Add, Width::W32))
    );
    let mut hello = Header::hello(true);
    assert!(Header::decode(&hello.encode()).is_ok());
    hello.sequence += 1;
    assert!(Header::decode(&hello.encode()).is_err());
    assert!(Header::decode(&[0xff; HEADER]).is_err());
}
