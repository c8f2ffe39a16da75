// SPDX-License-Identifier: Apache-2.0 OR MIT
// Raw pointers to local memory that a kernel made of an offset of its own, such as (__ubuf__ int32_t *)64. On
// the device that is the place; on the host nothing lies there, and nothing can: every core would need its
// own. Copies understand such pointers, but an access by the scalar code is one that the host's processor
// refuses. It becomes a fault of the launch.
//
// For that a handler of SIGSEGV is there while kernels run, and no longer. It minds accesses below 256 MiB by
// threads that run a kernel, and hands all others on to who was there before.
#pragma once

#include <csetjmp>
#include <csignal>
#include <cstdint>

namespace mf::emulation {

// The handler is there while one of these is, and this thread takes the signal: the simulator's threads take
// none.
class RawAccessGuard {
  public:
    RawAccessGuard();
    ~RawAccessGuard();
    RawAccessGuard(const RawAccessGuard &) = delete;
    RawAccessGuard &operator=(const RawAccessGuard &) = delete;

  private:
    sigset_t mask;
};

// Where the handler goes back to, and with what.
struct Escape {
    sigjmp_buf place;
    uint64_t address = 0;
};

} // namespace mf::emulation
