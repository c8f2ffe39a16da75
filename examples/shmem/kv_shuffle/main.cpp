// SPDX-License-Identifier: Apache-2.0 OR MIT
// Shuffles the pages of a key-value cache between PEs by a kernel: all PEs know the permutation of all pages.
#include "program.h"

int main(int count, char **words)
{
    enum { PAGES = 12, PAGE_BYTES = 6000, BLOCKS = 4 };
    const Program program(count, words);
    const int all = PAGES * program.pes;
    /* Page `page` of all goes to place `7 * page + 3` of all, round and round, where that is a permutation;
     * else one further. */
    const int step = all % 7 == 0 ? 1 : 7;
    std::vector<int32_t> table;
    for (int page = 0; page < PAGES; page++) {
        const int place = (step * (program.pe * PAGES + page) + 3) % all;
        table.push_back(place / PAGES);
        table.push_back(place % PAGES);
    }
    std::vector<unsigned char> pages(PAGES * PAGE_BYTES), found(pages.size());
    for (size_t i = 0; i < pages.size(); i++) {
        pages[i] = static_cast<unsigned char>(1 + program.pe * PAGES + i / PAGE_BYTES + i % 3);
    }
    char *to = static_cast<char *>(aclshmem_malloc(pages.size())), *from = static_cast<char *>(aclshmem_malloc(pages.size()));
    char *places = static_cast<char *>(aclshmem_malloc(table.size() * 4)), *counter = static_cast<char *>(aclshmem_calloc(1, 64));
    aclshmem_putmem(from, pages.data(), pages.size(), program.pe);
    aclshmem_putmem(places, table.data(), table.size() * 4, program.pe);
    aclshmem_barrier_all();
    program.launch("kv_shuffle", BLOCKS, {word(to), word(from), word(places), word(counter), PAGES, PAGE_BYTES, PAGES});
    aclshmem_getmem(found.data(), to, found.size(), program.pe);
    bool right = true;
    for (int source = 0; source < all; source++) {
        const int place = (step * source + 3) % all;
        if (place / PAGES != program.pe) continue;
        for (int i = 0; i < PAGE_BYTES; i++) {
            right &= found[static_cast<size_t>(place % PAGES) * PAGE_BYTES + i] == static_cast<unsigned char>(1 + source + i % 3);
        }
    }
    aclshmem_barrier_all();
    for (char *block : {to, from, places, counter}) aclshmem_free(block);
    return program.report("pages of the cache", right);
}
