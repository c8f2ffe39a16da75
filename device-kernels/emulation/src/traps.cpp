// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "traps.h"

#include <mutex>

namespace mf::emulation {
namespace {

struct Trap {
    int number;
    bool (*handle)(const siginfo_t &info, void *context);
    struct sigaction before;
};

std::mutex lock;
unsigned guards = 0;
Trap traps[] = {{SIGSEGV, leave_at_raw_access, {}}, {SIGFPE, pass_division_by_zero, {}}};

void pass_on(const Trap &trap, siginfo_t *info, void *context)
{
    if ((trap.before.sa_flags & SA_SIGINFO) != 0)
        return trap.before.sa_sigaction(trap.number, info, context);
    if (trap.before.sa_handler != SIG_DFL && trap.before.sa_handler != SIG_IGN)
        return trap.before.sa_handler(trap.number);
    // The instruction is repeated, and ends the process as it would have.
    signal(trap.number, SIG_DFL);
}

void on_trap(int number, siginfo_t *info, void *context)
{
    for (const Trap &trap : traps)
        if (trap.number == number && !trap.handle(*info, context))
            pass_on(trap, info, context);
}

bool is_ours(const struct sigaction &action)
{
    return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_trap;
}

} // namespace

TrapGuard::TrapGuard()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const Trap &trap : traps)
        sigaddset(&signals, trap.number);
    pthread_sigmask(SIG_UNBLOCK, &signals, &mask);
    std::lock_guard<std::mutex> guard(lock);
    if (guards++ != 0)
        return;
    struct sigaction ours = {};
    ours.sa_sigaction = on_trap;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    struct sigaction found;
    for (Trap &trap : traps) {
        // A later one may have left ours behind its own.
        if (sigaction(trap.number, nullptr, &found) == 0 && !is_ours(found)) {
            trap.before = found;
            sigaction(trap.number, &ours, nullptr);
        }
    }
}

TrapGuard::~TrapGuard()
{
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    std::lock_guard<std::mutex> guard(lock);
    if (--guards != 0)
        return;
    struct sigaction found;
    for (const Trap &trap : traps)
        if (sigaction(trap.number, nullptr, &found) == 0 && is_ours(found))
            sigaction(trap.number, &trap.before, nullptr);
}

} // namespace mf::emulation
