// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Endpoints and transfers as objects: see mf_smem.hpp.
#ifndef MF_SMEM_TRANSFER_HPP
#define MF_SMEM_TRANSFER_HPP

#include "../smem/host/smem_trans.h"
#include "owned.hpp"

namespace mf_smem {

namespace detail {
inline void end_endpoint(smem_trans_t handle) { smem_trans_destroy(handle, 0); }
inline void end_transfer(mfx_transfer_t handle) { static_cast<void>(mfx_trans_release(handle)); }
} // namespace detail

// The defaults, for fields to be changed: smem_trans_config_init.
inline smem_trans_config_t endpoint_defaults()
{
    smem_trans_config_t config;
    check(smem_trans_config_init(&config), "smem_trans_config_init");
    return config;
}

// A started transfer. Ends with mfx_trans_release, which cancels it when it goes on.
class Transfer {
public:
    explicit Transfer(mfx_transfer_t handle) : handle_(detail::made(handle, "mfx_trans_start")) {}

    mfx_transfer_t handle() const noexcept { return handle_.get(); }
    mfx_transfer_t release() noexcept { return handle_.release(); }
    // Returns true if it has ended well; throws why it failed. Does not block: mfx_trans_poll.
    bool poll() const
    {
        bool done = false;
        check(mfx_trans_poll(handle(), &done), "mfx_trans_poll");
        return done;
    }
    void wait(std::uint32_t timeout_ms) const { check(mfx_trans_wait(handle(), timeout_ms), "mfx_trans_wait"); }
    void cancel() const { check(mfx_trans_cancel(handle()), "mfx_trans_cancel"); }

private:
    detail::Owned<mfx_transfer_t, detail::end_transfer> handle_;
};

// Allows endpoints in this process; one object at a time. Ends with smem_trans_uninit: endpoints must have
// ended before.
class Transfers : public detail::Begun<smem_trans_uninit> {
public:
    // smem_trans_init.
    explicit Transfers(const smem_trans_config_t &config) : Transfers(begun(config)) {}

private:
    Transfers() noexcept = default;
    static Transfers begun(const smem_trans_config_t &config)
    {
        check(smem_trans_init(&config), "smem_trans_init");
        return Transfers();
    }
};

// A name at a config store, with memory that others of the store copy to and from. Ends with
// smem_trans_destroy.
class Endpoint {
public:
    Endpoint(const std::string &store_url, const std::string &name, const smem_trans_config_t &config)
        : handle_(detail::made(smem_trans_create(store_url.c_str(), name.c_str(), &config), "smem_trans_create"))
    {
    }

    smem_trans_t handle() const noexcept { return handle_.get(); }
    smem_trans_t release() noexcept { return handle_.release(); }

    // smem_trans_register_mem; smem_trans_deregister_mem. The end of the endpoint takes back the rest.
    void register_memory(void *address, std::size_t bytes) const
    {
        check(smem_trans_register_mem(handle(), address, bytes, 0), "smem_trans_register_mem");
    }
    void deregister_memory(void *address) const
    {
        check(smem_trans_deregister_mem(handle(), address), "smem_trans_deregister_mem");
    }
    // One-sided: smem_trans_write, smem_trans_read.
    void write(const void *local, const std::string &peer, void *remote, std::size_t bytes) const
    {
        check(smem_trans_write(handle(), local, peer.c_str(), remote, bytes, 0), "smem_trans_write");
    }
    void read(void *local, const std::string &peer, const void *remote, std::size_t bytes) const
    {
        check(smem_trans_read(handle(), local, peer.c_str(), remote, bytes, 0), "smem_trans_read");
    }
    // One-sided: mfx_trans_start of one piece; flags: MFX_TRANS_READ or 0. message: notification of the peer
    // after the data; empty: nothing.
    Transfer start(std::uint32_t flags, const std::string &peer, void *local, void *remote, std::size_t bytes,
                   const std::string &message = std::string()) const
    {
        return Transfer(mfx_trans_start(handle(), flags, peer.c_str(), &local, &remote, &bytes, 1,
                                        message.empty() ? nullptr : message.data(), message.size()));
    }

private:
    detail::Owned<smem_trans_t, detail::end_endpoint> handle_;
};

} // namespace mf_smem

#endif
