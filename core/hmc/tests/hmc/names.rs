// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Dialers that share an address and do not listen: the address names the last of them.

use crate::processes::{NOT_FOUND, SUCCESS, free_port, until};
use crate::side::Side;

/// Puts some bytes, and checks that they arrive.
fn arrives(from: &mut Side, to: &mut Side, port: u16, seed: u64) {
    let bytes = 70_000;
    assert_eq!(from.call(&format!("0 fill 0 {bytes} {seed}")), SUCCESS);
    assert_eq!(from.call(&format!("0 put {port} 1 0 {} {bytes}", 8 << 20)), SUCCESS);
    assert_eq!(to.call(&format!("0 stale {} {bytes} {seed}", 8 << 20)), 0);
}

#[test]
fn dialer_continues_after_losing_its_name() {
    for environment in [&[][..], &[("MF_SHM", "false")]] {
        let [mut listener, mut one, mut two] = [(); 3].map(|()| Side::start(environment));
        let mut port = free_port();
        while listener.call(&format!("0 listen {port} 1")) != SUCCESS {
            port = free_port();
        }
        assert_eq!(one.call(&format!("0 connect {port} 1")), SUCCESS);
        arrives(&mut listener, &mut one, 0, 1);
        // Operations begun on it end with it.
        let bytes = 3 << 20;
        assert_eq!(listener.call(&format!("0 fill 0 {bytes} 7")), SUCCESS);
        let id = listener.call(&format!("0 start 0 1 0 0 {bytes}"));
        assert_eq!(two.call(&format!("0 connect {port} 1")), SUCCESS);
        assert_eq!(listener.call(&format!("0 wait {id}")), SUCCESS);
        assert_eq!(one.call(&format!("0 stale 0 {bytes} 7")), 0);
        for seed in 2..5 {
            arrives(&mut one, &mut listener, port, seed);
            arrives(&mut two, &mut listener, port, seed + 10);
            arrives(&mut listener, &mut two, 0, seed + 20);
        }
        one.kill();
        arrives(&mut listener, &mut two, 0, 30);
        two.kill();
        until(NOT_FOUND, || listener.call("0 check 0 1"));
    }
}
