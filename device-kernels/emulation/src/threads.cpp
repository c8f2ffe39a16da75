// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "threads.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

#include "core.h"

namespace mf::emulation {
namespace {

constexpr uint64_t MOST_THREADS = 2048;
constexpr size_t STACK_BYTES = 256 << 10, GUARD_BYTES = 4096;
// A thread that changes or reads words lets others get on after so many times.
constexpr unsigned TURNS = 16;

// Stacks of waiting threads; ended threads return theirs for reuse.
class Stacks {
  public:
    Stacks() = default;
    Stacks(const Stacks &) = delete;
    Stacks &operator=(const Stacks &) = delete;
    ~Stacks()
    {
        for (void *stack : all_)
            munmap(stack, GUARD_BYTES + STACK_BYTES);
    }
    // Null: there is no memory.
    void *take()
    {
        if (!free_.empty()) {
            void *stack = free_.back();
            free_.pop_back();
            return stack;
        }
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
        void *stack = mmap(nullptr, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (stack == MAP_FAILED)
            return nullptr;
        mprotect(stack, GUARD_BYTES, PROT_NONE);
        all_.push_back(stack);
        return stack;
    }
    void give_back(void *stack) { free_.push_back(stack); }

  private:
    std::vector<void *> all_, free_;
};

enum class State : uint8_t { New, Ready, AtBlock, AtWarp, Ended };

struct Thread {
    Extent at = {};
    State state = State::New;
    // Name of the call in which it waits.
    const char *name = nullptr;
    Site site = {nullptr, 0};
    uint64_t value = 0;
    void *stack = nullptr;
    // Escape for an invalid access.
    Escape *escape = nullptr;
    ucontext_t context = {};
};

// The threads of the core.
class Threads {
  public:
    Threads(Core &here, Extent extent, const std::function<void(Extent)> &enters, const std::function<void()> &body,
            Site at)
        : here_(here), enters_(enters), body_(body), at_(at), all_(size_t{extent.x} * extent.y * extent.z),
          warps_((all_.size() + WARP_THREADS - 1) / WARP_THREADS)
    {
        size_t number = 0;
        for (uint32_t z = 0; z < extent.z; z++)
            for (uint32_t y = 0; y < extent.y; y++)
                for (uint32_t x = 0; x < extent.x; x++)
                    all_[number++].at = {x, y, z};
    }
    Threads(const Threads &) = delete;
    Threads &operator=(const Threads &) = delete;
    ~Threads() { leave_all(); }

    void run()
    {
        size_t left = all_.size();
        while (left > 0) {
            bool moved = false, polls = false;
            const size_t first = here_.random.below(all_.size());
            for (size_t turn = 0; turn < all_.size(); turn++) {
                Thread &thread = all_[(first + turn) % all_.size()];
                if (thread.state != State::New && thread.state != State::Ready)
                    continue;
                go_on(thread);
                raise();
                left -= thread.state == State::Ended ? 1 : 0;
                (thread.state == State::Ready ? polls : moved) = true;
            }
            moved |= left > 0 && (release_warps() | release_block());
            if (moved)
                made_progress();
            else if (polls) {
                has_polled_ = true;
                waiting("for another thread or core", polling_);
            }
        }
    }

    // Called by a thread: waits as `state`, or lets others get on (Ready).
    void wait(State state, const char *name, Site at)
    {
        Thread &thread = *now_;
        thread.state = state;
        thread.name = name;
        thread.site = at;
        if (state == State::Ready)
            polling_ = at;
        swapcontext(&thread.context, &scheduler_);
        if (leaving_)
            throw Unwind{};
    }

    Thread &now() { return *now_; }
    size_t number() const { return static_cast<size_t>(now_ - all_.data()); }
    const WarpValues &warp() const { return warps_[number() / WARP_THREADS]; }
    bool has_polled() const { return has_polled_; }
    bool has_called() const { return has_called_; }
    void note_call() { has_called_ = true; }
    bool is_turn() { return ++turns_ % TURNS == 0; }

