// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Included by programs of HMC as "../src/memories/mem_type.h": hmc.h, and lines of a log as by printf.
#ifndef HMC_MEM_TYPE_H
#define HMC_MEM_TYPE_H

#include <cstdarg>
#include <cstdio>

#include "../../hmc/hmc.h"

namespace hmc {

namespace detail {

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
inline void
log_line(std::FILE *to, const char *level, const char *format, ...)
{
    char line[1024];
    std::va_list values;
    va_start(values, format);
    static_cast<void>(std::vsnprintf(line, sizeof line, format, values));
    va_end(values);
    static_cast<void>(std::fprintf(to, "[%s] %s\n", level, line));
}

} // namespace detail

} // namespace hmc

#ifndef logError
#define logError(...) ::hmc::detail::log_line(stderr, "ERROR", __VA_ARGS__)
#endif
#ifndef logInfo
#define logInfo(...) ::hmc::detail::log_line(stdout, "INFO", __VA_ARGS__)
#endif
#ifndef logDebug
#define logDebug(...) ::hmc::detail::log_line(stderr, "DEBUG", __VA_ARGS__)
#endif

#endif
