// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "core.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>

#include "data_cache.h"
#include "host.h"
#include "order.h"
#include "pipes.h"
#include "team.h"
#include "visibility.h"

// Of ascendc/intrinsics.h and ascendc/system.h, for the kernel's code.
thread_local int64_t block_idx = 0, block_num = 0;
thread_local int32_t g_coreType = 0;

namespace mf::emulation {

thread_local Core *running = nullptr;

Core::Core(const Place &place, uint64_t seed, bool eager)
    : place(place), eager(eager), strict(host().is_strict() != 0), random(seed), arenas(host().ub_bytes()),
      team(Team::of_launch(place))
{
    const auto variable = [](const char *name) {
        const char *value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    left_out = variable("ASCEND_SIM_LEAVE_OUT");
    sites = variable("ASCEND_SIM_SITES");
    if (eager)
        return;
    pipes = std::make_unique<Pipes>(random);
    order = std::make_unique<Order>(*this, *pipes);
    cache = std::make_unique<DataCache>(*this);
    if (team->visibility.is_on())
        view = std::make_unique<View>(team->visibility, place);
}

Core::~Core() = default;

Core &core()
{
    return *running;
}

void linger(Core &here, uint64_t longest)
{
    if (here.random.one_in(2)) {
        const timespec pause = {0, static_cast<long>(here.random.below(longest))};
        nanosleep(&pause, nullptr);
    }
}

const Place &place()
{
    return core().place;
}

bool is_950()
{
    return core().target.is_950;
}

Atomic &atomic_state()
{
    return core().atomic;
}

VectorMask &vector_mask()
{
    return core().mask;
}

Site latest_place()
{
    return core().last;
}

void set_latest_place(Site at)
{
    if (running != nullptr)
        running->last = at;
}

Locks &locks()
{
    return core().locks;
}

Registers &registers()
{
    return core().registers;
}

bool is_eager()
{
    return core().eager;
}

void at_end(std::function<void()> check)
{
    core().end_checks.push_back(std::move(check));
}

uint64_t cycles()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 50000000 + static_cast<uint64_t>(now.tv_nsec) / 20;
}

const char *file_name(const char *path)
{
    const char *slash = std::strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

std::string text_of(Site at)
{
    if (at.file == nullptr)
        return "the end of the kernel";
    return std::string(file_name(at.file)) + ":" + std::to_string(at.line);
}

std::string core_name(const Place &place)
{
    const std::string name = place.is_cube ? "cube core" : "vector core";
    return place.is_vector && place.sub_block_count > 1 ? name + " " + std::to_string(place.sub_block_index) : name;
}

void made_progress()
{
    Core &here = core();
    host().progress();
    here.polls = 0;
    if (!here.waits_for.empty()) {
        here.waits_for.clear();
        host().waits(nullptr);
    }
}

void check_cancelled()
{
    Core &here = core();
    if (here.leaving || host().is_cancelled() == 0)
        return;
    here.leaving = true;
    throw Unwind();
}

void fault(const char *rule, Site at, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    std::string whole = *rule != 0 ? std::string(rule) + ": " : std::string();
    whole += text_of(at) + ": " + text;
    if (running != nullptr && (place().is_cube || place().sub_block_count > 1))
        whole += " (" + core_name(place()) + ")";
    host().report_fault(whole.c_str(), 0);
    if (running != nullptr)
        running->leaving = true;
    throw Unwind();
}

void warn(const char *rule, Site at, const char *format, ...)
{
    static std::mutex lock;
    // Never destroyed: launches may run while the process ends.
    static auto *const printed = new std::set<std::string>;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const std::string place = (*rule != 0 ? std::string(rule) + ": " : std::string()) + text_of(at);
    const std::lock_guard<std::mutex> held(lock);
    if (printed->insert(place).second)
        std::fprintf(stderr, "warning: kernel %s: %s: %s\n", host().kernel_name(), place.c_str(), text);
}

void trap(Site at)
{
    fault("", at, "the kernel gave up (Trap)");
}

} // namespace mf::emulation
