// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reduce-scatter by a kernel: pieces_<pe>.bin has COUNT elements for each PE, out_<pe>.bin gets the sum of
// all PEs' pieces for this one.
#include "program.h"

int main(int count, char **words)
{
    Program program(count, words);
    const uint64_t elements = program.size(0), bytes = elements * program.element_bytes();
    char *out = program.heap(bytes);
    // Last, so that only the kernel waits for a late PE.
    char *pieces = program.upload(program.path("pieces"), bytes * static_cast<uint64_t>(program.pes));
    program.launch("reduce_scatter", {word(out), word(pieces), elements, program.type_number(), 0});
    program.download(program.path("out"), out, bytes);
    return 0;
}