  private:
    static void begin();

    void go_on(Thread &thread)
    {
        Escape *const own = here_.escape;
        now_ = &thread;
        enters_(thread.at);
        if (thread.state == State::New) {
            thread.stack = stacks_.take();
            if (thread.stack == nullptr)
                fault("", at_, "there is no memory for the stacks of so many threads that wait: %s", std::strerror(errno));
            getcontext(&thread.context);
            thread.context.uc_stack.ss_sp = static_cast<char *>(thread.stack) + GUARD_BYTES;
            thread.context.uc_stack.ss_size = STACK_BYTES;
            thread.context.uc_link = &scheduler_;
            makecontext(&thread.context, &Threads::begin, 0);
        }
        thread.state = State::Ready;
        here_.escape = thread.escape;
        swapcontext(&scheduler_, &thread.context);
        here_.escape = own;
        now_ = nullptr;
        if (thread.state == State::Ended)
            stacks_.give_back(thread.stack);
    }

    // Ends all threads with the fault of one.
    void raise()
    {
        if (failure_ != nullptr)
            std::rethrow_exception(failure_);
        if (is_lost_)
            fault("K5", here_.last,
                  "a thread follows a raw pointer to 0x%llx: on the host an offset is no place; make the pointer of a tensor "
                  "(GetPhyAddr, address_.bufferAddr)",
                  static_cast<unsigned long long>(lost_at_));
    }

    // Releases the threads of one call in each warp that waits as a whole: of the first call in the text,
    // because its threads may come to the others later.
    bool release_warps()
    {
        bool released = false;
        for (size_t warp = 0; warp < warps_.size(); warp++) {
            const size_t begin = warp * WARP_THREADS, end = std::min(begin + WARP_THREADS, all_.size());
            const Thread *first = nullptr;
            bool do_all_wait = true;
            for (size_t number = begin; number < end; number++) {
                const Thread &thread = all_[number];
                do_all_wait &= thread.state == State::AtWarp || thread.state == State::AtBlock || thread.state == State::Ended;
                if (thread.state == State::AtWarp && (first == nullptr || thread.site.line < first->site.line))
                    first = &thread;
            }
            if (do_all_wait && first != nullptr) {
                release_call(begin, end, first->name, first->site);
                released = true;
            }
        }
        return released;
    }

    // Lets the threads of a warp go on that wait in one call.
    void release_call(size_t begin, size_t end, const char *name, Site site)
    {
        WarpValues found = {};
        for (size_t number = begin; number < end; number++) {
            Thread &thread = all_[number];
            const bool is_there = thread.state == State::AtWarp && thread.site.line == site.line &&
                                  std::strcmp(thread.site.file, site.file) == 0 && std::strcmp(thread.name, name) == 0;
            if (!is_there)
                continue;
            found.values[number - begin] = thread.value;
            found.present |= uint32_t{1} << (number - begin);
            thread.state = State::Ready;
        }
        warps_[begin / WARP_THREADS] = found;
    }

    bool release_block()
    {
        for (const Thread &thread : all_)
            if (thread.state != State::AtBlock && thread.state != State::Ended)
                return false;
        for (Thread &thread : all_)
            if (thread.state == State::AtBlock)
                thread.state = State::Ready;
        return true;
    }

    // Unwinds the waiting threads, so that their destructors run.
    void leave_all()
    {
        leaving_ = true;
        failure_ = nullptr;
        for (Thread &thread : all_)
            if (thread.state != State::New && thread.state != State::Ended)
                go_on(thread);
    }

