// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Speed of one rank's copies, measured in turns with memcpy.

use mf_base::Result;
use mf_library::big_memory::Pool;
use mf_measure::memory::Buffer;
use mf_measure::turns::{Plan, in_turns, median};

use super::message::Row;

/// Bytes of a short copy.
const SHORT: usize = 8;

/// Measures copies of `bytes` and of 8 bytes to and from `there`, and fills them into `row`.
pub(crate) fn measure(pool: &Pool, there: *mut u8, bytes: usize, row: &mut Row) -> Result<()> {
    let [put, get, plain] = seconds(pool, there, bytes)?;
    let [short_put, short_get, short_plain] = seconds(pool, there, SHORT)?;
    row.copy_bytes = bytes as u64;
    row.put_gbps = bytes as f64 / put / 1e9;
    row.get_gbps = bytes as f64 / get / 1e9;
    row.memcpy_gbps = bytes as f64 / plain / 1e9;
    row.put_ns = short_put * 1e9;
    row.get_ns = short_get * 1e9;
    row.memcpy_ns = short_plain * 1e9;
    Ok(())
}

/// Seconds of a put, a get and a memcpy of `bytes`.
fn seconds(pool: &Pool, there: *mut u8, bytes: usize) -> Result<[f64; 3]> {
    let [source, mut copied, mut fetched] = [(); 3].map(|()| Buffer::filled(bytes));
    let fetched = fetched.bytes_mut();
    let mut put =
        |calls: u32| (0..calls).try_for_each(|_| pool.put(std::hint::black_box(source.bytes()), there));
    let mut get =
        |calls: u32| (0..calls).try_for_each(|_| pool.get(there, std::hint::black_box(&mut *fetched)));
    let mut plain = |calls: u32| {
        for _ in 0..calls {
            copied.copy_from(&source);
        }
        Ok(())
    };
    let plan = Plan::for_bytes(bytes as u64, true);
    let measured = in_turns(plan, &mut [&mut put, &mut get, &mut plain])?;
    Ok([median(&measured[0]), median(&measured[1]), median(&measured[2])])
}
