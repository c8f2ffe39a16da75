// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Shared parts of the objects of mf_smem.hpp: the error, handles with one owner, mappings.
#ifndef MF_SMEM_OWNED_HPP
#define MF_SMEM_OWNED_HPP

#if defined(MF_SMEM_ABI)
#error "mf_smem.hpp is for the present interface; leave MF_SMEM_ABI undefined"
#endif

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "../smem/host/mfx.h"
#include "../smem/host/smem.h"

namespace mf_smem {

// Failure of a call: the code (SMEM_*, MFX_*), and the text, which names what failed, with its values.
class Error : public std::runtime_error {
public:
    Error(std::int32_t code, const std::string &text, std::uint32_t retry = MFX_RETRY_NEVER)
        : std::runtime_error(text), code_(code), retry_(retry)
    {
    }

    // The error of the call of this thread that failed last; what: the call, for where there is no text.
    static Error last(const char *what)
    {
        const std::int32_t code = smem_get_last_err_code();
        const std::string text = smem_get_last_err_msg();
        return Error(code == SMEM_OK ? SMEM_ERROR : code, text.empty() ? std::string(what) + " failed" : text,
                     mfx_last_error_retry());
    }

    std::int32_t code() const noexcept { return code_; }
    // Retry class: a number of mfx_retry_t.
    std::uint32_t retry() const noexcept { return retry_; }

private:
    std::int32_t code_;
    std::uint32_t retry_;
};

// Throws the error of a call that did not return SMEM_OK.
inline void check(std::int32_t code, const char *what)
{
    if (code == SMEM_OK) return;
    const Error last = Error::last(what);
    throw Error(code, last.what(), last.retry());
}

namespace detail {

// A handle with one owner. Ending gives it back, and is a function of C that cannot fail, or fails without
// consequence.
template <typename Handle, void (*end)(Handle)>
class Owned {
public:
    explicit Owned(Handle handle) noexcept : handle_(handle) {}
    Owned(Owned &&other) noexcept : handle_(other.release()) {}
    Owned &operator=(Owned &&other) noexcept
    {
        if (this != &other) reset(other.release());
        return *this;
    }
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    ~Owned() { reset(nullptr); }

    Handle get() const noexcept { return handle_; }
    // The handle, which is the caller's from now on.
    Handle release() noexcept { return std::exchange(handle_, nullptr); }
    void reset(Handle handle) noexcept
    {
        const Handle old = std::exchange(handle_, handle);
        if (old != nullptr) end(old);
    }

private:
    Handle handle_;
};

template <typename Handle>
Handle made(Handle handle, const char *what)
{
    if (handle == nullptr) throw Error::last(what);
    return handle;
}

// Membership that one object at a time begins and ends in this process.
template <void (*end)(std::uint32_t)>
class Begun {
public:
    Begun(Begun &&other) noexcept : is_mine_(std::exchange(other.is_mine_, false)) {}
    Begun &operator=(Begun &&other) noexcept
    {
        if (this != &other) {
            finish();
            is_mine_ = std::exchange(other.is_mine_, false);
        }
        return *this;
    }
    Begun(const Begun &) = delete;
    Begun &operator=(const Begun &) = delete;

protected:
    Begun() noexcept = default;
    ~Begun() { finish(); }

private:
    void finish() noexcept
    {
        if (std::exchange(is_mine_, false)) end(0);
    }
    bool is_mine_ = true;
};

} // namespace detail

// A mapping of a pool's or share's memory for the processor; it outlives the object. mfx_bm_map, mfx_shm_map;
// mfx_shm_unmap.
class Mapping {
public:
    Mapping(void *address, std::uint64_t bytes) noexcept : address_(address), bytes_(bytes) {}
    Mapping(Mapping &&other) noexcept
        : address_(std::exchange(other.address_, nullptr)), bytes_(std::exchange(other.bytes_, 0))
    {
    }
    Mapping &operator=(Mapping &&other) noexcept
    {
        std::swap(address_, other.address_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    Mapping(const Mapping &) = delete;
    Mapping &operator=(const Mapping &) = delete;
    ~Mapping()
    {
        if (address_ != nullptr) static_cast<void>(mfx_shm_unmap(address_, bytes_));
    }

    void *data() const noexcept { return address_; }
    std::uint64_t bytes() const noexcept { return bytes_; }

private:
    void *address_;
    std::uint64_t bytes_;
};

} // namespace mf_smem

#endif
