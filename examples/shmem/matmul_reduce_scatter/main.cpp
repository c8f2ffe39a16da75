// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sum of all PEs' products, each PE its rows, by a kernel: a_<pe>.bin is M x K, b_<pe>.bin K x N;
// out_<pe>.bin gets this PE's rows of the sum.
#include "program.h"

#include <algorithm>

int main(int count, char **words)
{
    Program program(count, words);
    const uint32_t m = program.size(0), k = program.size(1), n = program.size(2);
    const uint32_t pes = static_cast<uint32_t>(program.pes), each = (m + pes - 1) / pes;
    const uint32_t first = std::min(each * static_cast<uint32_t>(program.pe), m), rows = std::min(each, m - first);
    const size_t bytes = program.element_bytes();
    // Room for the largest tiles on all blocks (mf_tiles.h).
    const uint64_t room = (1 << 20) + uint64_t{program.blocks} * (pes + 1) * (2 * 128 * 128 * 4);
    char *a = program.upload(program.path("a"), static_cast<size_t>(m) * k * bytes);
    char *b = program.upload(program.path("b"), static_cast<size_t>(k) * n * bytes);
    char *c = program.heap(static_cast<size_t>(each) * n * bytes), *workspace = program.heap(room);
    // Twice: the second time the workspace is as the first launch left it.
    for (int turn = 0; turn < 2; turn++) {
        program.launch("matmul_reduce_scatter", {word(c), word(a), word(b), word(workspace), room, m, k, n, program.type_number()});
    }
    program.download(program.path("out"), c, static_cast<size_t>(rows) * n * bytes);
    return 0;
}
