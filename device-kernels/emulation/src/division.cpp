// SPDX-License-Identifier: Apache-2.0 OR MIT
// The scalar unit is not documented to trap a division by zero, and templates of others divide by the count
// of tiles of a block that does not exist. x86 traps it, and the program would end: the handler of the
// signal gives the quotient 0 and the dividend as remainder, as AArch64 does; the kernel's end warns of it.
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ucontext.h>

#include "core.h"
#include "engine.h"
#include "traps.h"

namespace mf::emulation {

#if defined(__x86_64__)

namespace {

// Places of the registers by their number in an instruction.
constexpr int REGISTERS[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

// A DIV or IDIV instruction.
struct Division {
    unsigned bytes = 0; // of a number; 0: it is another instruction
    unsigned length = 0;
    uint64_t divisor = 0;
};

template <typename T> T read_at(const uint8_t *place)
{
    T value;
    std::memcpy(&value, place, sizeof value);
    return value;
}

Division decode(const uint8_t *begin, const greg_t *registers)
{
    const uint8_t *at = begin;
    const bool is_short = *at == 0x66;
    at += is_short ? 1 : 0;
    const uint8_t rex = (*at & 0xf0) == 0x40 ? *at++ : 0;
    const uint8_t opcode = *at++, form = *at++;
    const unsigned mode = form >> 6, which = form >> 3 & 7, low = form & 7;
    if ((opcode != 0xf6 && opcode != 0xf7) || which < 6)
        return {};
    Division found;
    found.bytes = opcode == 0xf6 ? 1 : (rex & 8) != 0 ? 8 : is_short ? 2 : 4;
    const auto of = [&](unsigned number, unsigned extension) {
        return static_cast<uint64_t>(registers[REGISTERS[number | (extension != 0 ? 8u : 0u)]]);
    };
    if (mode == 3) {
        // Without REX the numbers 4 to 7 are the second bytes of the first four registers.
        const bool is_second = found.bytes == 1 && rex == 0 && low >= 4;
        found.divisor = is_second ? of(low - 4, 0) >> 8 : of(low, rex & 1);
        found.length = static_cast<unsigned>(at - begin);
    } else {
        uint64_t address = 0;
        bool has_base = true;
        if (low == 4) {
            const uint8_t scaled = *at++;
            const unsigned index = scaled >> 3 & 7, base = scaled & 7;
            if (index != 4 || (rex & 2) != 0)
                address += of(index, rex & 2) << (scaled >> 6);
            has_base = base != 5 || mode != 0;
            address += has_base ? of(base, rex & 1) : 0;
        } else {
            has_base = low != 5 || mode != 0;
            address += has_base ? of(low, rex & 1) : 0;
        }
        if (mode == 1)
            address += static_cast<uint64_t>(int64_t{read_at<int8_t>(at)}), at += 1;
        else if (mode == 2 || !has_base)
            address += static_cast<uint64_t>(int64_t{read_at<int32_t>(at)}), at += 4;
        found.length = static_cast<unsigned>(at - begin);
        if (!has_base && low == 5)
            address += reinterpret_cast<uint64_t>(at);
        std::memcpy(&found.divisor, reinterpret_cast<const void *>(address), found.bytes);
    }
    if (found.bytes < 8)
        found.divisor &= (uint64_t{1} << 8 * found.bytes) - 1;
    return found;
}

// The low part of a register of an instruction of `bytes`: 4 clear the rest of it, 1 and 2 keep it.
void set_low(greg_t &place, unsigned bytes, uint64_t value)
{
    const uint64_t mask = bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * bytes) - 1, old = static_cast<uint64_t>(place);
    place = static_cast<greg_t>(bytes == 4 ? value & mask : (old & ~mask) | (value & mask));
}

} // namespace

bool pass_division_by_zero(const siginfo_t &info, void *context)
{
    greg_t *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    Division division;
    if (running != nullptr && info.si_code == FPE_INTDIV)
        division = decode(reinterpret_cast<const uint8_t *>(registers[REG_RIP]), registers);
    if (division.bytes == 0)
        return false;
    const uint64_t dividend = static_cast<uint64_t>(registers[REG_RAX]);
    // Otherwise the least number was divided by -1: the quotient is the dividend, and nothing remains.
    const bool is_by_zero = division.divisor == 0;
    const uint64_t quotient = is_by_zero ? 0 : dividend, remainder = is_by_zero ? dividend : 0;
    if (division.bytes == 1) {
        set_low(registers[REG_RAX], 2, (quotient & 0xff) | (remainder & 0xff) << 8);
    } else {
        set_low(registers[REG_RAX], division.bytes, quotient);
        set_low(registers[REG_RDX], division.bytes, remainder);
    }
    registers[REG_RIP] += division.length;
    if (is_by_zero && !running->has_divided_by_zero) {
        running->has_divided_by_zero = true;
        running->divided_behind = running->last;
    }
    return true;
}

#else

bool pass_division_by_zero(const siginfo_t &, void *)
{
    return false;
}

#endif

} // namespace mf::emulation
