// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Results of calls of HMC: see hmc.h.
#ifndef HMC_STATUS_H
#define HMC_STATUS_H

namespace hmc {

// Returned by nearly all calls. What failed, with its values, is the text of last_error().
enum class status_t {
    SUCCESS = 0,        // it did what was asked for
    ERROR = 1,          // a range outside a buffer, a broken connection, a refused argument
    UNSUPPORT = 2,      // a kind of memory or an operation that this machine does not have
    INVALID_CONFIG = 3, // a number, an address or an option that can never be right
    TIMEOUT = 4,        // a deadline passed
    NOT_FOUND = 5       // a peer, a connection or an id that there is not
};

// Its name, which lasts as long as the process. Local.
inline const char *status_to_string(status_t status)
{
    switch (status) {
        case status_t::SUCCESS: return "Succeeded";
        case status_t::ERROR: return "Error";
        case status_t::UNSUPPORT: return "Unsupported";
        case status_t::INVALID_CONFIG: return "Invalid Config";
        case status_t::TIMEOUT: return "Timeout";
        case status_t::NOT_FOUND: return "Not Found";
    }
    return "Unknown Status";
}

} // namespace hmc

#endif
