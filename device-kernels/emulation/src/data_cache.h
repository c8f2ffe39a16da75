// SPDX-License-Identifier: Apache-2.0 OR MIT
// The data cache of the scalar unit: 512 lines of 64 bytes. It is not coherent: a line stays until it is
// invalidated, and a store stays in it until the line is cleaned or evicted, or the kernel ends. A line is
// written back whole, and overwrites other cores' writes to it.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core.h"
#include "visibility.h"

namespace mf::emulation {

class DataCache {
  public:
    explicit DataCache(Core &core);
    ~DataCache();

    void read(uint64_t global, void *to, uint32_t bytes, const Head &head);
    void write(uint64_t global, const void *from, uint32_t bytes, const Head &head);
    void clean(uint64_t global, const Head &head);
    void clean_all(const Head &head);
    void write_back_all();
    // Checks a copy that accesses global memory: fails if it would miss data that is still in the cache. K12.
    void check_copy(const Head &head, const Access &access);
    // Records that the core writes global memory without the cache: cached bytes of that range are stale from
    // now on.
    void overwrite(const Head &head, const Access &access);

  private:
    static constexpr size_t MOST = 512;

    struct Line {
        uint64_t address;
        // The part of the line that is memory.
        uint32_t begin;
        uint32_t end;
        uint64_t dirty = 0; // a bit a byte
        Head stored = {};
        uint8_t bytes[LINE];
        // Stale bytes, written by this core without the cache, and the last such call.
        uint64_t old = 0;
        Head overwritten = {};
        // Of other cores (visibility.h): this core's knowledge at the fetch of the line; the writers'
        // knowledge, their bytes, and the bytes read by the kernel.
        Snapshot known;
        Snapshot by;
        uint64_t theirs = 0;
        uint64_t seen = 0;
        uint64_t checked = 0; // the core's version then
    };
    // Reads of one place again and again, in one line that stays.
    struct Polls {
        uint64_t global = 0;
        unsigned count = 0;
    };

    // Calls body(line, offset in it, offset in the access, bytes) for each line of an access.
    template <typename Body> void each(uint64_t global, uint32_t bytes, Mode mode, const Head &head, Body body);
    // `read`: a bit for each byte that the kernel reads now.
    Line &fetch(uint64_t address, uint64_t wanted, uint64_t read, const Head &head);
    bool load(Line &line, uint64_t read);
    void write_back(Line &line);
    void drop(size_t index);
    template <typename Body> void each_covered(const Access &access, Body body);
    bool differs(const Line &line, uint64_t mask);
    void check_old(const Line &line, uint64_t mask, const Head &head);
    void learn(Line &line, uint64_t mask);
    void check_known(Line &line, uint64_t mask, const Head &head);
    void check_stores(const Line &line, const Head &head);
    void check_polls(const Line &line, uint64_t global, uint64_t mask, const Head &head);

    Core &core;
    bool pushes_out;
    Polls polls;
    std::vector<std::unique_ptr<Line>> lines;
    std::unordered_map<uint64_t, size_t> places;
};

} // namespace mf::emulation
