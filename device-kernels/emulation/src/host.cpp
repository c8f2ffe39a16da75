// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "host.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../../include/mf_control.h"

namespace mf::emulation {
namespace {

const mfk_host *table = nullptr;

// The meta area, where kernels too find the objects of shared memory.
constexpr uint64_t META_END = 0x180000000000ull - (1ull << 30);
constexpr uint64_t META_ADDRESS = META_END - (32ull << 20);
constexpr uint64_t RECORD_BYTES = 128;
constexpr uint64_t SHARE_OBJECTS = 64;
constexpr uint64_t RECORD_RANKS = 8;
constexpr uint64_t RECORD_SYMMETRIC = 16;

template <typename T> T field(const uint8_t *record, uint64_t offset)
{
    T value;
    std::memcpy(&value, record + offset, sizeof value);
    return value;
}

std::string place_in_object(uint64_t object, const uint8_t *record, uint64_t address)
{
    const uint64_t ranks = field<uint32_t>(record, RECORD_RANKS);
    const auto place = [&](uint64_t base, uint64_t step, const char *what) -> std::string {
        if (ranks == 0 || base == 0 || step == 0 || address < base || (address - base) / step >= ranks)
            return {};
        char text[160];
        std::snprintf(text, sizeof text, "rank %llu, byte %#llx of %sshare memory %llu (%#llx)",
                      (unsigned long long)((address - base) / step), (unsigned long long)((address - base) % step),
                      what, (unsigned long long)object, (unsigned long long)address);
        return text;
    };
    std::string name = place(field<uint64_t>(record, MF_META_BASE), field<uint64_t>(record, RECORD_SYMMETRIC), "");
    if (name.empty())
        name = place(field<uint64_t>(record, MF_META_CONTROL_BASE), field<uint64_t>(record, MF_META_CONTROL_STRIDE),
                     "the control area of ");
    return name;
}

// Calls body(id, record) for each object.
template <typename Body> void each_record(Body body)
{
    for (uint64_t object = 0; object < SHARE_OBJECTS; object++) {
        uint8_t record[RECORD_BYTES];
        const uint64_t at = META_ADDRESS + RECORD_BYTES * (object + 1);
        if (!visit(at, RECORD_BYTES, MFK_READ, [&](uint8_t *from) { std::memcpy(record, from, RECORD_BYTES); }))
            break;
        body(object, record);
    }
}

} // namespace

const mfk_host &host()
{
    return *table;
}

uint64_t reachable(uint64_t address, uint64_t most)
{
    uint64_t found = 0;
    while (found < most) {
        const uint64_t more = host().extent(address + found);
        if (more == 0)
            break;
        found += std::min(more, most - found);
    }
    return found;
}

std::string name_of(uint64_t address)
{
    std::string name;
    each_record([&](uint64_t object, const uint8_t *record) {
        if (name.empty())
            name = place_in_object(object, record, address);
    });
    if (!name.empty())
        return name;
    char text[256];
    host().name_address(address, text, sizeof text);
    return text;
}

bool is_report(uint64_t address)
{
    bool is_one = false;
    each_record([&](uint64_t, const uint8_t *record) {
        const auto base = field<uint64_t>(record, MF_META_CONTROL_BASE), step = field<uint64_t>(record, MF_META_CONTROL_STRIDE);
        is_one |= base != 0 && step != 0 && address >= base && (address - base) % step / MF_CONTROL_LINE == MF_CONTROL_REPORT / MF_CONTROL_LINE &&
                  (address - base) / step < field<uint32_t>(record, RECORD_RANKS);
    });
    return is_one;
}

} // namespace mf::emulation

// Refuses simulators that are too old for the emulation.
extern "C" __attribute__((visibility("default"))) int mfk_attach(const mfk_host *offered)
{
    if (offered->version < 2 || offered->bytes < sizeof *offered)
        return 1;
    mf::emulation::table = offered;
    return 0;
}
