/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the examples with kernels have in common: arguments, begin and end, a launch, and its time. The
 * arguments are
 *
 *     npes pe ip:port gnpus first_pe first_npu type perf
 *
 * type is int32 or float32 (in these examples only the bytes matter); perf 1 prints the time of a launch; the
 * rest is for machines with several NPUs and changes nothing here. The binary of the kernels is KERNELS of
 * the environment. */
#ifndef SHMEM_EXAMPLES_PROGRAM_H
#define SHMEM_EXAMPLES_PROGRAM_H

#include <shmem.h>
#include <smem/host/mfx.h>
#include <smem/host/smem.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Program {
    int pes = 1, pe = 0;
    bool perf = false;
    mfx_kernel_t kernels = nullptr;

    Program(int count, char **words)
    {
        if (count < 4) {
            std::fprintf(stderr, "usage: %s npes pe tcp://address:port [gnpus first_pe first_npu type perf]\n", words[0]);
            std::exit(2);
        }
        pes = std::atoi(words[1]), pe = std::atoi(words[2]);
        perf = count > 8 && std::atoi(words[8]) != 0;
        aclshmemx_init_attr_t attributes{};
        attributes.my_pe = pe;
        attributes.n_pes = pes;
        std::snprintf(attributes.ip_port, sizeof attributes.ip_port, "%s", words[3]);
        attributes.local_mem_size = 256 << 20;
        attributes.option_attr = {ACLSHMEM_UNIQUEID_VERSION, ACLSHMEM_DATA_OP_MTE, 120, 120, 120, 0};
        check(aclshmemx_set_conf_store_tls(false, nullptr, 0), "set_conf_store_tls");
        check(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes), "init");
        check(mfx_kernel_load(std::getenv("KERNELS"), &kernels), "the kernels");
    }
    ~Program()
    {
        mfx_kernel_unload(kernels);
        aclshmem_finalize();
    }

    /* Ends the program where a call failed. */
    static void check(int code, const char *what)
    {
        if (code == 0) return;
        std::fprintf(stderr, "%s: %d %s\n", what, code, smem_get_last_err_msg());
        std::exit(1);
    }

    /* Runs a kernel on so many cores of every PE, and waits for its end. */
    void launch(const char *name, uint32_t blocks, std::vector<uint64_t> arguments) const
    {
        const mfx_launch_options_t options = {blocks, 0, nullptr};
        const auto begin = std::chrono::steady_clock::now();
        check(mfx_kernel_launch(kernels, name, nullptr, &options, arguments.data(), arguments.size() * 8), name);
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        if (perf) std::printf("PE %d: %s took %.3f ms (on a simulator: of the simulator)\n", pe, name, took.count());
    }

    /* Says whether the result is right; the status of the program. */
    int report(const char *what, bool right) const
    {
        std::printf("PE %d of %d: %s: %s\n", pe, pes, what, right ? "right" : "WRONG");
        return right ? 0 : 1;
    }
};

inline uint64_t word(const void *address) { return reinterpret_cast<uint64_t>(address); }

#endif
