// SPDX-License-Identifier: Apache-2.0 OR MIT
// Words of global memory that the scalar code reads, writes and changes past its data cache.
#include <cstring>

#include "core.h"
#include "data_cache.h"
#include "host.h"
#include "order.h"
#include "visibility.h"

namespace mf::emulation {
namespace {

void check_word(const char *name, Mode mode, uint64_t global, uint32_t bytes, Site at)
{
    if (global % bytes != 0)
        fault("K4", at, "%s: the address 0x%llx is no multiple of %u", name, static_cast<unsigned long long>(global), bytes);
    scalar_access(name, {Space::Global, mode, global, bytes}, at);
}

// Updates the core's knowledge after a read of a word.
void has_read(uint64_t global, uint32_t bytes, const void *value)
{
    if (core().view != nullptr)
        core().view->has_read(global, static_cast<const uint8_t *>(value), bytes);
}

void overwrite_cached(Mode mode, uint64_t global, uint32_t bytes, const char *name, Site at)
{
    if (mode != Mode::Read && core().cache != nullptr)
        core().cache->overwrite({Pipe::Scalar, name, at}, {Space::Global, mode, global, bytes});
}

// Makes the core's change of a word visible to others.
template <typename Body> void at_word(const char *name, uint64_t global, uint32_t bytes, int access, Site at, Body body)
{
    Snapshot known;
    if ((access & MFK_WRITE) != 0 && core().order != nullptr)
        known = core().order->release({Release::Sort::Store, Pipe::Scalar, name, at});
    auto both = [&](uint8_t *where) {
        if (known == nullptr)
            body(where);
        else
            core().view->all.write(global, where, bytes, known, nullptr, [&] { body(where); });
    };
    if (!visit(global, bytes, access, both))
        fault("K5", at, "%s: the device may not %s %s", name, access == MFK_READ ? "read" : "change", name_of(global).c_str());
}

template <typename Word>
Word changed(uint8_t *where, Type type, WordChange how, Word value, Word expected)
{
    Word *word = reinterpret_cast<Word *>(where);
    if (how == WordChange::Exchange)
        return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
    if (how == WordChange::CompareExchange) {
        __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        return expected;
    }
    const Combine by = how == WordChange::Add ? Combine::Add : how == WordChange::Max ? Combine::Max : Combine::Min;
    Word before = __atomic_load_n(word, __ATOMIC_RELAXED), after;
    do
        combine(by, type, &after, &before, &value, 1);
    while (!__atomic_compare_exchange_n(word, &before, after, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return before;
}

template <typename Word>
void change(uint8_t *where, Type type, WordChange how, const void *value, const void *expected, void *before)
{
    Word own, wanted = 0;
    std::memcpy(&own, value, sizeof own);
    if (expected != nullptr)
        std::memcpy(&wanted, expected, sizeof wanted);
    const Word was = changed<Word>(where, type, how, own, wanted);
    std::memcpy(before, &was, sizeof was);
}

} // namespace

void past_cache(const char *name, Mode mode, uint64_t global, uint32_t bytes, void *value, Site at)
{
    std::memset(value, 0, mode == Mode::Read ? bytes : 0);
    if (core().leaving)
        return;
    check_word(name, mode, global, bytes, at);
    overwrite_cached(mode, global, bytes, name, at);
    // A block that polls by this waits for others.
    if (mode == Mode::Read)
        waiting(nullptr, at);
    at_word(name, global, bytes, mode == Mode::Read ? MFK_READ : MFK_WRITE, at, [&](uint8_t *where) {
        const auto move = [&](auto word) {
            using Word = decltype(word);
            Word *there = reinterpret_cast<Word *>(where);
            if (mode == Mode::Read) {
                word = __atomic_load_n(there, __ATOMIC_ACQUIRE);
                std::memcpy(value, &word, sizeof word);
            } else {
                std::memcpy(&word, value, sizeof word);
                __atomic_store_n(there, word, __ATOMIC_RELEASE);
            }
        };
        switch (bytes) {
        case 1: return move(uint8_t{});
        case 2: return move(uint16_t{});
        case 4: return move(uint32_t{});
        default: return move(uint64_t{});
        }
    });
    if (mode == Mode::Read)
        has_read(global, bytes, value);
    else
        made_progress();
}

void change_word(const char *name, uint64_t global, Type type, WordChange how, const void *value, const void *expected,
                 void *before, Site at)
{
    const uint32_t bytes = bytes_of(type);
    std::memset(before, 0, bytes);
    if (core().leaving)
        return;
    check_word(name, Mode::AtomicWrite, global, bytes, at);
    overwrite_cached(Mode::AtomicWrite, global, bytes, name, at);
    at_word(name, global, bytes, MFK_READ | MFK_WRITE, at, [&](uint8_t *where) {
        if (bytes == 4)
            change<uint32_t>(where, type, how, value, expected, before);
        else
            change<uint64_t>(where, type, how, value, expected, before);
    });
    has_read(global, bytes, before);
    // A lock that is taken by these is a wait for others, too.
    waiting(nullptr, at);
    made_progress();
}

} // namespace mf::emulation
