// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Round trips of tags beside round trips of a plain blocking socket of the same kind.
//!
//! The cores of the two ends matter more than their work: a wake-up on the same core needs no interrupt of
//! another core. So both ends of both candidates are kept on one core, then on one each.

use mf_base::Result;
use mf_library::buffers::Ranges;
use mf_measure::turns::{Pair, Plan as Turns};

use super::caller::Caller;
use super::other::{Ask, Done, WAIT_MAX};
use super::{CALLER, CALLER_BY_UNIX, OTHER, OTHER_BY_UNIX};
use crate::compared::Row;
use crate::{cores, length};

/// Length of the put before a tag.
const BEFORE_A_TAG: u64 = 4 << 10;

/// Transports of tags and plain bytes.
#[derive(Clone, Copy)]
enum Over {
    Unix,
    Tcp,
}

/// All of them.
pub(super) fn rows(caller: &mut Caller<'_>) -> Result<Vec<Row>> {
    let (all, mut rows) = (cores::own(), Vec::new());
    let places = match all.as_slice() {
        [first, second, ..] => vec![("one core", [*first; 2]), ("two cores", [*first, *second])],
        [only] => vec![("one core", [*only; 2])],
        [] => Vec::new(),
    };
    for (name, [here, there]) in places {
        cores::pin_process(&[here])?;
        caller.ask(&Ask::Pin { cores: vec![there] })?;
        let Done = caller.other.value()?;
        rows.push(row(caller, &format!("tag, answer: unix, {name}"), Over::Unix, 0)?);
        rows.push(row(caller, &format!("tag, answer: tcp, {name}"), Over::Tcp, 0)?);
        rows.push(row(caller, &format!("put, tag, answer: tcp, {name}"), Over::Tcp, BEFORE_A_TAG)?);
    }
    cores::pin_process(&all)?;
    caller.ask(&Ask::Pin { cores: all })?;
    let Done = caller.other.value()?;
    Ok(rows)
}

/// Those behind a put of so many bytes.
fn row(caller: &mut Caller<'_>, what: &str, over: Over, bytes: u64) -> Result<Row> {
    let (communicator, control, at) = (caller.communicator, caller.control, caller.at());
    let turns = match caller.plan.quick {
        true => Turns { turns: 7, calls: 300 },
        false => Turns { turns: 15, calls: 1000 },
    };
    let (peer, from, echo) = match over {
        Over::Unix => (OTHER_BY_UNIX, CALLER_BY_UNIX, &mut caller.unix_echo),
        Over::Tcp => (OTHER, CALLER, &mut caller.echo),
    };
    let other = &mut caller.other;
    let ranges = Ranges { local: 0, remote: 0, bytes };
    let mut own = |calls: u32| {
        other.send(&Ask::Echo { calls, from }.line())?;
        (0..u64::from(calls)).try_for_each(|tag| {
            if bytes > 0 {
                communicator.copy(at, ranges, true)?;
            }
            control.send(peer, tag)?;
            control.receive(peer, WAIT_MAX).map(drop)
        })
    };
    // As long as a tag and its head.
    let mut request = vec![0; length(bytes)?.max(16)];
    let mut plain = |calls: u32| (0..calls).try_for_each(|_| echo.exchange(&mut request, 16));
    let pair = Pair::measure(turns, &mut own, &mut plain)?;
    Ok(Row::new(what, &caller.memory, bytes.max(8), "blocking socket", pair))
}
