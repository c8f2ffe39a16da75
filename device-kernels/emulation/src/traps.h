// SPDX-License-Identifier: Apache-2.0 OR MIT
// Traps of the host's processor in the scalar code of kernels. While kernels run, their signals have handlers
// here, which pass all other traps to the previous handlers.
//
// * Raw pointers to local memory built from an offset, such as (__ubuf__ int32_t *)64. They are valid on the
//   device; on the host nothing can be mapped there, because every core would need its own memory. Copies
//   accept such pointers, but an access by the scalar code is refused by the host's processor and becomes a
//   fault of the launch: accesses below 256 MiB by threads that run a kernel (raw_access.cpp).
// * Divisions by zero, which the device does not trap (division.cpp).
#pragma once

#include <csetjmp>
#include <csignal>
#include <cstdint>

namespace mf::emulation {

// The handlers are there while one of these is, and this thread takes their signals: the simulator's threads
// take none.
class TrapGuard {
  public:
    TrapGuard();
    ~TrapGuard();
    TrapGuard(const TrapGuard &) = delete;
    TrapGuard &operator=(const TrapGuard &) = delete;

  private:
    sigset_t mask;
};

// Jump target of the handler of raw accesses, with the faulting address.
struct Escape {
    sigjmp_buf place;
    uint64_t address = 0;
};

// Handle a trap of this thread with the interrupted `context`. False if it is not a kernel's.
bool leave_at_raw_access(const siginfo_t &info, void *context);
bool pass_division_by_zero(const siginfo_t &info, void *context);

} // namespace mf::emulation
