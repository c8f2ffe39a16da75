/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Common parts of the examples with kernels: arguments, begin and end, blocks of the heap, files, a launch,
 * and its time. The arguments are
 *
 *     npes pe ip:port gnpus first_pe first_npu type perf blocks folder SIZE…
 *
 * type is int32, float32, float16 or bfloat16 if elements matter; perf 1 prints the time of a launch; blocks
 * is the cores of it; folder has the files, NAME_<pe>.bin; the sizes depend on the example. The other three
 * are for machines with several NPUs and change nothing here. The binary of the kernels is KERNELS of the
 * environment, HEAP_MIB the size of the heap (32). LATE_PE is a PE that fills its memory, and comes to each
 * launch, later than the others. */
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
#include <thread>
#include <vector>

struct Program {
    int pes = 1, pe = 0;
    bool perf = false;
    uint32_t blocks = 4;
    std::string type = "int32", folder = ".";
    std::vector<uint32_t> sizes;
    mfx_kernel_t kernels = nullptr;

    Program(int count, char **words)
    {
        if (count < 4) {
            fail(std::string("usage: ") + words[0] +
                 " npes pe tcp://address:port [gnpus first_pe first_npu type perf blocks folder size…]");
        }
        if (count > 7) type = words[7];
        perf = count > 8 && std::atoi(words[8]) != 0;
        if (count > 9) blocks = static_cast<uint32_t>(std::atoi(words[9]));
        if (count > 10) folder = words[10];
        for (int i = 11; i < count; i++) sizes.push_back(static_cast<uint32_t>(std::strtoul(words[i], nullptr, 10)));
        const char *mib = std::getenv("HEAP_MIB");
        begin(std::atoi(words[1]), std::atoi(words[2]), words[3], std::strtoull(mib != nullptr ? mib : "32", nullptr, 10) << 20);
    }
    Program() = default;
    Program(const Program &) = delete;
    ~Program()
    {
        for (size_t i = taken.size(); i > 0; i--) aclshmem_free(taken[i - 1]);
        if (kernels != nullptr) mfx_kernel_unload(kernels);
        aclshmem_finalize();
    }

    void begin(int count, int number, const char *address, uint64_t heap_bytes)
    {
        pes = count, pe = number;
        aclshmemx_init_attr_t attributes{};
        attributes.my_pe = pe;
        attributes.n_pes = pes;
        std::snprintf(attributes.ip_port, sizeof attributes.ip_port, "%s", address);
        attributes.local_mem_size = heap_bytes;
        attributes.option_attr = {ACLSHMEM_UNIQUEID_VERSION, ACLSHMEM_DATA_OP_MTE, 120, 120, 120, 0};
        check(aclshmemx_set_conf_store_tls(false, nullptr, 0), "set_conf_store_tls");
        check(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes), "init");
        const char *file = std::getenv("KERNELS");
        if (file != nullptr) check(mfx_kernel_load(file, &kernels), "the kernels");
    }

    /* Ends the program where a call failed. */
    static void check(int code, const char *what)
    {
        if (code == 0) return;
        std::fprintf(stderr, "%s: %d %s\n", what, code, smem_get_last_err_msg());
        std::exit(1);
    }
    [[noreturn]] static void fail(const std::string &what)
    {
        std::fprintf(stderr, "%s\n", what.c_str());
        std::exit(1);
    }

    /* A size of the example, by its number. */
    uint32_t size(size_t number) const { return number < sizes.size() ? sizes[number] : (fail("a size is missing"), 0); }
    /* The type as kernels know it, and the bytes of an element. */
    uint32_t type_number() const
    {
        const char *const names[] = {"float16", "bfloat16", "float32"};
        for (uint32_t i = 0; i < 3; i++) {
            if (type == names[i]) return i;
        }
        fail("type " + type + ": it is float16, bfloat16 or float32 here");
    }
    size_t element_bytes() const { return type == "float16" || type == "bfloat16" ? 2 : 4; }

    /* A block of the heap, all zero, until the end of the program; the same on all PEs. */
    char *heap(size_t bytes)
    {
        void *block = aclshmem_calloc(1, bytes > 64 ? bytes : 64);
        if (block == nullptr) fail("no memory in the symmetric heap; HEAP_MIB makes it larger");
        taken.push_back(block);
        return static_cast<char *>(block);
    }

    /* Bytes between the heap of this PE and the program. */
    void to_heap(char *block, const void *from, size_t bytes) const
    {
        if (bytes != 0) aclshmem_putmem(block, const_cast<void *>(from), bytes, pe);
    }
    std::vector<char> from_heap(const char *block, size_t bytes) const
    {
        std::vector<char> found(bytes);
        if (bytes != 0) aclshmem_getmem(found.data(), const_cast<char *>(block), bytes, pe);
        return found;
    }

    /* A file of this PE; all that is in a file; bytes to one. */
    std::string path(const std::string &name) const { return folder + "/" + name + "_" + std::to_string(pe) + ".bin"; }
    static std::vector<char> read(const std::string &file)
    {
        std::FILE *input = std::fopen(file.c_str(), "rb");
        if (input == nullptr) fail(file + " cannot be read");
        std::vector<char> bytes;
        char piece[65536];
        for (size_t got; (got = std::fread(piece, 1, sizeof piece, input)) != 0;) bytes.insert(bytes.end(), piece, piece + got);
        std::fclose(input);
        return bytes;
    }
    static void write(const std::string &file, const std::vector<char> &bytes)
    {
        std::FILE *output = std::fopen(file.c_str(), "wb");
        if (output == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), output) != bytes.size() || std::fclose(output) != 0) {
            fail(file + " cannot be written");
        }
    }

    /* A block of so many bytes, with a file in it, which may be shorter; a file to a block that is there. */
    char *upload(const std::string &file, size_t bytes)
    {
        char *block = heap(bytes);
        fill(block, file, bytes);
        return block;
    }
    void fill(char *block, const std::string &file, size_t bytes) const
    {
        const std::vector<char> content = read(file);
        if (content.size() > bytes) fail(file + " is too long");
        wait_if_late();
        to_heap(block, content.data(), content.size());
    }
    /* Writes the contents of a block to a file. */
    void download(const std::string &file, const char *block, size_t bytes) const { write(file, from_heap(block, bytes)); }

    /* Runs a kernel on so many cores of every PE, and waits for its end. */
    void launch(const char *name, uint32_t cores, const std::vector<uint64_t> &arguments) const
    {
        const mfx_launch_options_t options = {cores, 0, nullptr};
        wait_if_late();
        const auto begin = std::chrono::steady_clock::now();
        check(mfx_kernel_launch(kernels, name, nullptr, &options, arguments.data(), arguments.size() * 8), name);
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        if (perf) std::printf("PE %d: %s took %.3f ms (on a simulator: of the simulator)\n", pe, name, took.count());
    }
    void launch(const char *name, const std::vector<uint64_t> &arguments) const { launch(name, blocks, arguments); }

    /* Says whether the result is right; the status of the program. */
    int report(const char *what, bool right) const
    {
        std::printf("PE %d of %d: %s: %s\n", pe, pes, what, right ? "right" : "WRONG");
        return right ? 0 : 1;
    }

  private:
    void wait_if_late() const
    {
        const char *late = std::getenv("LATE_PE");
        if (late != nullptr && std::atoi(late) == pe) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }

    std::vector<void *> taken;
};

inline uint64_t word(const void *address) { return reinterpret_cast<uint64_t>(address); }

#endif
