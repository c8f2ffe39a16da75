// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contexts: S6.

use std::ptr::null_mut;

use ascend_sim::acl::contexts::*;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::streams::*;

use crate::calls::*;
use crate::devices::{device, on_another_thread};
use crate::isolated;

#[test]
fn s6_a_context_selects_its_device() {
    isolated::run(&[], || {
        let one = made!(aclrtCreateContext(1));
        assert_eq!(device(), Ok(1), "a new context is the thread's");
        let two = made!(aclrtCreateContext(2));
        assert_eq!((device(), made!(aclrtGetCurrentContext())), (Ok(2), two));
        ok!(aclrtSetCurrentContext(one));
        assert_eq!((device(), made!(aclrtGetCurrentContext())), (Ok(1), one));
        let shared = SharedHandle::new(two);
        let other = on_another_thread(move || {
            ok!(aclrtSetCurrentContext(shared.get()));
            device()
        });
        assert_eq!((device(), other), (Ok(1), Ok(2)));
        // Many, so that none is remembered for long.
        let contexts: Vec<_> = (0..8).map(|device| (device, made!(aclrtCreateContext(device)))).collect();
        for _ in 0..3 {
            for (number, context) in &contexts {
                ok!(aclrtSetCurrentContext(*context));
                assert_eq!(device(), Ok(*number));
            }
        }
    });
}

#[test]
fn s6_destroying_the_current_context_leaves_none() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let primary = made!(aclrtGetCurrentContext());
        let context = made!(aclrtCreateContext(0));
        let stream = made!(aclrtCreateStream());
        Gate::default().hold(stream);
        ok!(aclrtDestroyContext(context));
        assert_eq!(device(), Err(107002));
        assert_eq!(code!(aclrtGetCurrentContext(nowhere())), 107002);
        assert_eq!(code!(aclrtSynchronizeStream(null_mut())), 107002);
        assert_eq!(code!(aclrtSetCurrentContext(context)), 107000);
        assert_eq!(code!(aclrtDestroyContext(context)), 107000);
        ok!(aclrtSetCurrentContext(primary));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 107000, "its streams went with it");
        assert_eq!(code!(aclrtDestroyContext(primary)), 107000, "that ends with its device");
        assert_eq!(code!(aclrtDestroyContext(null_mut())), 100000);
        assert_eq!(code!(aclrtSetCurrentContext(null_mut())), 100000);
    });
}

#[test]
fn s6_context_destroyed_by_another_thread_is_invalid_here() {
    isolated::run(&[], || {
        let context = made!(aclrtCreateContext(0));
        let shared = SharedHandle::new(context);
        on_another_thread(move || ok!(aclrtDestroyContext(shared.get())));
        assert_eq!(device(), Err(107002));
        assert_eq!(code!(aclrtSetCurrentContext(context)), 107000);
    });
}

#[test]
fn s6_streams_are_bound_to_their_context() {
    isolated::run(&[], || {
        let stream = a_stream();
        let primary = made!(aclrtGetCurrentContext());
        made!(aclrtCreateContext(0));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 107003);
        assert_eq!(code!(aclrtDestroyStream(stream)), 107003);
        let default = made!(aclrtCtxGetCurrentDefaultStream());
        ok!(aclrtSynchronizeStream(default));
        ok!(aclrtSetCurrentContext(primary));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(code!(aclrtSynchronizeStream(default)), 107003);
    });
}
