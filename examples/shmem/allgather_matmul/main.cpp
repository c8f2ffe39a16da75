// SPDX-License-Identifier: Apache-2.0 OR MIT
// The product of a matrix with rows spread over the PEs, by a kernel: a_<pe>.bin is M x K, b_<pe>.bin K x N;
// all_<pe>.bin gets the rows of all PEs, out_<pe>.bin their product with this PE's B.
#include "program.h"

int main(int count, char **words)
{
    Program program(count, words);
    const uint32_t m = program.size(0), k = program.size(1), n = program.size(2), pitch = (n + 15) / 16 * 16;
    const size_t pes = static_cast<size_t>(program.pes), bytes = program.element_bytes();
    const size_t a_bytes = static_cast<size_t>(m) * k * bytes, rows = m * pes;
    char *a = program.heap(a_bytes);
    char *b = program.upload(program.path("b"), static_cast<size_t>(k) * n * bytes);
    char *all = program.heap(a_bytes * pes), *c = program.heap(rows * pitch * bytes);
    char *signals = program.heap((m + 127) / 128 * pes * sizeof(int32_t));
    // Twice, first with zeros: rows of the previous turn must not pass for this one's.
    for (uint32_t turn = 1; turn <= 2; turn++) {
        if (turn == 2) program.fill(a, program.path("a"), a_bytes);
        program.launch("allgather_matmul", {word(c), word(a), word(b), word(all), word(signals), m, k, n, pitch, turn,
                                            program.type_number()});
    }
    // Without what lies between the rows.
    const std::vector<char> wide = program.from_heap(c, rows * pitch * bytes);
    std::vector<char> out;
    for (size_t row = 0; row < rows; row++) {
        const char *begin = wide.data() + row * pitch * bytes;
        out.insert(out.end(), begin, begin + n * bytes);
    }
    program.download(program.path("all"), all, a_bytes * pes);
    Program::write(program.path("out"), out);
    return 0;
}
