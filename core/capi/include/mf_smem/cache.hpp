// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Caches as objects: see mf_smem.hpp. Keys are the bytes of a string, 1 to MFX_CACHE_KEY_BYTES_MAX.
#ifndef MF_SMEM_CACHE_HPP
#define MF_SMEM_CACHE_HPP

#include <vector>

#include "../smem/host/mfx_cache.h"
#include "owned.hpp"
#include "pool.hpp"

namespace mf_smem {

namespace detail {
inline void end_cache(mfx_cache_t handle) { static_cast<void>(mfx_cache_close(handle)); }
} // namespace detail

// The own part of a cache in a pool. Ends with mfx_cache_close: before the pool does.
class Cache {
public:
    // mfx_cache_open: in a pool that this process has joined. The memory of the pool belongs to the cache
    // alone.
    explicit Cache(const Pool &pool, std::uint32_t replicas = 1, std::uint64_t index_entries = 0)
        : handle_(opened(pool.handle(), replicas, index_entries))
    {
    }

    mfx_cache_t handle() const noexcept { return handle_.get(); }
    mfx_cache_t release() noexcept { return handle_.release(); }

    // Returns true if the value was stored, false only if MFX_CACHE_KEEP kept another one: mfx_cache_put.
    bool put(const std::string &key, const void *value, std::size_t bytes,
             const mfx_cache_put_t &how = mfx_cache_put_t()) const
    {
        bool stored = false;
        check(mfx_cache_put(handle(), key.data(), key.size(), value, bytes, &how, &stored), "mfx_cache_put");
        return stored;
    }
    // Returns true if the key has a value, which is in buffer then, with its length in bytes: mfx_cache_get.
    bool get(const std::string &key, void *buffer, std::size_t capacity, std::uint64_t &bytes) const
    {
        bool found = false;
        check(mfx_cache_get(handle(), key.data(), key.size(), buffer, capacity, &bytes, &found),
              "mfx_cache_get");
        return found;
    }
    // The same, into a vector that becomes as long as the value; empty without one.
    bool get(const std::string &key, std::vector<unsigned char> &value) const
    {
        // Of a value that grows while it is got, the longer one is got.
        for (std::int32_t turn = 0;; turn++) {
            std::uint64_t bytes = 0;
            bool found = size(key, bytes);
            value.resize(static_cast<std::size_t>(bytes));
            if (!found) return false;
            const std::int32_t code =
                mfx_cache_get(handle(), key.data(), key.size(), value.data(), value.size(), &bytes, &found);
            if (code == SMEM_INVALID_PARAM && turn < 16) continue;
            check(code, "mfx_cache_get");
            value.resize(static_cast<std::size_t>(bytes));
            return found;
        }
    }
    // Returns true if the key has a value, and its length: mfx_cache_size.
    bool size(const std::string &key, std::uint64_t &bytes) const
    {
        bool found = false;
        check(mfx_cache_size(handle(), key.data(), key.size(), &bytes, &found), "mfx_cache_size");
        return found;
    }
    // mfx_cache_exists.
    bool exists(const std::string &key) const
    {
        bool found = false;
        check(mfx_cache_exists(handle(), key.data(), key.size(), &found), "mfx_cache_exists");
        return found;
    }
    // Returns true if the key had a value: mfx_cache_remove.
    bool remove(const std::string &key) const
    {
        bool found = false;
        check(mfx_cache_remove(handle(), key.data(), key.size(), &found), "mfx_cache_remove");
        return found;
    }
    // Returns true if the key has a value, which is not evicted, or may be again: mfx_cache_pin.
    bool pin(const std::string &key, bool pinned = true) const
    {
        bool found = false;
        check(mfx_cache_pin(handle(), key.data(), key.size(), pinned, &found), "mfx_cache_pin");
        return found;
    }
    // Returns true if the key has a value, which stays at its address for that time: mfx_cache_lease.
    bool lease(const std::string &key, std::uint64_t for_ms, mfx_cache_lease_t &lease) const
    {
        bool found = false;
        check(mfx_cache_lease(handle(), key.data(), key.size(), for_ms, &lease, &found), "mfx_cache_lease");
        return found;
    }
    // Returns true if a lease is still valid: mfx_cache_lease_valid.
    bool is_valid(const mfx_cache_lease_t &lease) const
    {
        bool valid = false;
        check(mfx_cache_lease_valid(handle(), &lease, &valid), "mfx_cache_lease_valid");
        return valid;
    }
    // Returns the number of keys with a value before the first key without one: mfx_cache_count_prefix.
    std::uint32_t count_prefix(const std::vector<std::string> &keys) const
    {
        std::vector<const void *> starts;
        std::vector<std::size_t> lengths;
        for (const std::string &key : keys) {
            starts.push_back(key.data());
            lengths.push_back(key.size());
        }
        std::uint32_t leading = 0;
        check(mfx_cache_count_prefix(handle(), starts.data(), lengths.data(),
                                     static_cast<std::uint32_t>(keys.size()), &leading),
              "mfx_cache_count_prefix");
        return leading;
    }
    // The keys that have values, in no order: mfx_cache_keys.
    std::vector<std::string> keys() const
    {
        std::vector<std::string> all;
        std::vector<char> room(std::size_t(16) * MFX_CACHE_KEY_BYTES_MAX);
        std::vector<std::uint64_t> lengths(1024);
        std::uint64_t from = 0;
        do {
            std::uint32_t count = 0;
            check(mfx_cache_keys(handle(), &from, room.data(), room.size(), lengths.data(),
                                 static_cast<std::uint32_t>(lengths.size()), &count),
                  "mfx_cache_keys");
            const char *start = room.data();
            for (std::uint32_t key = 0; key < count; start += lengths[key], key++) {
                all.emplace_back(start, static_cast<std::size_t>(lengths[key]));
            }
        } while (from != 0);
        return all;
    }
    // Returns the number of removed values: mfx_cache_clear.
    std::uint64_t clear() const
    {
        std::uint64_t removed = 0;
        check(mfx_cache_clear(handle(), &removed), "mfx_cache_clear");
        return removed;
    }
    // mfx_cache_stats.
    mfx_cache_stats_t stats() const
    {
        mfx_cache_stats_t stats;
        check(mfx_cache_stats(handle(), &stats), "mfx_cache_stats");
        return stats;
    }

private:
    static mfx_cache_t opened(smem_bm_t pool, std::uint32_t replicas, std::uint64_t index_entries)
    {
        mfx_cache_config_t config = {};
        config.structBytes = sizeof config;
        config.replicas = replicas;
        config.indexEntries = index_entries;
        return detail::made(mfx_cache_open(pool, &config), "mfx_cache_open");
    }

    detail::Owned<mfx_cache_t, detail::end_cache> handle_;
};

} // namespace mf_smem

#endif
