// SPDX-License-Identifier: Apache-2.0 OR MIT
// Pipes of a core at run time: queues of instructions, each in order, and the scheduler of the pipes.
//
// All of it happens on the core's own thread: pipes advance when the scalar code issues something, waits, or
// polls memory. With a seed the choice is random, and sometimes a pipe is lazy: it advances only when another
// one depends on it, or after a while. Unordered copies of MTE3 end in any order.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "clock.h"
#include "knowledge.h"
#include "random.h"

namespace mf::emulation {

struct Element {
    enum class Sort : uint8_t { Work, Await, Fence, CrossSet, CrossWait };
    Sort sort;
    Head head;
    uint64_t number = 0;
    std::function<void()> body = {};
    // Await: instructions that must have ended.
    Clock clock = {};
    // CrossSet, CrossWait.
    int mode = 0;
    unsigned id = 0;
    // Completing such an instruction counts as progress of the launch: a loop that only reads makes none.
    bool is_progress = false;
    bool is_done = false;
    // Knowledge released to other cores: by CrossSet, and by small copies, which may be flags.
    Snapshot passes_on = nullptr;
    // A small copy from global memory, which may read a flag.
    bool may_acquire = false;
};

class Pipes {
  public:
    explicit Pipes(Random &random) : random(random) {}

    // Appends; numbers of a pipe rise by one from 1.
    void push(Pipe pipe, Element element);
    // Something was issued: lets pipes get on as the schedule wants.
    void get_on();
    // Lets pipes get on until all this has ended.
    void reach(const Clock &clock);
    // Every instruction that was pushed.
    void drain();
    // One round of a wait for others: whether some pipe got on. `keep_lazy`: lazy pipes stay lazy.
    bool idle(bool keep_lazy);

  private:
    struct Queue {
        std::deque<Element> elements;
        uint64_t pushed = 0;
        bool is_lazy = false;
    };

    // The last number up to which everything has ended.
    uint64_t ended(int pipe) const;
    bool has_reached(const Clock &clock) const;
    // Runs the next element of a pipe; false when it must wait.
    bool step(int pipe);
    void run(Queue &queue, size_t which);
    // Advances this pipe by one instruction, or the instruction it waits for.
    void advance(int pipe);
    void draw_laziness();

    Random &random;
    Queue queues[PIPES];
    unsigned issued = 0;
};

} // namespace mf::emulation
