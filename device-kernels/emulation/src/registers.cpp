// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "registers.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>

#include "blocks.h"
#include "core.h"

namespace mf::emulation {

thread_local Traces *traces = nullptr;

namespace {

constexpr uint32_t WORD_BITS = 64;

bool has_bit(const std::vector<uint64_t> &bits, uint32_t at) { return (bits[at / WORD_BITS] >> at % WORD_BITS & 1) != 0; }
void mark_bits(std::vector<uint64_t> &bits, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end;) {
        const bool is_whole = at % WORD_BITS == 0 && end - at >= WORD_BITS;
        bits[at / WORD_BITS] |= is_whole ? ~uint64_t{0} : uint64_t{1} << at % WORD_BITS;
        at += is_whole ? WORD_BITS : 1;
    }
}

// The place of a byte in the order of a map: the next set or clear one.
uint32_t next_bit(const std::vector<uint64_t> &bits, uint32_t at, bool is_set)
{
    const auto size = static_cast<uint32_t>(bits.size() * WORD_BITS);
    while (at < size) {
        const uint64_t word = is_set ? bits[at / WORD_BITS] : ~bits[at / WORD_BITS];
        const uint64_t rest = word & ~uint64_t{0} << at % WORD_BITS;
        if (rest != 0)
            return at / WORD_BITS * WORD_BITS + static_cast<uint32_t>(__builtin_ctzll(rest));
        at = (at / WORD_BITS + 1) * WORD_BITS;
    }
    return size;
}

// Makes the traces the thread's, and restores the count register at the end.
class Tracing {
  public:
    explicit Tracing(Traces &own) : squeezed_(squeezed_bytes()) { traces = &own; }
    ~Tracing()
    {
        traces = nullptr;
        squeezed_bytes() = squeezed_;
    }
    Tracing(const Tracing &) = delete;
    Tracing &operator=(const Tracing &) = delete;

  private:
    const SqueezedBytes squeezed_;
};

void check_has_registers(const char *name, Site at)
{
    if (!place().is_vector)
        fault("K17", at, "%s: this is a cube core, which has no vector unit; guard it by ASCEND_IS_AIV", name);
}

uint32_t ub_end() { return static_cast<uint32_t>(local_bytes(Space::Ub)); }

} // namespace

void fault_in_registers(const char *rule, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fault(rule, core().executing != nullptr ? core().executing->site : core().last, "%s", text);
}

Traces::Traces(bool has_memory)
    : has_memory_(has_memory), read_((ub_end() + WORD_BITS - 1) / WORD_BITS), written_(read_.size()), unordered_(read_.size())
{
}

void Traces::load(const char *name, const void *reg, uint32_t from, uint32_t bytes)
{
    for (uint32_t at = from; at < from + bytes; at++) {
        if (has_bit(unordered_, at) && stored_from_[at / BLOCK] != reg)
            fault_in_registers("K8",
                               "hazard: %s reads byte %u of the unified buffer, which the function has stored before, and nothing "
                               "orders the two: LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>() is missing",
                               name, at);
        if (!has_bit(written_, at))
            mark_bits(read_, at, at + 1);
    }
}

void Traces::store(const void *reg, uint32_t to, uint32_t bytes)
{
    if (stored_from_.empty())
        stored_from_.resize((ub_end() + BLOCK - 1) / BLOCK);
    if (has_memory_) {
        const uint8_t *memory = local(Space::Ub, to);
        before_.push_back({to, {memory, memory + bytes}});
    }
    mark_bits(written_, to, to + bytes);
    mark_bits(unordered_, to, to + bytes);
    for (uint32_t block = to / BLOCK; block * BLOCK < to + bytes; block++)
        stored_from_[block] = reg;
}

void Traces::order_stores() { std::fill(unordered_.begin(), unordered_.end(), 0); }

std::vector<Access> Traces::runs(const Bits &bits, Mode mode)
{
    std::vector<Access> found;
    const auto size = static_cast<uint32_t>(bits.size() * WORD_BITS);
    for (uint32_t begin = next_bit(bits, 0, true); begin < size;) {
        const uint32_t end = next_bit(bits, begin, false), bytes = end - begin;
        Access *last = found.empty() ? nullptr : &found.back();
        const uint64_t step = last != nullptr ? begin - (last->begin + (last->rows - 1) * last->step) : 0;
        if (last != nullptr && last->bytes == bytes && (last->rows == 1 || last->step == step)) {
            last->step = step;
            last->rows++;
        } else {
            found.push_back({Space::Ub, mode, begin, bytes});
        }
        begin = next_bit(bits, end, true);
    }
    return found;
}

