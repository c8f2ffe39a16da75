// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Share memory as objects: see mf_smem.hpp.
#ifndef MF_SMEM_SHARE_HPP
#define MF_SMEM_SHARE_HPP

#include <vector>

#include "../smem/host/smem_shm.h"
#include "owned.hpp"

namespace mf_smem {

namespace detail {
inline void end_share(smem_shm_t handle) { static_cast<void>(smem_shm_destroy(handle, 0)); }
} // namespace detail

// The defaults, for fields to be changed: smem_shm_config_init.
inline smem_shm_config_t share_defaults()
{
    smem_shm_config_t config;
    check(smem_shm_config_init(&config), "smem_shm_config_init");
    return config;
}

// The membership of this process in a job, for share memory; one object at a time. Ends with smem_shm_uninit:
// shares must have ended before.
class ShareMembership : public detail::Begun<smem_shm_uninit> {
public:
    // smem_shm_init.
    ShareMembership(const std::string &store_url, std::uint32_t world_size, std::uint32_t rank,
                    std::uint16_t device_id, smem_shm_config_t config)
        : ShareMembership(begun(store_url, world_size, rank, device_id, config))
    {
    }

    std::uint32_t rank() const noexcept { return mfx_shm_rank(); }
    std::uint32_t world_size() const noexcept { return mfx_shm_world_size(); }

private:
    ShareMembership() noexcept = default;
    static ShareMembership begun(const std::string &store_url, std::uint32_t world_size, std::uint32_t rank,
                                 std::uint16_t device_id, smem_shm_config_t &config)
    {
        check(smem_shm_init(store_url.c_str(), world_size, rank, device_id, &config), "smem_shm_init");
        return ShareMembership();
    }
};

// The own side of an object of share memory. Ends with smem_shm_destroy.
class Share {
public:
    // Collective: smem_shm_create. bytes of each part, a multiple of 2 MiB.
    Share(std::uint32_t id, std::uint32_t ranks, std::uint32_t rank, std::uint64_t bytes,
          smem_shm_data_op_type engines = SMEMS_DATA_OP_MTE)
        : handle_(nullptr)
    {
        void *first = nullptr;
        handle_.reset(detail::made(smem_shm_create(id, ranks, rank, bytes, engines, 0, &first), "smem_shm_create"));
        first_ = static_cast<char *>(first);
    }

    smem_shm_t handle() const noexcept { return handle_.get(); }
    smem_shm_t release() noexcept { return handle_.release(); }

    std::uint32_t rank() const noexcept { return smem_shm_get_global_rank(handle()); }
    std::uint32_t ranks() const noexcept { return smem_shm_get_global_rank_size(handle()); }
    // Address of the part of a rank, for kernels and copies; the same number in every rank.
    void *part(std::uint32_t rank) const noexcept { return first_ + rank * smem_shm_get_symmetric_size(handle()); }
    // One-sided: mfx_shm_copy.
    void copy(const void *from, void *to, std::uint64_t bytes) const
    {
        check(mfx_shm_copy(handle(), to, from, bytes), "mfx_shm_copy");
    }
    // Collective: smem_shm_control_barrier.
    void barrier() const { check(smem_shm_control_barrier(handle()), "smem_shm_control_barrier"); }
    // Collective: smem_shm_control_allgather of one value of a type without pointers, 1 to 65536 bytes.
    template <typename Value>
    std::vector<Value> all_gather(const Value &own) const
    {
        std::vector<Value> all(ranks());
        check(smem_shm_control_allgather(handle(), reinterpret_cast<const char *>(&own), sizeof own,
                                         reinterpret_cast<char *>(all.data()),
                                         static_cast<std::uint32_t>(all.size() * sizeof own)),
              "smem_shm_control_allgather");
        return all;
    }
    // The part of a rank for the processor: mfx_shm_map.
    Mapping map(std::uint32_t rank) const
    {
        void *address = nullptr;
        std::uint64_t bytes = 0;
        check(mfx_shm_map(handle(), rank, &address, &bytes), "mfx_shm_map");
        return Mapping(address, bytes);
    }

private:
    detail::Owned<smem_shm_t, detail::end_share> handle_;
    char *first_ = nullptr;
};

} // namespace mf_smem

#endif
