// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "sites.h"

#include <mutex>
#include <set>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "core.h"

namespace mf::emulation {
namespace {

std::mutex sites_lock;
// By the file that they were noted in, because the variable may change between launches.
std::set<std::string> noted;
std::string fresh;

} // namespace

bool leaves_out(const char *name, Site at)
{
    const Core &here = core();
    if (here.left_out.empty() && here.sites.empty())
        return false;
    const std::string place = text_of(at);
    if (!here.sites.empty()) {
        std::lock_guard<std::mutex> guard(sites_lock);
        if (noted.insert(here.sites + "\n" + place + " " + name).second)
            fresh += place + " " + name + "\n";
    }
    return !here.left_out.empty() && place == here.left_out;
}

bool is_left_out(Site at)
{
    return !core().leaving && leaves_out("synchronisation", at);
}

void note_sites()
{
    const std::string &path = core().sites;
    if (path.empty())
        return;
    std::lock_guard<std::mutex> guard(sites_lock);
    if (fresh.empty())
        return;
    const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0)
        return;
    // One call, so that lines of several processes do not mix.
    if (::write(file, fresh.data(), fresh.size()) == static_cast<ssize_t>(fresh.size()))
        fresh.clear();
    close(file);
}

} // namespace mf::emulation
