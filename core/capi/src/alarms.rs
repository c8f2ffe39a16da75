// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_set_extern_alarm`: faults that last, told to the program.

use std::ffi::c_char;
use std::sync::Arc;

use mf_store::alarm::{self, Handlers};

use crate::boundary::{code, null};
use crate::last_error::c_text;
use crate::process::prepare;

type Alarm = extern "C" fn(code: u16, text: *const c_char);
type Resume = extern "C" fn(code: u16);

#[unsafe(no_mangle)]
extern "C" fn smem_set_extern_alarm(alarm: Option<Alarm>, resume: Option<Resume>) -> i32 {
    const OP: &str = "set alarm";
    code(OP, || {
        let (Some(alarm), Some(resume)) = (alarm, resume) else {
            return Err(null(OP, "the alarm or the resume function"));
        };
        prepare()?;
        alarm::set_handlers(&Handlers {
            raise: Arc::new(move |code, text| alarm(code.number(), c_text(text).as_ptr())),
            resume: Arc::new(move |code| resume(code.number())),
        });
        Ok(())
    })
}
