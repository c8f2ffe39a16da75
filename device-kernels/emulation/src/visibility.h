// SPDX-License-Identifier: Apache-2.0 OR MIT
// Order between the cores of a launch, where that between the pipes of one core (order.h) ends. It finds:
//
//   - copies that run on while a core meets others or raises a flag, and that others then run into (K20);
//   - lines of 64 bytes in which two cores store, without an order of the two (K12);
//   - reads of a stale line in the data cache by a core that knows of a later store (K12).
//
// How. Each effect visible to others (a barrier, a flag between cores, a written-back line, a word written
// past the cache, a small copy) is a *release*: it carries the core's knowledge at that time, that is the
// begun and the completed accesses, by program order. A core that meets, collects the flag, or reads exactly
// that value *acquires* it. A copy that was begun but not complete at a release is noted; if another core
// accesses the same bytes, knows that the copy was begun, and does not know that it was complete, it was
// notified too early.
//
// So no schedule has to make them collide. No race is reported between cores without knowledge of each other:
// they may be ordered invisibly, by another rank or the host. For the same reason, a core that reads a value
// from outside of this launch acquires every access complete by then.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine.h"
#include "knowledge.h"

namespace mf::emulation {

// Bytes of a line of the data cache.
constexpr uint64_t LINE = 64;

// A bit for each byte of a part of a line.
inline uint64_t line_bits(uint64_t offset, uint64_t bytes) { return (bytes == LINE ? ~0ull : (1ull << bytes) - 1) << offset; }

// Effect by which a core publishes its knowledge.
struct Release {
    enum class Sort : uint8_t { Meeting, Store, Copy };
    Sort sort;
    Pipe by; // that notifies, with what it knows
    const char *name;
    Site at;
};

class Visibility {
  public:
    explicit Visibility(const Place &place);

    // Larger launches are not followed: their cores run in waves, and cannot meet.
    static constexpr size_t MOST_CORES = 192;
    bool is_on() const { return cores > 1; }
    size_t index_of(const Place &place) const;
    size_t count() const { return cores; }

    // Publishes completed accesses of some core, for readers of values that no core of the launch wrote.
    void publish(size_t core, int mover, uint32_t over);
    uint64_t version() const { return changes.load(std::memory_order_acquire); }
    void join_published(Knowledge &known) const;

    // A copy that runs on.
    struct Exposed {
        Access access;
        size_t core;
        int mover;
        uint32_t number;
        Head copy;
        Release release;
    };
    void expose(const Exposed &copy);
    bool has_exposed() const { return exposed_count.load(std::memory_order_relaxed) != 0; }
    // One that the access of this core runs into.
    bool collides(size_t core, const Access &access, const Knowledge &known, Exposed &with, uint64_t &at);

    // Line of 64 bytes: the last writes of the launch's cores to it, and the storing cores.
    struct Store {
        size_t core;
        uint64_t bytes; // a bit each
        uint32_t number;
        Head head;
    };
    struct Line {
        uint8_t bytes[64] = {};
        uint64_t written = 0; // a bit each: which bytes these are
        Snapshot by;
        std::vector<Store> stores;
    };
    // Calls body(line, or null) while the line is locked.
    template <typename Body> void at_line(uint64_t address, Body body)
    {
        std::lock_guard<std::mutex> guard(lines_lock);
        const auto found = lines.find(address);
        body(found == lines.end() ? nullptr : &found->second);
    }
    // Calls write(), which changes these bytes in memory, and records the new value and its writer: readers
    // find both or neither. For a store of a core, `store` describes it, in one line.
    template <typename Body>
    void write(uint64_t address, const uint8_t *bytes, uint64_t count, const Snapshot &by, const Store *store, Body write)
    {
        std::lock_guard<std::mutex> guard(lines_lock);
        write();
        remember(address, bytes, count, by, store);
    }

    // Meetings by memory that the emulation makes itself, by their address.
    void leave_at(uint64_t address, const Snapshot &known);
    Snapshot found_at(uint64_t address);

    // "block 3", "cube core of block 3".
    std::string name_of(size_t core) const;

  private:
    void remember(uint64_t address, const uint8_t *bytes, uint64_t count, const Snapshot &by, const Store *store);

    static constexpr size_t MOST_LINES = 8192;
    static constexpr size_t MOST_EXPOSED = 512;

    size_t cores = 0;
    size_t in_block = 1;
    std::atomic<uint64_t> changes{1};
    std::vector<std::atomic<uint32_t>> published;

    std::atomic<size_t> exposed_count{0};
    std::mutex exposed_lock;
    std::deque<Exposed> exposed;

    std::mutex lines_lock;
    std::unordered_map<uint64_t, Line> lines;
    std::map<uint64_t, Snapshot> places;
};

// View of one core.
class View {
  public:
    View(Visibility &all, const Place &place);

    // An instruction that touches global memory was issued.
    void begin(Pipe pipe, uint64_t number, const Access &access, const Head &head);
    // A pipe knows so much; all pipes do.
    void learn(const Clock &known);
    void all_over(const Clock &numbers);
    // Returns the issued accesses, and the accesses known to the path as complete.
    Snapshot release(const Release &release, const Clock &path, const Clock &issued);
    // The data cache writes a line back: number of that.
    uint32_t next_store() { return ++stores; }

    void acquire(const Snapshot &known);
    // Acquires published completions, which the core may have learned from outside of the launch.
    void acquire_published();
    // Records a read of a value that no core of the launch wrote: acquires the published completions if the
    // value is new. `seen` marks the bytes of the line.
    void acquire_unknown(uint64_t line, const uint8_t *bytes, uint64_t seen);
    Snapshot known() const { return base; }
    // Increases with its knowledge.
    uint64_t version() const { return own_version; }

    // Refuses an access that runs into a copy of another core that runs on. K20.
    void check(const Head &head, const Access &access);

    // The value that stood there is known to the kernel from now on.
    void has_read(uint64_t address, const uint8_t *bytes, uint64_t count);

    Visibility &all;
    const size_t own;

  private:
    static constexpr size_t MOST_FLYING = 1024;

    struct Flying {
        Access access;
        int mover;
        uint32_t number;
        Head head;
    };
    void expose(std::deque<Flying> &flying, const Release &release, const Clock &path);
    Knowledge &change();

    std::shared_ptr<Knowledge> base;
    uint64_t own_version = 1;
    uint64_t seen_version = 0;
    uint32_t stores = 0;
    uint32_t over[MOVERS] = {};
    std::deque<Flying> small, large;
    // Values read earlier that no core of the launch wrote.
    struct Unknown {
        uint8_t bytes[64];
        uint64_t seen = 0;
    };
    static constexpr size_t MOST_UNKNOWN = 1024;
    std::unordered_map<uint64_t, Unknown> unknown;
};

} // namespace mf::emulation
