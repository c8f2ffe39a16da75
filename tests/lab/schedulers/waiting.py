# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A rank that says when all have joined, and then waits for the others until it is ended or one of them is gone."""

import mf_smem


def main() -> None:
    with mf_smem.open_pool(host_bytes=2 << 20) as pool:
        pool.barrier("joined")
        print(f"rank {pool.rank} waits", flush=True)
        try:
            if pool.rank == 0:
                while True:
                    pool.read(pool.address(1), 64)
            pool.barrier("never", timeout=600)
        except mf_smem.Error as error:
            print(f"rank {pool.rank}: {error}", flush=True)
            raise SystemExit(3) from error


main()
