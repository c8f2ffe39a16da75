// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Resharding of weights: every rank loads its share of the ROWS of each matrix of a safetensors file into
//! the pool, then takes its share of the COLUMNS from all ranks: a change of the parallel layout without the
//! disk.
//!
//! ```text
//! target/release/mf run -n 4 -- target/release/03_reshard [FILE]
//! ```
//! Without FILE rank 0 makes one.

use std::error::Error;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use memfabric::{Job, Lifetime, Pool, Rank};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize_to_file};

/// A matrix of the file and where its rows lie in a segment.
struct Matrix<'a> {
    name: String,
    data: &'a [u8],
    rows: usize,
    row_bytes: usize,
    element_bytes: usize,
    /// Start of its rows in every segment.
    offset: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let job = Job::join()?;
    let (me, world) = (job.rank().0 as usize, job.world_size() as usize);
    let (path, ours) = file(&job)?;
    let file = std::fs::read(&path)?;
    let (matrices, bytes) = lay_out(&SafeTensors::deserialize(&file)?, world);

    let pool = Pool::builder().host_bytes(bytes.max(1).next_multiple_of(2 << 20)).open(&job)?;
    for matrix in &matrices {
        let rows = share(matrix.rows, me, world);
        let bytes = &matrix.data[rows.start * matrix.row_bytes..rows.end * matrix.row_bytes];
        if !bytes.is_empty() {
            pool.put(bytes, pool.local_address()?.add(matrix.offset))?;
        }
    }
    job.barrier("rows are in the pool")?;

    let mut taken = 0;
    for matrix in &matrices {
        let columns = share(matrix.row_bytes / matrix.element_bytes, me, world);
        let columns = columns.start * matrix.element_bytes..columns.end * matrix.element_bytes;
        let mut own = vec![0; matrix.rows * columns.len()];
        for owner in 0..world {
            let segment = pool.address(Rank(u32::try_from(owner)?))?.add(matrix.offset);
            for (at, row) in share(matrix.rows, owner, world).enumerate().filter(|_| !columns.is_empty()) {
                let place = segment.add((at * matrix.row_bytes + columns.start) as u64);
                pool.get(place, &mut own[row * columns.len()..][..columns.len()])?;
            }
        }
        let rows = matrix.data.chunks_exact(matrix.row_bytes);
        let expected: Vec<u8> = rows.flat_map(|row| &row[columns.clone()]).copied().collect();
        assert!(own == expected, "columns of {} differ", matrix.name);
        taken += own.len();
    }
    let count = matrices.len();
    println!("rank {me}: columns of {count} matrices, {taken} bytes, taken from {world} ranks and compared");
    job.barrier("done")?;
    if ours && me == 0 {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

/// The matrices of the file in the order of their names, which all ranks share, and the bytes of a segment.
fn lay_out<'a>(file: &SafeTensors<'a>, world: usize) -> (Vec<Matrix<'a>>, u64) {
    let mut tensors = file.tensors();
    tensors.sort_by(|a, b| a.0.cmp(&b.0));
    let (mut matrices, mut offset) = (Vec::new(), 0);
    for (name, tensor) in tensors {
        // Vectors and empty tensors are not sharded.
        let &[rows, columns] = tensor.shape() else { continue };
        if rows * columns == 0 || !tensor.data().len().is_multiple_of(rows * columns) {
            continue;
        }
        let element_bytes = tensor.data().len() / (rows * columns);
        let row_bytes = columns * element_bytes;
        matrices.push(Matrix { name, data: tensor.data(), rows, row_bytes, element_bytes, offset });
        offset += (rows.div_ceil(world) * row_bytes).next_multiple_of(64) as u64;
    }
    (matrices, offset)
}

/// The part of `count` things that belongs to `rank` of `world`; no two differ by more than one.
fn share(count: usize, rank: usize, world: usize) -> Range<usize> {
    count * rank / world..count * (rank + 1) / world
}

/// The file of the command line, else one that rank 0 makes and names in the store. True: ours to remove.
fn file(job: &Job) -> Result<(PathBuf, bool), Box<dyn Error>> {
    if let Some(path) = std::env::args_os().nth(1) {
        return Ok((path.into(), false));
    }
    if job.rank() == Rank(0) {
        let path = std::env::temp_dir().join(format!("mf-weights-{}.safetensors", std::process::id()));
        let layers = [("attention", 768, 2304), ("mlp", 1021, 515)].map(|(name, rows, columns)| {
            let data: Vec<u8> = (0..rows * columns).flat_map(|i| (i as f32).to_le_bytes()).collect();
            (name, vec![rows, columns], data)
        });
        let mut views = Vec::new();
        for (name, shape, data) in &layers {
            views.push((*name, TensorView::new(Dtype::F32, shape.clone(), data)?));
        }
        serialize_to_file(views, None, &path)?;
        job.store()?.set("file", path.display().to_string().as_bytes(), Lifetime::Permanent)?;
    }
    let entry = job.store()?.wait("file", Duration::from_secs(60))?;
    Ok((String::from_utf8(entry.into_value())?.into(), true))
}
