// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "raw_access.h"

#include <mutex>

#include "core.h"

namespace mf::emulation {
namespace {

std::mutex lock;
unsigned guards = 0;
struct sigaction before;

void pass_on(int number, siginfo_t *info, void *context)
{
    if ((before.sa_flags & SA_SIGINFO) != 0)
        return before.sa_sigaction(number, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        return before.sa_handler(number);
    // The access is made again, and ends the process as it would have.
    signal(number, SIG_DFL);
}

void on_refused(int number, siginfo_t *info, void *context)
{
    Core *here = running;
    const uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
    // A positive code means that the processor refused an access, and no process sent the signal.
    if (here == nullptr || here->escape == nullptr || info->si_code <= 0 || address >= LOWEST_ADDRESS)
        return pass_on(number, info, context);
    here->escape->address = address;
    siglongjmp(here->escape->place, 1);
}

bool is_ours(const struct sigaction &action)
{
    return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_refused;
}

} // namespace

RawAccessGuard::RawAccessGuard()
{
    sigset_t refused;
    sigemptyset(&refused);
    sigaddset(&refused, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &refused, &mask);
    std::lock_guard<std::mutex> guard(lock);
    if (guards++ != 0)
        return;
    struct sigaction ours = {};
    ours.sa_sigaction = on_refused;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    struct sigaction found;
    // A later one may have left ours behind its own.
    if (sigaction(SIGSEGV, nullptr, &found) == 0 && !is_ours(found)) {
        before = found;
        sigaction(SIGSEGV, &ours, nullptr);
    }
}

RawAccessGuard::~RawAccessGuard()
{
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    std::lock_guard<std::mutex> guard(lock);
    struct sigaction found;
    if (--guards == 0 && sigaction(SIGSEGV, nullptr, &found) == 0 && is_ours(found))
        sigaction(SIGSEGV, &before, nullptr);
}

} // namespace mf::emulation
