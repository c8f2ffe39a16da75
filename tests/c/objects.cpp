// SPDX-License-Identifier: Apache-2.0 OR MIT
// The objects of mf_smem.hpp in one process: ownership, release, moves, exceptions.
#include "ranks.h"

#include "check.h"
#include "mf_smem.hpp"

#include <type_traits>

namespace {

constexpr std::uint64_t BYTES = 2 << 20;

// The code of the exception of a call; its text names something; SMEM_OK without an exception.
template <typename Call>
std::int32_t thrown(Call call)
{
    try {
        call();
    } catch (const mf_smem::Error &error) {
        CHECK(error.what()[0] != '\0');
        return error.code();
    }
    return SMEM_OK;
}

template <typename Object>
constexpr bool moves_only()
{
    return std::is_nothrow_move_constructible<Object>::value && std::is_nothrow_move_assignable<Object>::value &&
           !std::is_copy_constructible<Object>::value && !std::is_copy_assignable<Object>::value;
}
static_assert(moves_only<mf_smem::Pool>() && moves_only<mf_smem::Share>() && moves_only<mf_smem::Endpoint>(), "");
static_assert(moves_only<mf_smem::Membership>() && moves_only<mf_smem::ShareMembership>(), "");
static_assert(moves_only<mf_smem::Transfers>() && moves_only<mf_smem::Transfer>(), "");
static_assert(moves_only<mf_smem::Mapping>() && moves_only<mf_smem::Cache>(), "");

void pools(const std::string &url)
{
    smem_bm_config_t config = mf_smem::pool_defaults();
    config.autoRanking = false;
    config.rankId = 0;
    CHECK(thrown([&] { mf_smem::Membership("no url", 1, 0, config); }) == SMEM_INVALID_PARAM);
    CHECK(smem_bm_get_rank_id() == UINT32_MAX);
    {
        mf_smem::Membership job(url, 1, 0, config);
        CHECK(job.rank() == 0 && job.world_size() == 1);
        mf_smem::Membership moved = std::move(job);
        job = std::move(moved);
        CHECK(smem_bm_get_rank_id() == 0);

        mf_smem::Pool pool(3, BYTES);
        CHECK(thrown([] { mf_smem::Pool(3, BYTES); }) == SMEM_DUPLICATED);
        char there[8] = "", here[8] = "written";
        CHECK(thrown([&] { pool.copy(here, pool.address(0), sizeof here); }) == SMEM_NOT_STARTED);
        pool.join();
        CHECK(pool.members() == std::vector<std::uint32_t>{0});
        pool.copy(here, pool.address(0), sizeof here);
        pool.copy(pool.address(0), there, sizeof there);
        CHECK(std::string(there) == "written");
        mf_smem::Mapping mapping = pool.map();
        CHECK(mapping.bytes() == BYTES && std::string(static_cast<char *>(mapping.data())) == "written");
        job.barrier("one");
        CHECK(thrown([&] { pool.extend(1); }) == SMEM_INVALID_PARAM);
        CHECK(thrown([&] { static_cast<void>(pool.address(1)); }) == SMEM_INVALID_PARAM);

        // The pool that is assigned to ends; the id is free then, and the mapping stays.
        mf_smem::Pool other(4, BYTES);
        const smem_bm_t handle = other.handle();
        pool = std::move(other);
        CHECK(pool.handle() == handle && other.handle() == nullptr);
        mf_smem::Pool again(3, BYTES);
        CHECK(std::string(static_cast<char *>(mapping.data())) == "written");

        // A released handle is the caller's.
        const smem_bm_t released = again.release();
        CHECK(again.handle() == nullptr);
        smem_bm_destroy(released);
        smem_bm_create_option_t option = {};
        option.maxDramSize = 2 * BYTES;
        option.localDRAMSize = BYTES;
        option.dataOpType = SMEMB_DATA_OP_HOST_SHM;
        mf_smem::Pool growing(3, option);
        growing.join();
        growing.extend(BYTES);
        CHECK(growing.map().bytes() == 2 * BYTES);
        growing.leave();
    }
    CHECK(smem_bm_get_rank_id() == UINT32_MAX);
}

void caches(const std::string &url)
{
    smem_bm_config_t config = mf_smem::pool_defaults();
    config.autoRanking = false;
    config.rankId = 0;
    mf_smem::Membership job(url, 1, 0, config);
    mf_smem::Pool pool(5, BYTES);
    CHECK(thrown([&] { mf_smem::Cache early(pool); }) == SMEM_NOT_STARTED);
    pool.join();
    CHECK(thrown([&] { mf_smem::Cache many(pool, MFX_CACHE_REPLICAS_MAX + 1); }) == SMEM_INVALID_PARAM);
    mf_smem::Cache cache(pool);
    mf_smem::Cache moved = std::move(cache);
    cache = std::move(moved);
    const std::string key("a\0key", 5);
    std::vector<unsigned char> value(3, 1), got;
    std::uint64_t bytes = 9;
    CHECK(!cache.exists(key) && !cache.get(key, got) && got.empty() && !cache.size(key, bytes) && bytes == 0);
    CHECK(cache.put(key, value.data(), value.size()) && cache.get(key, got) && got == value);
    CHECK(cache.size(key, bytes) && bytes == 3 && cache.exists(key));
    mfx_cache_put_t keep = {};
    keep.flags = MFX_CACHE_KEEP;
    CHECK(!cache.put(key, "other", 5, keep));
    char small[2];
    CHECK(thrown([&] { static_cast<void>(cache.get(key, small, sizeof small, bytes)); }) == SMEM_INVALID_PARAM);
    CHECK(thrown([&] { static_cast<void>(cache.exists("")); }) == SMEM_INVALID_PARAM);
    CHECK(cache.pin(key) && cache.pin(key, false) && !cache.pin("absent"));
    mfx_cache_lease_t lease;
    CHECK(cache.lease(key, 60000, lease) && lease.bytes == 3 && static_cast<const char *>(lease.address)[2] == 1);
    CHECK(cache.count_prefix({key, "absent"}) == 1);
    CHECK(cache.put("empty", nullptr, 0) && cache.get("empty", got) && got.empty());
    CHECK(cache.remove("empty") && !cache.remove("empty"));
    CHECK(cache.keys() == std::vector<std::string>{key} && cache.stats().members == 1);
    CHECK(cache.clear() == 1 && cache.keys().empty());
}

void shares(const std::string &url)
{
    {
        mf_smem::ShareMembership job(url, 1, 0, 0, mf_smem::share_defaults());
        CHECK(job.rank() == 0 && job.world_size() == 1);
        CHECK(thrown([] { mf_smem::Share(99, 1, 0, BYTES); }) == SMEM_INVALID_PARAM);
        mf_smem::Share share(5, 1, 0, BYTES);
        CHECK(share.rank() == 0 && share.ranks() == 1);
        const char here[] = "shared";
        share.copy(here, share.part(0), sizeof here);
        const mf_smem::Mapping view = share.map(0);
        CHECK(std::string(static_cast<char *>(view.data())) == "shared");
        share.barrier();
        CHECK(share.all_gather(std::uint64_t{7}) == std::vector<std::uint64_t>{7});
        CHECK(thrown([&] { static_cast<void>(share.map(1)); }) == SMEM_INVALID_PARAM);
    }
    CHECK(mfx_shm_world_size() == 0);
}

void endpoints(const std::string &url)
{
    const std::string one_name = "127.0.0.1:5100", two_name = "127.0.0.1:5101";
    OK(smem_create_config_store(url.c_str(), 0));
    {
        smem_trans_config_t config = mf_smem::endpoint_defaults();
        config.initTimeout = 0;
        CHECK(thrown([&] { mf_smem::Transfers refused(config); }) == SMEM_INVALID_PARAM);
        config = mf_smem::endpoint_defaults();
        config.role = SMEM_TRANS_BOTH;
        const mf_smem::Transfers transfers(config);
        const mf_smem::Endpoint one(url, one_name, config);
        mf_smem::Endpoint two(url, two_name, config);
        CHECK(thrown([&] { mf_smem::Endpoint(url, one_name, config); }) == SMEM_DUPLICATED);
        std::vector<char> there(BYTES), here(BYTES, 'x');
        CHECK(thrown([&] { two.write(here.data(), one_name, there.data(), BYTES); }) == SMEM_INVALID_PARAM);
        one.register_memory(there.data(), there.size());
        two.write(here.data(), one_name, there.data(), BYTES);
        CHECK(there == here);

        there.assign(BYTES, 'y');
        const mf_smem::Transfer transfer = two.start(MFX_TRANS_READ, one_name, here.data(), there.data(), BYTES);
        transfer.wait(60000);
        CHECK(transfer.poll() && there == here);
        one.deregister_memory(there.data());
        CHECK(thrown([&] { two.read(here.data(), one_name, there.data(), 1); }) == SMEM_INVALID_PARAM);
        CHECK(thrown([&] { one.deregister_memory(there.data()); }) == SMEM_NOT_EXIST);
        // The name is free when its endpoint has ended.
        two = mf_smem::Endpoint(url, "127.0.0.1:5102", config);
        const mf_smem::Endpoint again(url, two_name, config);
    }
    smem_destroy_config_store(url.c_str());
}

} // namespace

int main()
{
    char url[64];
    free_url(url, sizeof url);
    pools(url);
    free_url(url, sizeof url);
    caches(url);
    free_url(url, sizeof url);
    shares(url);
    free_url(url, sizeof url);
    endpoints(url);
    return check_result();
}
