// SPDX-License-Identifier: Apache-2.0 OR MIT
// All-to-all by kernels. Of equal sizes: equal_<pe>.bin has ROWS rows of WIDTH bytes for each PE, and
// equal_out_<pe>.bin gets the rows of all PEs. Of unequal ones: counts_<pe>.bin has the number of rows for
// each PE, at most ROWS, rows_<pe>.bin has them, and out_<pe>.bin gets the received rows.
#include "program.h"

int main(int count, char **words)
{
    Program program(count, words);
    const uint32_t rows = program.size(0), width = program.size(1);
    const size_t pes = static_cast<size_t>(program.pes), piece = static_cast<size_t>(rows) * width;

    char *equal = program.upload(program.path("equal"), piece * pes), *equal_out = program.heap(piece * pes);
    program.launch("alltoall", {word(equal_out), word(equal), piece});
    program.download(program.path("equal_out"), equal_out, piece * pes);

    char *to = program.heap(piece * pes), *table = program.heap(pes * pes * sizeof(int32_t));
    char *from = program.upload(program.path("rows"), piece * pes);
    char *counts = program.upload(program.path("counts"), pes * sizeof(int32_t));
    size_t received = 0;
    // Twice: the second time the table has other PEs' counts already.
    for (int turn = 0; turn < 2; turn++) {
        program.launch("alltoallv", {word(to), word(from), word(table), word(counts), width, rows * pes});
    }
    const std::vector<char> sent = program.from_heap(table, pes * pes * sizeof(int32_t));
    for (size_t source = 0; source < pes; source++) {
        int32_t number;
        std::memcpy(&number, &sent[(source * pes + static_cast<size_t>(program.pe)) * sizeof number], sizeof number);
        received += static_cast<size_t>(number);
    }
    program.download(program.path("out"), to, received * width);
    return 0;
}
