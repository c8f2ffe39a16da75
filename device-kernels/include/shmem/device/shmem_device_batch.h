/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: batches of engine copies. A kernel defers copies and submits the last one, all with
 * the same PE, queue pair, buffer, event and direction, on one state.
 *
 * The simulated engines start a deferred copy at once; programs may rely on it after the submit and a quiet
 * alone, as on hardware. Copies that do not belong together end the kernel, and so do more copies than the
 * buffer has room for: on hardware each copy of a batch has a request in it.
 */
#ifndef MF_SHMEM_DEVICE_BATCH_H
#define MF_SHMEM_DEVICE_BATCH_H

#include "shmem_device_def.h"

/* Most copies of a batch on a queue pair of ROCE, the submitted one included. */
constexpr uint32_t ACLSHMEM_ROCE_QP_AGGREGATE_MAX_OPS = 1023;

/* State of a batch; a kernel keeps one for each batch, and may read the number of deferred copies. */
struct aclshmemx_submit_state_t {
    uint32_t pending_count = 0;
    /* The engine's own. */
    uint32_t reserved = 0;
};

/* Action of a copy: it waits for the submit. */
class aclshmemx_defer_t {
  public:
    ACLSHMEM_DEVICE explicit aclshmemx_defer_t(aclshmemx_submit_state_t &state) : state_(state) {}
    ACLSHMEM_DEVICE aclshmemx_submit_state_t &state() const { return state_; }

  private:
    aclshmemx_submit_state_t &state_;
};

/* Action of a copy: it is the last one of the batch, and starts all. */
class aclshmemx_submit_t {
  public:
    ACLSHMEM_DEVICE explicit aclshmemx_submit_t(aclshmemx_submit_state_t &state) : state_(state) {}
    ACLSHMEM_DEVICE aclshmemx_submit_state_t &state() const { return state_; }

  private:
    aclshmemx_submit_state_t &state_;
};

namespace mf {
namespace shmem {

/* Digest of the properties that all copies of a batch share. */
class BatchKey {
  public:
    ACLSHMEM_DEVICE BatchKey &with(uint64_t word)
    {
        for (uint32_t part = 0; part < 2; part++, word >>= 32) {
            hash_ = (hash_ ^ static_cast<uint32_t>(word)) * 16777619U;
        }
        return *this;
    }
    ACLSHMEM_DEVICE uint32_t value() const { return hash_; }

  private:
    uint32_t hash_ = 2166136261U;
};

/* Most copies of a batch, the submitted one included: of the engine, and in a buffer of `bytes` bytes. */
struct BatchLimit {
    uint32_t of_engine;
    uint32_t of_buffer;
    uint32_t bytes;
};

/* Name of the called function, for texts of the emulation. */
#ifdef MF_EMULATION
#define MF_CALL_PARAM , const char *call
#define MF_CALL , call
#define MF_CALL_NAMED(NAME) , #NAME
#else
#define MF_CALL_PARAM
#define MF_CALL
#define MF_CALL_NAMED(NAME)
#endif

/* Ends the kernel if a copy does not belong to the batch, or leaves no room: for itself, and `after` more. */
ACLSHMEM_DEVICE void join_batch(const aclshmemx_submit_state_t &state, const BatchKey &key, const BatchLimit &limit,
                                uint32_t after MF_CALL_PARAM MF_SITE_PARAM)
{
    const uint64_t copies = uint64_t{state.pending_count} + 1 + after;
    if (state.pending_count != 0 && state.reserved != key.value()) {
        MF_TRAP("%s: a copy differs from the %u deferred copies of its batch in direction, PE, queue pair, buffer or event",
                call, state.pending_count);
    }
    if (copies > limit.of_engine) {
        MF_TRAP("%s: a batch has %u deferred copies, and takes at most %u with the submitted one", call,
                state.pending_count, limit.of_engine);
    }
    if (copies > limit.of_buffer) {
        MF_TRAP("%s: a batch has %u deferred copies, and its buffer of %u bytes takes at most %u with the submitted one",
                call, state.pending_count, limit.bytes, limit.of_buffer);
    }
}
ACLSHMEM_DEVICE void take_part(aclshmemx_defer_t action, const BatchKey &key,
                               const BatchLimit &limit MF_CALL_PARAM MF_SITE_PARAM)
{
    join_batch(action.state(), key, limit, 1 MF_CALL MF_SITE);
    action.state().pending_count++;
    action.state().reserved = key.value();
}
ACLSHMEM_DEVICE void take_part(aclshmemx_submit_t action, const BatchKey &key,
                               const BatchLimit &limit MF_CALL_PARAM MF_SITE_PARAM)
{
    join_batch(action.state(), key, limit, 0 MF_CALL MF_SITE);
    action.state().pending_count = 0;
    action.state().reserved = 0;
}

} // namespace shmem
} // namespace mf

#endif