std::vector<Access> Traces::accesses() const
{
    std::vector<Access> all = runs(read_, Mode::Read);
    for (const Access &one : runs(written_, Mode::Write))
        all.push_back(one);
    return all;
}

std::vector<Traces::Piece> Traces::written() const
{
    std::vector<Piece> pieces;
    const auto size = static_cast<uint32_t>(written_.size() * WORD_BITS);
    for (uint32_t begin = next_bit(written_, 0, true); begin < size;) {
        const uint32_t end = next_bit(written_, begin, false);
        const uint8_t *memory = local(Space::Ub, begin);
        pieces.push_back({begin, {memory, memory + (end - begin)}});
        begin = next_bit(written_, end, true);
    }
    return pieces;
}

void Traces::take_back()
{
    for (auto piece = before_.rbegin(); piece != before_.rend(); ++piece)
        std::copy(piece->bytes.begin(), piece->bytes.end(), local(Space::Ub, piece->begin));
    before_.clear();
}

void check_register_address(const char *name, uint32_t at, uint32_t alignment)
{
    if (at % alignment != 0)
        fault_in_registers("K4", "%s: the address %u is not a multiple of %u", name, at, alignment);
}

static void check_in_ub(const char *name, uint32_t at, uint32_t bytes)
{
    if (at > ub_end() || bytes > ub_end() - at)
        fault_in_registers("K5", "%s: %u bytes at byte %u of the unified buffer, which has %u", name, bytes, at, ub_end());
}

uint32_t within_ub(const char *name, uint64_t at)
{
    if (at >= ub_end())
        fault_in_registers("K5", "%s: an index leads to byte %llu of the unified buffer, which has %u", name,
                           static_cast<unsigned long long>(at), ub_end());
    return static_cast<uint32_t>(at);
}

void load_register(const char *name, const void *reg, void *into, uint32_t from, uint32_t bytes, uint32_t counted,
                   uint32_t alignment)
{
    check_register_address(name, from, alignment);
    check_in_ub(name, from, counted);
    if (traces != nullptr)
        traces->load(name, reg, from, counted);
    std::memset(into, 0, bytes);
    if (traces == nullptr || traces->has_memory())
        std::memcpy(into, local(Space::Ub, from), std::min(bytes, ub_end() - from));
}

void store_register(const char *name, const void *reg, uint32_t to, const void *bytes, uint32_t count)
{
    check_in_ub(name, to, count);
    if (traces != nullptr)
        traces->store(reg, to, count);
    if (traces == nullptr || traces->has_memory())
        std::memcpy(local(Space::Ub, to), bytes, count);
}

SqueezedBytes &squeezed_bytes()
{
    thread_local SqueezedBytes bytes;
    return bytes;
}

void call_registers(const char *name, Site at, std::function<void()> function)
{
    if (core().leaving)
        return;
    check_has_registers(name, at);
    core().last = at;
    if (is_eager()) {
        function();
        return check_access({Pipe::Vector, name, at}, {Space::Ub, Mode::Write, 0, 0});
    }
    const Head head = {Pipe::Vector, name, at};
    Traces found(false);
    {
        const Tracing tracing(found);
        function();
    }
    if (!found.needs_values())
        return issue_all(head, found.accesses(), std::move(function));
    const auto find = [function, head] {
        Traces exact(true);
        {
            const Tracing tracing(exact);
            // Faults name the call, which may be an earlier one.
            core().executing = &head;
            function();
            core().executing = nullptr;
        }
        exact.take_back();
        return exact.accesses();
    };
    issue_found(head, find, function);
}

RegisterScope::RegisterScope(Site at) : head_{Pipe::Vector, "__VEC_SCOPE__", at}, exceptions_(std::uncaught_exceptions())
{
    if (core().leaving)
        return;
    check_has_registers(head_.name, at);
    core().last = at;
    if (is_eager())
        return;
    bring_up(Pipe::Vector, head_.name, at);
    own_ = new Traces(true);
    traces = own_;
}

RegisterScope::~RegisterScope() noexcept(false)
{
    // Left by `return` or `break`.
    if (is_open_ && std::uncaught_exceptions() == exceptions_)
        close();
    if (own_ != nullptr)
        traces = nullptr;
    delete own_;
}

void RegisterScope::close()
{
    is_open_ = false;
    if (own_ == nullptr)
        return;
    traces = nullptr;
    const std::unique_ptr<Traces> own(own_);
    own_ = nullptr;
    std::vector<Traces::Piece> pieces = own->written();
    own->take_back();
    issue_all(head_, own->accesses(), [pieces = std::move(pieces)] {
        for (const Traces::Piece &piece : pieces)
            std::copy(piece.bytes.begin(), piece.bytes.end(), local(Space::Ub, piece.begin));
    });
}

} // namespace mf::emulation
