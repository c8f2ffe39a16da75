// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// CANN SHMEM with a fused kernel: each PE multiplies its share of the matrices, and the products are
// summed on every PE, while later tiles are still being multiplied (kernel.cpp). run.sh compiles, runs and
// checks it.
//
//     matmul_allreduce RANKS RANK IP_PORT M N K FOLDER [TYPE [BLOCKS [PERF]]]
//
// FOLDER has rank_<i>_a.bin (M x K) and rank_<i>_b.bin (K x N) of TYPE, float16 (unless given) or bfloat16;
// PE 0 writes output.bin (M x N) there, and the others compare theirs with it. KERNELS of the environment is
// the binary of the kernel; BLOCKS is the cube cores of the launch (4), PERF 1 prints its time.
#include "program.h"

int main(int count, char **words)
{
    if (count < 8) Program::fail("matmul_allreduce: give RANKS RANK IP_PORT M N K FOLDER [TYPE [BLOCKS [PERF]]]");
    const size_t m = std::strtoul(words[4], nullptr, 10), n = std::strtoul(words[5], nullptr, 10),
                 k = std::strtoul(words[6], nullptr, 10);
    const uint64_t ranks = std::strtoul(words[1], nullptr, 10);
    Program program;
    program.folder = words[7];
    program.type = count > 8 ? words[8] : "float16";
    if (count > 9) program.blocks = static_cast<uint32_t>(std::atoi(words[9]));
    program.perf = count > 10 && std::atoi(words[10]) != 0;

    const size_t a_bytes = m * k * program.element_bytes(), b_bytes = k * n * program.element_bytes(),
                 c_bytes = m * n * program.element_bytes();
    // Room for the largest tiles on all blocks (mf_tiles.h).
    const uint64_t room = (1 << 20) + program.blocks * (ranks + 1) * (2 * 128 * 128 * 4);
    program.begin(std::atoi(words[1]), std::atoi(words[2]), words[3], a_bytes + b_bytes + c_bytes + room + (8 << 20));

    const std::string own = program.folder + "/rank_" + std::to_string(program.pe);
    char *a = program.upload(own + "_a.bin", a_bytes), *b = program.upload(own + "_b.bin", b_bytes);
    char *c = program.heap(c_bytes), *workspace = program.heap(room);
    program.launch("matmul_allreduce", {word(c), word(a), word(b), word(workspace), room, m, k, n, program.type_number()});

    const std::vector<char> found = program.from_heap(c, c_bytes);
    if (program.pe == 0) Program::write(program.folder + "/output.bin", found);
    aclshmem_barrier_all();
    std::vector<char> first(c_bytes);
    aclshmem_getmem(first.data(), c, c_bytes, 0);
    aclshmem_barrier_all();
    return program.report("C, against PE 0's", found == first);
}
