// SPDX-License-Identifier: Apache-2.0 OR MIT
// Order between the cores of a launch, where that between the pipes of one core (order.h) ends. It finds:
//
//   - copies that run on while a core meets others or raises a flag, and that others then run into (K20);
//   - lines of 64 bytes in which two cores store, without an order of the two (K12);
//   - what a core reads in its data cache, though it knows of a later store (K12).
//
// How. Whatever others can see (meeting them, a flag between cores, a line that is written back, a word
// past the cache, a small copy) is a *release*: with it goes what the core knows then, that is what was
// begun and what was over, by the order in the program. Who meets, collects the flag, or reads that very
// value, *acquires* it. A copy that was begun before a release and was not over is noted; another core
// that comes upon it, knows that it was begun, and does not know that it was over, was notified too early.
//
// So no schedule has to make them collide. And nothing is found between cores that know nothing of each
// other: they may have an order that is not to be seen here, made by another rank or the host. For the
// same reason, who reads a value that is none of this launch's takes all for over that is over.
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

// What a core did so that others know of it.
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

    // What some core knows to be over, for those who read what no core of the launch wrote.
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

    // A line of 64 bytes: what cores of the launch wrote there last, and who stored in it.
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
    // Calls body(line, or null) while nobody changes it.
    template <typename Body> void at_line(uint64_t address, Body body)
    {
        std::lock_guard<std::mutex> guard(lines_lock);
        const auto found = lines.find(address);
        body(found == lines.end() ? nullptr : &found->second);
    }
    // Calls write(), which changes these bytes in memory, and remembers what is there then, and by whom:
    // those who read it find both or neither. Where a core stored it, `store` says what, in one line.
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

// What one core sees.
class View {
  public:
    View(Visibility &all, const Place &place);

    // An instruction that touches global memory was issued.
    void begin(Pipe pipe, uint64_t number, const Access &access, const Head &head);
    // A pipe knows so much; all pipes do.
    void learn(const Clock &known);
    void all_over(const Clock &numbers);
    // Passes on what was issued and what the path knows to be over.
    Snapshot release(const Release &release, const Clock &path, const Clock &issued);
    // The data cache writes a line back: number of that.
    uint32_t next_store() { return ++stores; }

    void acquire(const Snapshot &known);
    // It may have learned from outside of the launch what is over.
    void acquire_published();
    // It read what no core of the launch wrote: the same when that is news. `seen` says which bytes of the
    // line.
    void acquire_unknown(uint64_t line, const uint8_t *bytes, uint64_t seen);
    Snapshot known() const { return base; }
    // Rises when what it knows does.
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
    // What it has read before that no core of the launch wrote.
    struct Unknown {
        uint8_t bytes[64];
        uint64_t seen = 0;
    };
    static constexpr size_t MOST_UNKNOWN = 1024;
    std::unordered_map<uint64_t, Unknown> unknown;
};

} // namespace mf::emulation
