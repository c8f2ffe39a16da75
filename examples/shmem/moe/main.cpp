// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tokens to their experts and back, by kernels: tokens_<pe>.bin has TOKENS rows of WIDTH elements,
// choices_<pe>.bin the TOP experts of each (of EXPERTS), weights_<pe>.bin a float32 for each choice.
// received_<pe>.bin gets the rows that came to this PE's experts, out_<pe>.bin the weighted sums.
#include "program.h"

int main(int count, char **words)
{
    Program program(count, words);
    const uint32_t tokens = program.size(0), top = program.size(1), experts = program.size(2), width = program.size(3);
    const size_t pes = static_cast<size_t>(program.pes), row = width * program.element_bytes();
    const size_t choices_count = static_cast<size_t>(tokens) * top, room = choices_count * pes;
    char *out = program.heap(tokens * row), *rows = program.heap(room * row);
    char *counts = program.heap(pes * experts * sizeof(int32_t));
    char *from = program.upload(program.path("tokens"), tokens * row);
    char *choices = program.upload(program.path("choices"), choices_count * sizeof(int32_t));
    char *weights = program.upload(program.path("weights"), choices_count * sizeof(float));

    program.launch("moe_dispatch", {word(rows), word(counts), word(from), word(choices), tokens, top, experts, row, room});
    const std::vector<char> made = program.from_heap(counts, pes * experts * sizeof(int32_t));
    size_t received = 0;
    for (size_t i = 0; i < pes * experts; i++) {
        int32_t number;
        std::memcpy(&number, &made[i * sizeof number], sizeof number);
        if (i % experts / (experts / pes) == static_cast<size_t>(program.pe)) received += static_cast<size_t>(number);
    }
    program.download(program.path("received"), rows, received * row);

    program.launch("moe_experts", {word(rows), word(counts), experts, width, program.type_number()});
    program.launch("moe_combine", {word(out), word(rows), word(counts), word(choices), word(weights), tokens, top, experts, width,
                                   program.type_number()});
    program.download(program.path("out"), out, tokens * row);
    return 0;
}
