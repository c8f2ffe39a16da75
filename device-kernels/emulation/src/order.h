// SPDX-License-Identifier: Apache-2.0 OR MIT
// Which instruction comes after which: the part of the engine that finds hazards.
//
// It follows the program as it issues instructions, not the pipes as they run. A flag's set and wait are
// matched in the order of the program, and each pipe has a vector clock of the instructions known to have
// ended when its next one begins. So its findings do not depend on the schedule. An instruction is passed to
// the pipes after its order was checked.
//
// Knowledge of an instruction: everything its pipe waited for, and everything the scalar code had waited for
// when it issued it, except the scalar code's own accesses to memory, which need a flag like accesses of
// other pipes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "clock.h"
#include "global_shadow.h"
#include "local_shadow.h"
#include "pipes.h"
#include "visibility.h"

namespace mf::emulation {

struct Core;

class Order {
  public:
    Order(Core &core, Pipes &pipes);

    void issue(const Head &head, std::vector<Access> accesses, std::function<void()> body);
    using Find = std::function<std::vector<Access>()>;
    // The same with accesses that are found when all before it in its pipe has ended.
    void issue_found(const Head &head, Find find, std::function<void()> body);
    // Lets a pipe get on until it has ended all that was issued to it.
    void bring_up(Pipe pipe, const char *what, Site at);
    // An access of the scalar code, which the caller does at once.
    void scalar(const Head &head, const Access &access);
    // The same of an element that the scalar code may read or may write: only its order is checked.
    void peek(const Head &head, const Access &access);
    void set(Pipe from, Pipe to, int id, Site at);
    void wait(Pipe from, Pipe to, int id, Site at);
    void barrier(Pipe pipe, Site at);
    Moment moment(Pipe pipe) const;
    void await(Pipe pipe, const Moment &moment);
    // A flag between cores, in the order of a pipe that is not the scalar one.
    void cross(Element::Sort sort, const Head &head, int mode, unsigned id);
    // The kernel is over: waits for all, and finds flags that are never waited for.
    void finish();
    // Returns the knowledge to publish with a release of the scalar code; null without other cores.
    Snapshot release(const Release &release);
    // These bytes are given to a new owner.
    void give(Space space, uint64_t begin, uint64_t bytes);
    // The destructor of TPipe: it waits for all pipes.
    void end_pipe();

  private:
    static constexpr int IDS = 16;

    struct Flag {
        bool is_set = false;
        Clock clock;
        Site set_at = {};
        bool was_waited_for = false;
        uint64_t waited = 0; // number of the wait in its pipe
        Site waited_at = {};
    };

    // Something that the program asked of a pipe.
    struct Step {
        enum class Sort : uint8_t { Work, Set, Wait, Fence, Await, Cross };
        Sort sort;
        Pipe other = Pipe::Scalar; // of a flag
        int flag_id = 0;
        Clock issued_with; // what the scalar code knew
        Element element;
        std::vector<Access> accesses;
        // Of Work: if it is not empty, what finds the accesses.
        Find find = nullptr;
    };

    void ask(Pipe pipe, Step step);
    // Returns true if the step's place in the order is known, and records it.
    bool take(Pipe pipe, Step &step);
    void take_waiting(Pipe pipe);
    void do_set(Pipe from, Pipe to, int id, Site at);
    void do_wait(Pipe from, Pipe to, int id, Site at);
    void check(const Head &head, const Access &access, const Doer &doer, Clock &known, bool is_read = true);
    Implied implied_for(const Access &access, const Doer &doer) const;
    void hazard(const Head &head, const Access &access, const Doer &doer, const Conflict &conflict);
    bool is_raw_written(const Access &access, uint64_t hole);
    void check_stuck(Site at);
    // Lets a pipe get on until it has ended all that has a place in the order.
    void catch_up(Pipe pipe);
    bool is_stuck() const;
    void check_ended() const;
    void push(Pipe pipe, Element element);
    void note_global(const Head &head, const Access &access, const Doer &doer, Element &element);
    void learn(Pipe pipe);
    uint32_t call_of(const Head &head);
    LocalShadow &shadow(Space space);
    Flag &flag(Pipe from, Pipe to, int id);
    void check_flag(const char *name, Pipe from, Pipe to, int id, Site at) const;

    Core &core;
    Pipes &pipes;
    Clock known[PIPES];
    uint64_t numbers[PIPES] = {};
    // Of each pipe: the instructions that others come to next after the flags that it has waited for.
    Clock passed[PIPES];
    bool has_worked[PIPES] = {}; // since its last wait
    // Last instruction of MTE3: number and description.
    uint64_t last_copy = 0;
    Head last_copy_head = {};
    std::deque<Step> waiting[PIPES];
    Flag flags[PIPES * PIPES * IDS];
    std::vector<Head> calls;
    std::map<std::tuple<const char *, const char *, int>, uint32_t> call_numbers;
    std::unique_ptr<LocalShadow> shadows[LOCAL_SPACES];
    GlobalShadow global;
};

} // namespace mf::emulation
