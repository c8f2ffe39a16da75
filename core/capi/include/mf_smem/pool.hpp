// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Pools as objects: see mf_smem.hpp.
#ifndef MF_SMEM_POOL_HPP
#define MF_SMEM_POOL_HPP

#include <vector>

#include "../smem/host/smem_bm.h"
#include "owned.hpp"

namespace mf_smem {

namespace detail {
inline void end_pool(smem_bm_t handle) { smem_bm_destroy(handle); }
} // namespace detail

// The defaults, for fields to be changed: smem_bm_config_init.
inline smem_bm_config_t pool_defaults()
{
    smem_bm_config_t config;
    check(smem_bm_config_init(&config), "smem_bm_config_init");
    return config;
}

// The membership of this process in a job, for pools; one object at a time. Ends with smem_bm_uninit: pools
// must have ended before.
class Membership : public detail::Begun<smem_bm_uninit> {
public:
    // Rank and store as the launcher says: mfx_bm_init_launched.
    static Membership launched()
    {
        check(mfx_bm_init_launched(), "mfx_bm_init_launched");
        return Membership();
    }
    // smem_bm_init.
    Membership(const std::string &store_url, std::uint32_t world_size, std::uint16_t device_id,
               const smem_bm_config_t &config)
        : Membership(begun(store_url, world_size, device_id, config))
    {
    }

    std::uint32_t rank() const noexcept { return smem_bm_get_rank_id(); }
    std::uint32_t world_size() const noexcept { return mfx_bm_world_size(); }
    // Collective: mfx_bm_barrier; members 0: all ranks.
    void barrier(const std::string &name, std::uint32_t members = 0, std::uint32_t timeout_s = 60) const
    {
        check(mfx_bm_barrier(name.c_str(), members, timeout_s), "mfx_bm_barrier");
    }

private:
    Membership() noexcept = default;
    static Membership begun(const std::string &store_url, std::uint32_t world_size, std::uint16_t device_id,
                            const smem_bm_config_t &config)
    {
        check(smem_bm_init(store_url.c_str(), world_size, device_id, &config), "smem_bm_init");
        return Membership();
    }
};

// The own side of a pool. Ends with smem_bm_destroy.
class Pool {
public:
    // smem_bm_create: host and device bytes to contribute, multiples of 2 MiB, the same in all ranks.
    Pool(std::uint32_t id, std::uint64_t host_bytes, std::uint64_t device_bytes = 0,
         smem_bm_data_op_type_t engines = SMEMB_DATA_OP_HOST_SHM, std::uint32_t flags = 0)
        : handle_(detail::made(smem_bm_create(id, 0, engines, host_bytes, device_bytes, flags), "smem_bm_create"))
    {
    }
    // smem_bm_create2.
    Pool(std::uint32_t id, const smem_bm_create_option_t &option)
        : handle_(detail::made(smem_bm_create2(id, &option), "smem_bm_create2"))
    {
    }

    smem_bm_t handle() const noexcept { return handle_.get(); }
    smem_bm_t release() noexcept { return handle_.release(); }

    void join() const { check(smem_bm_join(handle(), 0), "smem_bm_join"); }
    void leave() const { check(smem_bm_leave(handle(), 0), "smem_bm_leave"); }
    // mfx_bm_extend.
    void extend(std::uint64_t bytes, smem_bm_mem_type_t window = SMEM_MEM_TYPE_HOST) const
    {
        check(mfx_bm_extend(handle(), static_cast<std::uint32_t>(window), bytes), "mfx_bm_extend");
    }
    // The ranks that have joined, in rising order: mfx_bm_members.
    std::vector<std::uint32_t> members() const
    {
        std::vector<std::uint32_t> ranks(16);
        for (;;) {
            std::uint32_t count = 0;
            const std::int32_t code =
                mfx_bm_members(handle(), ranks.data(), static_cast<std::uint32_t>(ranks.size()), &count);
            if (code != SMEM_BUFFER_TOO_SMALL) check(code, "mfx_bm_members");
            const bool was_enough = count <= ranks.size();
            ranks.resize(count);
            if (was_enough) return ranks;
        }
    }
    // Address of the contribution of a rank, for copies: smem_bm_ptr_by_mem_type.
    void *address(std::uint16_t rank, smem_bm_mem_type_t window = SMEM_MEM_TYPE_HOST) const
    {
        return detail::made(smem_bm_ptr_by_mem_type(handle(), window, rank), "smem_bm_ptr_by_mem_type");
    }
    // One-sided: smem_bm_copy between any two addresses of which one is in the pool.
    void copy(const void *from, void *to, std::size_t bytes, std::uint32_t flags = 0) const
    {
        smem_copy_params params = {};
        params.src = from;
        params.dest = to;
        params.dataSize = bytes;
        check(smem_bm_copy(handle(), &params, SMEMB_COPY_AUTO, flags), "smem_bm_copy");
    }
    // Waits for copies with ASYNC_COPY_FLAG: smem_bm_wait.
    void wait() const { check(smem_bm_wait(handle()), "smem_bm_wait"); }
    // The own contribution for the processor: mfx_bm_map.
    Mapping map(smem_bm_mem_type_t window = SMEM_MEM_TYPE_HOST) const
    {
        void *address = nullptr;
        std::uint64_t bytes = 0;
        check(mfx_bm_map(handle(), static_cast<std::uint32_t>(window), &address, &bytes), "mfx_bm_map");
        return Mapping(address, bytes);
    }

private:
    detail::Owned<smem_bm_t, detail::end_pool> handle_;
};

} // namespace mf_smem

#endif
