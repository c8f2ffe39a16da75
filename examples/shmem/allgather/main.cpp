// SPDX-License-Identifier: Apache-2.0 OR MIT
// Allgather by a kernel: lengths from one element to more than a staging buffer holds.
#include "program.h"

int main(int count, char **words)
{
    const Program program(count, words);
    bool right = true;
    for (uint32_t elements : {1u, 1000u, 100003u}) {
        const size_t bytes = elements * sizeof(int32_t);
        char *all = static_cast<char *>(aclshmem_malloc(bytes * program.pes)), *own = static_cast<char *>(aclshmem_malloc(bytes));
        std::vector<int32_t> mine(elements), found(static_cast<size_t>(elements) * program.pes);
        for (uint32_t i = 0; i < elements; i++) mine[i] = static_cast<int32_t>(i) + 1000000 * (program.pe + 1);
        aclshmem_putmem(own, mine.data(), bytes, program.pe);
        aclshmem_barrier_all();
        program.launch("allgather", 4, {word(all), word(own), elements});
        aclshmem_getmem(found.data(), all, found.size() * sizeof(int32_t), program.pe);
        for (size_t i = 0; i < found.size(); i++) {
            right &= found[i] == static_cast<int32_t>(i % elements + 1000000 * (i / elements + 1));
        }
        aclshmem_free(own);
        aclshmem_free(all);
    }
    return program.report("allgather of 1, 1000 and 100003 elements", right);
}
