// SPDX-License-Identifier: Apache-2.0 OR MIT
// Bytes between local and global memory.
#include <cstring>
#include <numeric>

#include "core.h"
#include "host.h"
#include "visibility.h"

namespace mf::emulation {
namespace {

template <typename Word> void combine_words(Combine how, Type type, uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    for (uint64_t done = 0; done + sizeof(Word) <= bytes; done += sizeof(Word)) {
        Word *at = reinterpret_cast<Word *>(to + done);
        Word before = __atomic_load_n(at, __ATOMIC_RELAXED), after, own;
        std::memcpy(&own, from + done, sizeof own);
        do
            combine(how, type, &after, &before, &own, 1);
        while (!__atomic_compare_exchange_n(at, &before, after, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    }
}

// Element by element with the host's atomics, against other cores and other processes.
void combine_row(Combine how, Type type, uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    switch (bytes_of(type)) {
    case 1:
        return combine_words<uint8_t>(how, type, to, from, bytes);
    case 2:
        return combine_words<uint16_t>(how, type, to, from, bytes);
    case 4:
        return combine_words<uint32_t>(how, type, to, from, bytes);
    default:
        return combine_words<uint64_t>(how, type, to, from, bytes);
    }
}

constexpr uint64_t PIECE = 32;

#if defined(__SANITIZE_THREAD__)
#define MF_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MF_THREAD_SANITIZER 1
#endif
#endif

// Device memory may change concurrently: a race that hardware permits would be reported by the thread
// sanitizer.
inline void copy_bytes(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
#ifdef MF_THREAD_SANITIZER
    uint64_t done = 0;
    const auto both = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from);
    for (; both % 8 == 0 && done + 8 <= bytes; done += 8)
        __atomic_store_n(reinterpret_cast<uint64_t *>(to + done),
                         __atomic_load_n(reinterpret_cast<const uint64_t *>(from + done), __ATOMIC_RELAXED),
                         __ATOMIC_RELAXED);
    for (; done < bytes; done++)
        __atomic_store_n(to + done, __atomic_load_n(from + done, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
#else
    std::memcpy(to, from, bytes);
#endif
}

// A step with which one reaches each of `count` pieces, in an order that appears random.
uint64_t stride_over(uint64_t count)
{
    uint64_t stride = (count * 5 / 8) | 1;
    while (std::gcd(stride, count) != 1)
        stride += 2;
    return stride;
}

// The order within a copy is unspecified.
void copy_row(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    const uint64_t count = bytes / PIECE;
    if (core().eager || count < 2)
        return copy_bytes(to, from, bytes);
    copy_bytes(to + count * PIECE, from + count * PIECE, bytes % PIECE);
    const uint64_t stride = stride_over(count);
    uint64_t piece = core().random.below(count);
    for (uint64_t done = 0; done < count; done++) {
        copy_bytes(to + piece * PIECE, from + piece * PIECE, PIECE);
        piece += stride;
        if (piece >= count)
            piece -= count;
    }
}

// Of the call that moves them.
Site site()
{
    const Head *head = core().executing;
    return head != nullptr ? head->site : Site{nullptr, 0};
}

// Calls move(local, global) for each row, visiting all of them at once where they are in one mapping.
template <typename Move> void rows_of(uint64_t global, const Rows &rows, uint8_t *local, int access, Move move)
{
    if (rows.rows == 0 || rows.bytes == 0)
        return;
    const uint64_t span = (rows.rows - 1) * rows.global_step + rows.bytes;
    const bool in_one = visit(global, span, access, [&](uint8_t *at) {
        for (uint64_t row = 0; row < rows.rows; row++)
            move(local + row * rows.local_step, at + row * rows.global_step, rows.bytes);
    });
    if (in_one)
        return;
    for (uint64_t row = 0; row < rows.rows; row++) {
        uint64_t done = 0;
        const uint64_t begin = global + row * rows.global_step;
        while (done < rows.bytes) {
            const uint64_t there = host().extent(begin + done);
            const uint64_t step = there < rows.bytes - done ? there : rows.bytes - done;
            uint8_t *own = local + row * rows.local_step + done;
            if (step == 0 || !visit(begin + done, step, access, [&](uint8_t *at) { move(own, at, step); }))
                fault("K5", site(), "the device may not %s %s", access == MFK_READ ? "read" : "write",
                      name_of(begin + done).c_str());
            done += step;
        }
    }
}

} // namespace

void global_read(Space space, uint64_t offset, uint64_t global, const Rows &rows)
{
    global_read_to(local(space, offset), global, rows);
}

void global_read_to(uint8_t *to, uint64_t global, const Rows &rows)
{
    rows_of(global, rows, to, MFK_READ,
            [](uint8_t *own, uint8_t *at, uint64_t bytes) { copy_row(own, at, bytes); });
    if (core().may_acquire)
        core().view->has_read(global, to, rows.bytes);
}

void global_write(uint64_t global, Space space, uint64_t offset, const Rows &rows, Combine how, Type type)
{
    global_write_from(global, local(space, offset), rows, how, type);
}

void global_write_from(uint64_t global, const uint8_t *from, const Rows &rows, Combine how, Type type)
{
    rows_of(global, rows, const_cast<uint8_t *>(from), MFK_READ | MFK_WRITE,
            [&](uint8_t *own, uint8_t *at, uint64_t bytes) {
                const auto move = [&] {
                    if (how == Combine::Set)
                        copy_row(at, own, bytes);
                    else
                        combine_row(how, type, at, own, bytes);
                };
                if (core().passes_on == nullptr)
                    move();
                else
                    core().view->all.write(global, at, bytes, core().passes_on, nullptr, move);
            });
}

} // namespace mf::emulation
