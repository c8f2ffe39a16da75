/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Barriers of all ranks of an object, by all blocks of their kernels. There are three, because a kernel that
 * begins with one has nothing to wait for before it, and a kernel that ends with one has nothing to release
 * after it:
 *
 *   barrier_at_begin   waits until earlier work of the stream is complete on every rank
 *   barrier            waits until earlier writes and reads of every block of every rank are complete
 *   barrier_at_end     the same; only block 0 may continue, and the launch ends after all ranks have arrived
 *
 * Every rank launches a kernel that meets as often. In an object one launch with barriers runs at a time.
 * Blocks are at most as many as there are cores, as of SyncAll; ranks may launch different numbers.
 *
 * How ranks meet. In step k rank r notifies rank r + 2^k that it has arrived, and waits for rank r - 2^k:
 * after log2(n) steps all ranks have notified it. In each step one rank writes to a rank, so a line of memory
 * for each step is enough; the sender writes its count of meetings, the receiver waits until the count is no
 * less than its own. The count outlives a launch.
 *
 * How they give up. A rank that waits for a lost one, or too long, writes a verdict, which names the rank,
 * beside its count in the lines of the ranks it would notify in later steps, and traps; they read it and do
 * the same. Later steps wait a little longer, so the rank that misses the lost one itself is the first, and
 * all name the same one. All ranks that took part have the same count then, and the next barrier works.
 */
#ifndef MF_BARRIER_H
#define MF_BARRIER_H

#include "mf_wait.h"

namespace mf {

/* A line of MF_CONTROL_ARRIVALS: the sender's count, and the verdict with the count that it is about: from
 * the lowest bit on, 14 bits for the rank, 2 for the reason, 48 for the count. */
constexpr uint64_t ARRIVAL_COUNT = 0;
constexpr uint64_t ARRIVAL_VERDICT = 8;

constexpr uint32_t RANK_BITS = 14;
constexpr uint32_t REASON_BITS = 2;
static_assert(MF_CONTROL_RANKS == 1 << RANK_BITS, "a verdict names any rank");
static_assert(MF_CONTROL_ARRIVALS + (RANK_BITS + 1) * MF_CONTROL_LINE <= MF_CONTROL_ROUNDS, "a line for each step");
static_assert(MF_CONTROL_LOST + MF_CONTROL_RANKS * 4 <= MF_CONTROL_SIGNALS, "a word for each rank");

__aicore__ inline uint64_t arrivals_of(uint32_t step) { return uint64_t{step} * MF_CONTROL_LINE; }

__aicore__ inline uint64_t pack_verdict(uint64_t count, const Failure &failure)
{
    return count << (RANK_BITS + REASON_BITS) | uint64_t{failure.reason} << RANK_BITS | failure.rank;
}

/* Waits until `from` of the circle came to meeting `count`. The reason is NO_REASON when it did. */
template <typename Circle>
__aicore__ inline Failure await_arrival(const Circle &circle, uint32_t from, uint64_t count, uint32_t step,
                                        WaitLimit &limit MF_SITE_PARAM)
{
    const uint64_t line = arrivals_of(step);
    __gm__ uint64_t *arrival = circle.arrival(circle.rank(), line + ARRIVAL_COUNT);
    __gm__ uint64_t *verdict = circle.arrival(circle.rank(), line + ARRIVAL_VERDICT);
    if (load(arrival MF_SITE) >= count) {
        return {NO_REASON, from};
    }
    const uint32_t awaited = circle.member(from);
    while (load(arrival MF_SITE) < count) {
        const uint64_t passed_on = load(verdict MF_SITE);
        if (passed_on >> (RANK_BITS + REASON_BITS) == count) {
            return {static_cast<uint32_t>(passed_on >> RANK_BITS) & ((1U << REASON_BITS) - 1),
                    static_cast<uint32_t>(passed_on) & ((1U << RANK_BITS) - 1)};
        }
        const uint32_t reason = limit.is_lost(circle.object(), awaited, step MF_SITE);
        /* It may have come just before it was lost. */
        if (reason != NO_REASON && load(arrival MF_SITE) < count) {
            return {reason, awaited};
        }
        MF_WAITING("for rank %u in the barrier of ranks (number %llu, step %u)", awaited,
                   static_cast<unsigned long long>(count), step);
    }
    return {NO_REASON, awaited};
}

/* The meeting itself: by one block of each rank. A circle is the ranks that meet: all of an object
 * (mf::Object), or some of them, which count themselves from 0; `member` says which rank of the object one
 * is. */
template <typename Circle> __aicore__ inline void meet_ranks(const Circle &circle MF_SITE_PARAM)
{
    WaitLimit limit(circle.object() MF_SITE);
    __gm__ uint64_t *own = circle.meetings();
    const uint64_t count = load(own MF_SITE) + 1;
    store(own, count MF_SITE);

    uint32_t step = 0;
    for (uint32_t distance = 1; distance < circle.ranks(); distance *= 2, step++) {
        store(circle.arrival(circle.rank_after(distance), arrivals_of(step) + ARRIVAL_COUNT), count MF_SITE);
        const uint32_t from = circle.rank_after(circle.ranks() - distance);
        const Failure failure = await_arrival(circle, from, count, step, limit MF_SITE);
        if (failure.reason != NO_REASON) {
            uint32_t later = step + 1;
            for (distance *= 2; distance < circle.ranks(); distance *= 2, later++) {
                store(circle.arrival(circle.rank_after(distance), arrivals_of(later) + ARRIVAL_VERDICT),
                      pack_verdict(count, failure) MF_SITE);
            }
            give_up(circle.object(), failure, WAITED_FOR_BARRIER, step, limit.waited_us() MF_SITE);
        }
    }
}

__aicore__ inline void barrier_at_begin(const Object &object MF_SITE_PARAM)
{
    if (block_index() == 0) {
        meet_ranks(object MF_SITE);
    }
    /* The other blocks wait for block 0. */
    AscendC::SyncAll();
}

__aicore__ inline void barrier_at_end(const Object &object MF_SITE_PARAM)
{
    /* First the copies of this block, then the copies of all blocks of this rank. */
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::SyncAll();
    if (block_index() == 0) {
        meet_ranks(object MF_SITE);
    }
}

__aicore__ inline void barrier(const Object &object MF_SITE_PARAM)
{
    barrier_at_end(object MF_SITE);
    AscendC::SyncAll();
}

} // namespace mf

#endif
