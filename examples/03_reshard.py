# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Resharding of weights: every rank loads its share of the ROWS of each matrix of a safetensors file into the pool, then
takes its share of the COLUMNS from all ranks: a change of the parallel layout without the disk.

    mf run -n 4 -- python3 examples/03_reshard.py [FILE]

Without FILE rank 0 makes one.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import tempfile
from array import array
from typing import NamedTuple

import mf_smem
from mf_smem import store


GRANULE = 2 << 20  # contributions are multiples of this


class Matrix(NamedTuple):
    """A matrix of the file and where its rows lie in a segment."""
    name: str
    data: memoryview
    rows: int
    columns: int
    element_bytes: int
    offset: int


def main() -> None:
    # A small pool first: with it the ranks agree on the file, which gives the size of the large one.
    with mf_smem.open_pool(host_bytes=GRANULE, pool_id=1) as control:
        path = sys.argv[1] if len(sys.argv) > 1 else made_file(control.rank)
        with open(path, "rb") as file:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        control.barrier("file is open")
        if len(sys.argv) == 1 and control.rank == 0:
            os.unlink(path)
        matrices, segment_bytes = lay_out(content, control.world_size)
        with mf_smem.open_pool(host_bytes=max(-(-segment_bytes // GRANULE), 1) * GRANULE) as pool:
            reshard(pool, matrices)


def reshard(pool: mf_smem.Pool, matrices: list[Matrix]) -> None:
    for matrix in matrices:
        row_bytes = matrix.columns * matrix.element_bytes
        first, last = share(matrix.rows, pool.rank, pool.world_size)
        if first < last:
            pool.put(matrix.data[first * row_bytes : last * row_bytes], pool.address() + matrix.offset)
    pool.barrier("rows are in the pool")
    taken = sum(take_columns(pool, matrix) for matrix in matrices)
    print(f"rank {pool.rank}: columns of {len(matrices)} matrices, {taken} bytes, from {pool.world_size} ranks, compared")
    pool.barrier("done")


def take_columns(pool: mf_smem.Pool, matrix: Matrix) -> int:
    """Fetches one's columns of all rows in one batch and compares them with the file; returns their bytes."""
    row_bytes = matrix.columns * matrix.element_bytes
    first, last = (column * matrix.element_bytes for column in share(matrix.columns, pool.rank, pool.world_size))
    width = last - first
    own, pieces = memoryview(bytearray(matrix.rows * width)), []
    for owner in range(pool.world_size):
        start, end = share(matrix.rows, owner, pool.world_size)
        place = pool.address(owner) + matrix.offset + first
        for row in range(start, end):
            pieces.append((place + (row - start) * row_bytes, own[row * width : (row + 1) * width]))
    if width:
        pool.get_many(pieces)
    expected = b"".join(matrix.data[row * row_bytes + first : row * row_bytes + last] for row in range(matrix.rows))
    if own != expected:
        raise SystemExit(f"MISMATCH: columns of {matrix.name}")
    return len(own)


def share(count: int, rank: int, world_size: int) -> tuple[int, int]:
    """The part of `count` things that belongs to a rank; no two parts differ by more than one."""
    return count * rank // world_size, count * (rank + 1) // world_size


def lay_out(content: memoryview, world_size: int) -> tuple[list[Matrix], int]:
    """The matrices of a safetensors file in the order of their names, which all ranks share, and the bytes of a segment."""
    header_bytes = int.from_bytes(content[:8], "little")
    header = json.loads(bytes(content[8 : 8 + header_bytes]))
    matrices, offset = [], 0
    for name, tensor in sorted(header.items()):
        # Vectors and empty tensors are not sharded.
        if name == "__metadata__" or len(tensor["shape"]) != 2 or 0 in tensor["shape"]:
            continue
        (rows, columns), (start, end) = tensor["shape"], tensor["data_offsets"]
        data = content[8 + header_bytes + start : 8 + header_bytes + end]
        matrices.append(Matrix(name, data, rows, columns, len(data) // (rows * columns), offset))
        most = -(-rows // world_size) * (len(data) // rows)
        offset += -(-most // 64) * 64
    return matrices, offset


def made_file(rank: int) -> str:
    """A file that rank 0 makes and names in the store."""
    if rank == 0:
        header, body = {}, b""
        for name, rows, columns in (("attention", 768, 2304), ("mlp", 1021, 515)):
            data = array("f", range(rows * columns)).tobytes()
            header[name] = {"dtype": "F32", "shape": [rows, columns], "data_offsets": [len(body), len(body) + len(data)]}
            body += data
        text = json.dumps(header).encode()
        with tempfile.NamedTemporaryFile(prefix="mf-weights-", suffix=".safetensors", delete=False) as file:
            file.write(len(text).to_bytes(8, "little") + text + body)
        store.set("file", file.name.encode())
    return store.get("file", timeout_s=60).decode()


if __name__ == "__main__":
    main()
