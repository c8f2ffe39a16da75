// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S60: attributes of a launch.

use super::*;

#[test]
fn s60_attributes_are_checked() {
    with_binary("plain.c", &[], |binary, stream| {
        let counter = Words::new(&[0]);
        let count = function(binary, "count");
        let run = |id, value| {
            launch_as(count, 1, stream, &mut [attribute(id, [value, 0, 0, 0])], &[counter.address()])
        };
        let good = [(1, 0), (1, 1), (2, 0), (2, 192 << 10), (3, 0), (3, 1), (4, 9), (5, 1), (6, 0), (7, 30)];
        for (id, value) in good {
            assert_eq!(run(id, value), 0, "{id} = {value}: {}", last_error());
        }
        for (id, value) in [(0, 0), (9, 0), (1, 2), (2, (192 << 10) + 1), (3, 2), (5, 2), (6, 2)] {
            assert_eq!(run(id, value), WRONG, "{id} = {value}");
        }
        assert_eq!(wait(stream), 0);
        assert_eq!(counter.get(), [good.len() as u64]);
        let mut config = aclrtLaunchKernelCfg { attrs: null_mut(), numAttrs: 1 };
        let mut word = counter.address();
        let at = (&raw mut word).cast();
        let code =
            call!(aclrtLaunchKernelWithHostArgs(count, 1, stream, &raw mut config, at, 8, null_mut(), 0));
        assert_eq!(code, 100_000);
    });
}

#[test]
fn s60_launch_needing_concurrent_blocks_is_all_or_nothing() {
    with_binary("attached.c", &[], |binary, first| {
        let ring = function(binary, "ring");
        let place = Words::new(&[0; 60]);
        let arguments = [place.address(), 2];
        let mut all = [attribute(1, [1, 0, 0, 0])];
        assert_eq!(launch_as(ring, 49, first, &mut all, &arguments), WRONG);
        assert!(last_error().contains("49"));
        // Two at once on 48 cores: one after the other.
        let second = stream();
        for _ in 0..3 {
            assert_eq!(launch_as(ring, 48, first, &mut all, &arguments), 0);
            assert_eq!(launch_as(ring, 30, second, &mut all, &arguments), 0);
        }
        assert_eq!((wait(first), wait(second)), (0, 0), "{}", last_error());
        // A kernel may demand it for itself.
        let mixed = function(binary, "mixed");
        assert_eq!(launch(mixed, 25, first, &[place.address(), 0, 0]), WRONG, "24 cube cores");
        let mut not_all = [attribute(1, [0; 4])];
        assert_eq!(launch_as(mixed, 25, first, &mut not_all, &[place.address(), 0, 0]), 0);
        assert_eq!(wait(first), 0);
    });
}

#[test]
fn s60_a_timeout_in_seconds() {
    with_binary("attached.c", &[], |binary, stream| {
        let mut attributes = [attribute(7, [1, 0, 0, 0])];
        assert_eq!(launch_as(function(binary, "spin"), 1, stream, &mut attributes, &[0, 1]), 0);
        assert_eq!(wait(stream), 507_034);
        assert!(last_error().contains("1s"));
    });
}

#[test]
fn s60_memory_for_synchronising_cores() {
    isolated::run(&[], || {
        let mut first = null_mut();
        assert_eq!(call!(aclrtGetHardwareSyncAddr(&raw mut first)), 107_002);
        set_device(0);
        assert_eq!(call!(aclrtGetHardwareSyncAddr(&raw mut first)), 0, "{}", last_error());
        let mut again = null_mut();
        assert_eq!(call!(aclrtGetHardwareSyncAddr(&raw mut again)), 0);
        assert_eq!(first, again);
        assert_eq!(call!(aclrtFree(first)), WRONG);
        set_device(1);
        assert_eq!(call!(aclrtGetHardwareSyncAddr(&raw mut again)), 0);
        assert_ne!(first, again);
    });
}
