/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Waiting for another rank, and giving up. A waiting kernel ends early if the host declares the rank lost, or
 * when the host's time limit has passed; it then leaves a report for the host, which names the missing rank,
 * and traps.
 */
#ifndef MF_WAIT_H
#define MF_WAIT_H

#include "mf_memory.h"
#include "mf_object.h"

namespace mf {

/* Why a wait ended early: MF_REPORT_REASON. */
constexpr uint32_t NO_REASON = 0;
constexpr uint32_t TIME_IS_OVER = 1;
constexpr uint32_t RANK_IS_LOST = 2;

/* Reason of a wait: MF_REPORT_WHAT. */
constexpr uint32_t WAITED_FOR_BARRIER = 1;
constexpr uint32_t WAITED_FOR_SIGNAL = 2;
constexpr uint32_t WAITED_FOR_WORD = 3;

/* The text of it. */
__aicore__ inline const char *name_of_wait(uint32_t what)
{
    return what == WAITED_FOR_BARRIER ? "round of the barrier" : what == WAITED_FOR_SIGNAL ? "signal" : "word at";
}

/* No rank in particular. */
constexpr uint32_t ANY_RANK = UINT32_MAX;

/* Duration of a wait, and its limit. */
class WaitLimit {
  public:
    __aicore__ inline explicit WaitLimit(const Object &object MF_SITE_PARAM)
        : limit_us_(load(object.control<uint64_t>(object.rank(), MF_CONTROL_LIMIT) MF_SITE)),
          begin_(AscendC::GetSystemCycle())
    {
        if (!object.has_control()) {
            MF_TRAP("ranks cannot meet in this object: it has no control area");
        }
    }

    __aicore__ inline uint64_t waited_us() const
    {
        return static_cast<uint64_t>(AscendC::GetSystemCycle() - begin_) / CYCLES_PER_US;
    }

    /* Why to wait no longer for `rank`, or NO_REASON. In units of 1/16 of the limit, `grace` is how much
     * longer to wait. Reads once in 64 calls, which come from a loop that polls. */
    __aicore__ inline uint32_t is_lost(const Object &object, uint32_t rank, uint32_t grace MF_SITE_PARAM)
    {
        if (polls_++ % 64 != 63) {
            return NO_REASON;
        }
        if (rank < object.ranks() &&
            load(object.control<uint32_t>(object.rank(), MF_CONTROL_LOST + uint64_t{rank} * 4) MF_SITE) != 0) {
            return RANK_IS_LOST;
        }
        if (limit_us_ != 0 && waited_us() > limit_us_ + limit_us_ / 16 * grace) {
            return TIME_IS_OVER;
        }
        return NO_REASON;
    }

  private:
    uint64_t limit_us_;
    int64_t begin_;
    uint32_t polls_ = 0;
};

/* The missing rank, and the reason for the end of the wait. */
struct Failure {
    uint32_t reason;
    uint32_t rank;
};

/* Writes the report, unless another block did, and ends the launch. `detail` is the round of the barrier
 * or the number of the signal. */
__aicore__ inline void give_up(const Object &object, const Failure &failure, uint32_t what, uint32_t detail,
                               uint64_t waited_us MF_SITE_PARAM)
{
    __gm__ uint32_t *line = object.control<uint32_t>(object.rank(), MF_CONTROL_REPORT);
    if (load(line + MF_REPORT_STATE / 4 MF_SITE) == 0) {
        AscendC::GlobalTensor<uint32_t> report;
        report.SetGlobalBuffer(line, MF_CONTROL_LINE / 4);
        report.SetValue(MF_REPORT_REASON / 4, failure.reason MF_SITE);
        report.SetValue(MF_REPORT_RANK / 4, failure.rank MF_SITE);
        report.SetValue(MF_REPORT_WHAT / 4, what MF_SITE);
        report.SetValue(MF_REPORT_BLOCK / 4, block_index() MF_SITE);
        report.SetValue(MF_REPORT_DETAIL / 4, detail MF_SITE);
        report.SetValue(MF_REPORT_WAITED / 4, static_cast<uint32_t>(waited_us) MF_SITE);
        report.SetValue(MF_REPORT_WAITED / 4 + 1, static_cast<uint32_t>(waited_us >> 32) MF_SITE);
        /* In the same line as the rest: they go to memory together. */
        store(line + MF_REPORT_STATE / 4, 1U MF_SITE);
        AscendC::DataSyncBarrier<AscendC::MemDsbT::ALL>();
    }
    if (failure.rank == object.rank() && what == WAITED_FOR_WORD) {
        MF_TRAP("the host of this rank ended the memory while the kernel waited (%s %u)", name_of_wait(what), detail);
    }
    if (failure.rank == object.rank()) {
        MF_TRAP("the other ranks gave up waiting for this one (%s %u)", name_of_wait(what), detail);
    }
    if (failure.rank == ANY_RANK) {
        MF_TRAP("gave up waiting after %llu us (%s %u): no rank did what the kernel waits for",
                static_cast<unsigned long long>(waited_us), name_of_wait(what), detail);
    }
    MF_TRAP("gave up waiting for rank %u after %llu us (%s %u): %s", failure.rank,
            static_cast<unsigned long long>(waited_us), name_of_wait(what), detail, failure.reason == RANK_IS_LOST ? "it is lost" : "it did not come in time");
}

} // namespace mf

#endif