    Core &here_;
    const std::function<void(Extent)> &enters_;
    const std::function<void()> &body_;
    const Site at_;
    Stacks stacks_;
    std::vector<Thread> all_;
    std::vector<WarpValues> warps_;
    ucontext_t scheduler_ = {};
    Thread *now_ = nullptr;
    Site polling_ = {nullptr, 0};
    unsigned turns_ = 0;
    bool has_polled_ = false;
    bool has_called_ = false;
    bool leaving_ = false;
    std::exception_ptr failure_;
    bool is_lost_ = false;
    uint64_t lost_at_ = 0;
};

thread_local Threads *threads = nullptr;

// Bytes that the threads have changed.
std::vector<Access> changes(const std::vector<uint8_t> &before, const uint8_t *memory)
{
    std::vector<Access> found;
    for (size_t at = 0; at < before.size();) {
        const auto change = std::mismatch(before.begin() + static_cast<ptrdiff_t>(at), before.end(), memory + at).first;
        const auto begin = static_cast<size_t>(change - before.begin());
        size_t end = begin;
        while (end < before.size() && before[end] != memory[end])
            end++;
        if (begin != end) {
            found.push_back({Space::Ub, Mode::Write, begin, end - begin});
            found.back().is_raw = true;
        }
        at = end;
    }
    return found;
}

void Threads::begin()
{
    Threads &own = *threads;
    Thread &thread = *own.now_;
    Escape escape;
    thread.escape = &escape;
    if (sigsetjmp(escape.place, 1) == 0) {
        own.here_.escape = &escape;
        try {
            own.body_();
        } catch (...) {
            own.failure_ = std::current_exception();
        }
    } else {
        threads->is_lost_ = true;
        threads->lost_at_ = escape.address;
    }
    threads->now_->escape = nullptr;
    threads->now_->state = State::Ended;
}

Threads &those_of_the_core(const char *name, Site at)
{
    core().last = at;
    if (threads == nullptr)
        fault("", at, "%s is a call of threads: launch by <<<blocks, threads, bytes, stream>>> or asc_vf_call<function>(dim3, …)",
              name);
    return *threads;
}

} // namespace

void run_threads(Extent extent, const std::function<void(Extent)> &enters, const std::function<void()> &body, Site at)
{
    Core &here = core();
    const uint64_t plane = uint64_t{extent.x} * extent.y;
    if (threads != nullptr)
        fault("", at, "threads cannot start others");
    if (plane == 0 || extent.z == 0 || plane > MOST_THREADS || plane * extent.z > MOST_THREADS)
        fault("", at, "%u x %u x %u threads: a core takes 1 to %llu", extent.x, extent.y, extent.z,
              static_cast<unsigned long long>(MOST_THREADS));
    // They run where vector instructions do.
    bring_up(Pipe::Vector, "asc_vf_call", at);
    await(Pipe::Scalar, moment(Pipe::Vector));
    const bool is_watched = here.order != nullptr && here.place.is_vector;
    const uint8_t *memory = is_watched ? local(Space::Ub, 0) : nullptr;
    const std::vector<uint8_t> before(memory, memory + (is_watched ? local_bytes(Space::Ub) : 0));
    struct Scope {
        ~Scope() { threads = nullptr; }
    } scope;
    Threads own(here, extent, enters, body, at);
    threads = &own;
    own.run();
    // Other pipes may have written meanwhile where threads have polled or made calls.
    if (is_watched && !own.has_polled() && !own.has_called())
        issue_all({Pipe::Vector, "asc_vf_call", at}, changes(before, memory), nullptr);
}

void note_change_by_call()
{
    if (threads != nullptr)
        threads->note_call();
}

void meet_threads(const char *name, Site at)
{
    Threads &own = those_of_the_core(name, at);
    if (!leaves_out(name, at))
        own.wait(State::AtBlock, name, at);
}

WarpValues meet_warp(const char *name, uint64_t value, Site at)
{
    Threads &own = those_of_the_core(name, at);
    own.now().value = value;
    own.wait(State::AtWarp, name, at);
    return own.warp();
}

uint32_t place_in_warp()
{
    if (threads == nullptr)
        those_of_the_core("laneid", core().last);
    return static_cast<uint32_t>(threads->number() % WARP_THREADS);
}

void let_threads_on(const char *name, Site at)
{
    Threads &own = those_of_the_core(name, at);
    if (own.is_turn())
        own.wait(State::Ready, name, at);
}

} // namespace mf::emulation
