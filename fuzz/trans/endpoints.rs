// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Endpoints themselves: others are made, found and destroyed; descriptors and callbacks.

use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};

use mf_abi::smem::*;

use super::Program;
use super::arguments::Name;
use super::ends::{INVALID, OK, c, check, config, of_pointer, pointer};

impl Program<'_> {
    pub(super) fn others(&mut self) {
        let (handle, endpoint) = self.handle();
        let expected = if endpoint.is_some() { OK } else { INVALID };
        let mut descriptor = -1;
        match self.input.byte() % 5 {
            0 => {
                let (text, name) = self.name();
                let got = c::mfx_trans_find(handle, text.as_ref().map_or(null(), |text| text.as_ptr()));
                check(
                    got,
                    &[match name {
                        Name::Of(_) => expected,
                        Name::Nobody if endpoint.is_some() => SMEM_NOT_CONNECTED,
                        _ => INVALID,
                    }],
                );
            }
            1 => {
                check(c::mfx_trans_event_fd(handle, null_mut()), &[INVALID]);
                check(c::mfx_trans_event_fd(handle, &raw mut descriptor), &[expected]);
                assert_eq!(descriptor >= 0, endpoint.is_some());
            }
            2 => {
                let callback: PeerDownCallback = (self.input.byte() % 2 == 0).then_some(down as _);
                check(c::smem_trans_set_peer_down_callback(handle, callback, null_mut()), &[expected]);
            }
            3 => {
                // No endpoint that is needed.
                let handle = if endpoint.is_some() { null_mut() } else { handle };
                c::smem_trans_destroy(handle, self.input.byte().into());
                check(c::smem_get_last_err_code(), &[INVALID]);
            }
            _ => self.create(),
        }
    }

    /// Another endpoint, of any name and configuration, at a URL of any bytes; only one store is there.
    pub(super) fn create(&mut self) {
        let ((text, name), mut config) = (self.name(), config());
        let kind = self.input.byte();
        if kind & 1 != 0 {
            (config.role, config.data_op_type) = (self.input.number() as u32, self.input.number() as u32);
            (config.device_id, config.flags) = (self.input.number() as u32, self.input.number() as u32);
            config.init_timeout = self.input.byte().into();
        }
        if kind & 2 != 0 {
            fill(&mut config.nic, self.input.bytes());
        }
        if kind & 4 != 0 {
            config.hcom_tls_config.enable = self.input.byte();
            let path = [b"/proc/self/nowhere/", self.input.bytes()].concat();
            fill(&mut config.hcom_tls_config.ca_path, &path);
            fill(&mut config.hcom_tls_config.key_path, if kind & 16 == 0 { &path } else { &[b'x'; 600] });
        }
        let url = if kind & 8 == 0 {
            self.ends.url.clone()
        } else {
            CString::new(self.input.bytes()).unwrap_or_default()
        };
        let is_elsewhere = url.to_str().is_ok_and(|url| mf_bootstrap::StoreUrl::parse(url).is_ok());
        if kind & 8 != 0 && is_elsewhere {
            return;
        }
        let made = c::smem_trans_create(
            url.as_ptr(),
            text.as_ref().map_or(null(), |text| text.as_ptr()),
            &raw const config,
        );
        let got = of_pointer(made);
        check(got, &[got]);
        match name {
            _ if kind & 12 == 8 => assert_eq!(got, INVALID),
            _ if kind & 8 != 0 => assert_ne!(got, OK),
            Name::None => assert_eq!(got, INVALID),
            Name::Of(_) => assert_ne!(got, OK),
            Name::Nobody => {}
        }
        if !made.is_null() {
            let text = text.as_ref().map_or(null(), |text| text.as_ptr());
            check(c::mfx_trans_find(pointer(self.ends.handles[0] as u64), text), &[OK]);
            c::smem_trans_destroy(made, 0);
            check(c::smem_trans_register_mem(made, pointer(self.model.block(0).0), 1, 0), &[INVALID]);
            check(
                c::mfx_trans_notify(pointer(self.ends.handles[0] as u64), text, null(), 0),
                &[SMEM_NOT_CONNECTED],
            );
            self.stale = made.addr();
        }
    }
}

/// Puts bytes into an array of a struct; where they are as many as that, no zero follows.
fn fill(array: &mut [c_char], bytes: &[u8]) {
    for (place, byte) in array.iter_mut().zip(bytes) {
        *place = *byte as c_char;
    }
}

unsafe extern "C-unwind" fn down(name: *const c_char, _: *mut c_void) {
    assert!(!name.is_null());
}
