// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One rank grows while the others come and go.

use mf_base::Rank;
use mf_smem::bm::{Context, Pool};
use mf_store::Lifetime;
use mf_tests::Failure;

use super::subject;

const STEP_BYTES: u64 = 2 << 20;
const GROWN: &str = "grown";
const ENOUGH: &str = "grown enough";

/// Grows step by step and says after each how much there is.
pub(super) fn grow(context: &Context, pool: &Pool, steps: u64) -> Result<(), Failure> {
    let store = context.store()?;
    for step in 0..steps {
        pool.extend(subject(pool), STEP_BYTES)?;
        let mark = pool.local_bytes(subject(pool)) - 1;
        pool.put(
            &[u8::try_from(step % 251 + 1).unwrap()],
            pool.address(subject(pool), pool.rank())?.add(mark),
        )?;
        store.set(GROWN, &mark.to_le_bytes(), Lifetime::Permanent)?;
    }
    store.set(ENOUGH, b"", Lifetime::Permanent)?;
    Ok(())
}

/// Joins and leaves until rank 0 has grown enough; whenever joined, all that rank 0 has announced is
/// there.
pub(super) fn watch(context: &Context, pool: &Pool) -> Result<(), Failure> {
    let store = context.store()?;
    let there = pool.address(subject(pool), Rank(0))?;
    while store.get(ENOUGH)?.is_none() {
        pool.join()?;
        if let Some(entry) = store.get(GROWN)? {
            let mark = u64::from_le_bytes(entry.value.try_into().unwrap());
            let mut found = [0];
            pool.get(there.add(mark), &mut found).map_err(|error| Failure {
                text: format!("{} bytes are there: {error}", mark + 1),
                code: error.code(),
            })?;
            if found == [0] {
                return Err(Failure::wrong(format!("byte {mark} is not there")));
            }
        }
        pool.leave()?;
    }
    pool.join()?;
    Ok(())
}
