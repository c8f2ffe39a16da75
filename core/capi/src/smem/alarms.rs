// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_set_extern_alarm`: faults that last, reported to the program.

use std::sync::Arc;

use mf_abi::smem::{Alarm, Resume};
use mf_base::Result;
use mf_base::alarm::{self, Handlers};

use crate::boundary::{call_program, null};
use crate::last_error::c_text;
use crate::startup::prepare;

pub(crate) fn smem_set_extern_alarm(op: &'static str, alarm: Alarm, resume: Resume) -> Result<()> {
    let (Some(alarm), Some(resume)) = (alarm, resume) else {
        return Err(null(op, "the alarm or the resume function"));
    };
    prepare()?;
    alarm::set_handlers(&Handlers {
        raise: Arc::new(move |code, text| {
            // SAFETY: the interface asks for functions that any thread may call until the process ends; the
            // text lives through the call.
            call_program("the alarm of smem_set_extern_alarm", || unsafe {
                alarm(code.number(), c_text(text).as_ptr());
            });
        }),
        resume: Arc::new(move |code| {
            // SAFETY: the interface asks for a function that any thread may call until the process ends.
            call_program("the resume of smem_set_extern_alarm", || unsafe { resume(code.number()) });
        }),
    });
    Ok(())
}
