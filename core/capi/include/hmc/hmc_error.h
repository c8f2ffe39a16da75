// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Exception of constructors, and the text of the last failure: see hmc.h.
#ifndef HMC_ERROR_H
#define HMC_ERROR_H

#include <cstdint>
#include <stdexcept>
#include <string>

// In C a structure may be called as a function is; programs may be compiled with -Wshadow.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include "../smem/host/mfx_hmc.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#include "../smem/host/smem.h"
#include "status.h"

namespace hmc {

// The text of the call of this thread that failed last: what failed, with its values; empty before, and
// behind main. Local.
inline std::string last_error() { return smem_get_last_err_msg(); }

// Thrown where a call has no status to return: by constructors, and by Memory::setDeviceIdAndMemoryType.
class Error : public std::runtime_error {
public:
    Error(status_t status, const std::string &text) : std::runtime_error(text), status_(status) {}
    status_t status() const noexcept { return status_; }

private:
    status_t status_;
};

namespace detail {

// The status of a call of C; an unknown number is ERROR.
inline status_t status_of(std::int32_t number)
{
    const bool is_known = number >= 0 && number <= static_cast<std::int32_t>(status_t::NOT_FOUND);
    return is_known ? static_cast<status_t>(number) : status_t::ERROR;
}

// For calls that return ERROR for every reason.
inline status_t done_or_error(std::int32_t number) { return number == 0 ? status_t::SUCCESS : status_t::ERROR; }

// Throws the error of a call of C that failed.
inline void check(std::int32_t number, const char *what)
{
    if (number == 0) return;
    const std::string text = last_error();
    throw Error(status_of(number), text.empty() ? std::string(what) + " failed" : text);
}

} // namespace detail

} // namespace hmc

#endif
