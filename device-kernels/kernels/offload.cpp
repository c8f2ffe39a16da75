// SPDX-License-Identifier: Apache-2.0 OR MIT
// Copies of pieces of memory at addresses given in lists, for offload. Counts and lists are read when the
// kernel runs. Any number of blocks; not collective. The kernels cannot check addresses: a wrong one accesses
// other memory.
#include "mf_copy.h"
#include "mf_pieces.h"

namespace {

using Words = mf::List<uint64_t>;
using Halves = mf::List<uint32_t>;

static_assert(mf::Mover::UB_BYTES + 3 * Words::UB_BYTES + Halves::UB_BYTES <= mf::UB_BUDGET, "UB plan");

// The only element of a list.
__aicore__ inline uint32_t read_count(Halves &list, GM_ADDR from)
{
    list.read(from, 0, 1);
    mf::behind_batch();
    return static_cast<uint32_t>(list.at(0));
}

__aicore__ inline int64_t word_at(const Words &list, uint32_t place)
{
    return static_cast<int64_t>(list.at(place));
}

// One word, into a list that has been read before.
__aicore__ inline int64_t read_word(Words &list, GM_ADDR from)
{
    mf::before_batch(false);
    list.read(from, 0, 1);
    mf::behind_batch();
    return word_at(list, 0);
}

// Non-zero words of a list, which has been read before, in front of element `end`.
__aicore__ inline uint32_t count_before(Words &list, GM_ADDR from, uint32_t end)
{
    uint32_t found = 0;
    for (uint32_t done = 0; done < end; done += Words::BATCH) {
        const uint32_t now = mf::smaller(end - done, Words::BATCH);
        mf::before_batch(false);
        list.read(from, done, now);
        mf::behind_batch();
        for (uint32_t place = 0; place < now; place++) {
            found += list.at(place) != 0 ? 1 : 0;
        }
    }
    return found;
}

// Places of the 9 words of a component in the metadata of a key-value exchange.
enum Component : uint32_t {
    DEVICE_BASE,
    HOST_BASE,
    DEVICE_LAYER,
    DEVICE_PAGE,
    HOST_PAGE,
    HOST_LAYER,
    WIDTH,
    LAYER_LOW,
    LAYER_HIGH,
    COMPONENT_WORDS
};
constexpr int64_t MOST_COMPONENTS = 4;

// A page of a component: its layers that fall to this block.
__aicore__ inline void exchange_page(mf::Mover &mover, const Words &meta, uint32_t of, int64_t device_page, int64_t host_page,
                                     bool is_to_host, mf::Share mine)
{
    const int64_t width = word_at(meta, of + WIDTH);
    const int64_t low = word_at(meta, of + LAYER_LOW), high = word_at(meta, of + LAYER_HIGH);
    if (width <= 0 || low >= high) {
        return;
    }
    const mf::Slice layers = mf::slice_of(static_cast<uint64_t>(high - low), mine.part, mine.parts, 1);
    const int64_t first = low + static_cast<int64_t>(layers.begin);
    const int64_t device_step = word_at(meta, of + DEVICE_LAYER), host_step = word_at(meta, of + HOST_LAYER);
    const int64_t device_place = first * device_step + device_page * word_at(meta, of + DEVICE_PAGE);
    const int64_t host_place = first * host_step + host_page * word_at(meta, of + HOST_PAGE);
    GM_ADDR device = mf::address(static_cast<uint64_t>(word_at(meta, of + DEVICE_BASE) + device_place));
    GM_ADDR host = mf::address(static_cast<uint64_t>(word_at(meta, of + HOST_BASE) + host_place));
    const uint32_t rows = static_cast<uint32_t>(layers.bytes);
    const uint64_t bytes = static_cast<uint64_t>(width);
    const uint64_t device_bytes = static_cast<uint64_t>(device_step), host_bytes = static_cast<uint64_t>(host_step);
    if (is_to_host) {
        mover.copy_rows(host, device, rows, bytes, host_bytes, device_bytes);
    } else {
        mover.copy_rows(device, host, rows, bytes, device_bytes, host_bytes);
    }
}

} // namespace

// count[0] pieces: lengths[i] bytes from srcs[i] to dsts[i]. Addresses of uint64_t, aligned to 8 bytes;
// lengths and count of uint32_t, aligned to 4. A written piece must not overlap any other piece.
extern "C" __global__ __aicore__ void mf_offload_sparse_copy(GM_ADDR srcs, GM_ADDR dsts, GM_ADDR lengths, GM_ADDR count)
{
    MF_KERNEL_VECTOR_ALONE();
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    Words to(pipe), from(pipe);
    Halves bytes(pipe);
    const mf::Share mine = mf::share_of_block(read_count(bytes, count));
    for (uint32_t done = 0; done < mine.count; done += Words::BATCH) {
        const uint32_t now = mf::smaller(mine.count - done, Words::BATCH);
        mf::before_batch(false);
        to.read(dsts, mine.first + done, now);
        from.read(srcs, mine.first + done, now);
        bytes.read(lengths, mine.first + done, now);
        mf::behind_batch();
        for (uint32_t piece = 0; piece < now; piece++) {
            const mf::Slice slice = mf::slice_of(bytes.at(piece), mine.part, mine.parts);
            mover.copy(mf::address(to.at(piece)) + slice.begin, mf::address(from.at(piece)) + slice.begin, slice.bytes);
        }
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_offload_sparse_copy, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR)

// Of count[0] pieces those with a group other than 0: the j-th of them, lengths[i] bytes from srcs[i] to
// dsts[j], and packed[j] becomes groups[i]. Lists as above; groups and packed of int64_t, aligned to 8 bytes.
extern "C" __global__ __aicore__ void mf_offload_group_pack_copy(GM_ADDR srcs, GM_ADDR dsts, GM_ADDR lengths, GM_ADDR count,
                                                                 GM_ADDR groups, GM_ADDR packed)
{
    MF_KERNEL_VECTOR_ALONE();
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    Words to(pipe), from(pipe), group(pipe);
    Halves bytes(pipe);
    const mf::Share mine = mf::share_of_block(read_count(bytes, count));
    uint32_t place = mine.count == 0 ? 0 : count_before(group, groups, mine.first);
    for (uint32_t done = 0; done < mine.count; done += Words::BATCH) {
        const uint32_t first = mine.first + done;
        const uint32_t now = mf::smaller(mine.count - done, Words::BATCH);
        mf::before_batch(false);
        group.read(groups, first, now);
        from.read(srcs, first, now);
        bytes.read(lengths, first, now);
        mf::behind_batch();
        uint32_t kept = 0;
        for (uint32_t piece = 0; piece < now; piece++) {
            kept += group.at(piece) != 0 ? 1 : 0;
        }
        if (kept == 0) {
            continue;
        }
        mf::before_batch(false);
        to.read(dsts, place, kept);
        mf::behind_batch();
        for (uint32_t piece = 0, at = 0; piece < now; piece++) {
            if (group.at(piece) == 0) {
                continue;
            }
            const mf::Slice slice = mf::slice_of(bytes.at(piece), mine.part, mine.parts);
            mover.copy(mf::address(to.at(at)) + slice.begin, mf::address(from.at(piece)) + slice.begin, slice.bytes);
            if (mine.part == 0) {
                mover.copy(packed + sizeof(int64_t) * (uint64_t{place} + at), groups + sizeof(int64_t) * (uint64_t{first} + piece),
                           sizeof(int64_t));
            }
            at++;
        }
        place += kept;
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_offload_group_pack_copy, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR)

// Pages of key-value caches between device and host. `meta` has int64_t, aligned to 8 bytes: components (at
// most 4), pages, tokens of a page, direction (2: to the host), addresses of the token indices of the device
// and of the host; from `header_words` on the words of each component. The first token of a page has its
// number.
extern "C" __global__ __aicore__ void mf_offload_kv_exchange_copy(GM_ADDR meta, uint32_t header_words)
{
    MF_KERNEL_VECTOR_ALONE();
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    Words words(pipe), index(pipe);
    words.read(meta, 0, header_words);
    mf::behind_batch();
    const int64_t given = word_at(words, 0), pages = word_at(words, 1), page_tokens = word_at(words, 2);
    const int64_t components = given < MOST_COMPONENTS ? given : MOST_COMPONENTS;
    const bool is_to_host = word_at(words, 3) == 2;
    GM_ADDR devices = mf::address(words.at(4));
    GM_ADDR hosts = mf::address(words.at(5));
    if (components > 0 && pages > 0 && page_tokens > 0) {
        const uint32_t count = static_cast<uint32_t>(components) * COMPONENT_WORDS;
        mf::before_batch(false);
        words.read(meta, header_words, count);
        mf::behind_batch();
        const mf::Share mine = mf::share_of_block(static_cast<uint32_t>(pages < UINT32_MAX ? pages : UINT32_MAX));
        for (uint32_t page = mine.first; page < mine.first + mine.count; page++) {
            const uint64_t at = sizeof(int64_t) * page * static_cast<uint64_t>(page_tokens);
            const int64_t device = read_word(index, devices + at) / page_tokens;
            const int64_t host = read_word(index, hosts + at) / page_tokens;
            for (uint32_t component = 0; component < count; component += COMPONENT_WORDS) {
                exchange_page(mover, words, component, device, host, is_to_host, mine);
            }
        }
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_offload_kv_exchange_copy, GM_ADDR, uint32_t)

// Row i of `dst` becomes an entry of a table, for i below count[0] (uint32_t): the one of which ids[i] (8
// bytes, aligned to 8) has the number in its low 32 bits. The table is in slots, `slot_stride` bytes from one
// to the next from `pool` on, each with `rows_per_slot` entries of `entry_bytes` bytes.
extern "C" __global__ __aicore__ void mf_offload_entry_gather(GM_ADDR dst, GM_ADDR ids, GM_ADDR count, GM_ADDR pool,
                                                              uint64_t slot_stride, uint32_t entry_bytes, uint32_t rows_per_slot)
{
    MF_KERNEL_VECTOR_ALONE();
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    Words numbers(pipe);
    Halves counter(pipe);
    const mf::Share mine = mf::share_of_block(read_count(counter, count));
    const mf::Slice slice = mf::slice_of(entry_bytes, mine.part, mine.parts);
    for (uint32_t done = 0; done < mine.count; done += Words::BATCH) {
        const uint32_t now = mf::smaller(mine.count - done, Words::BATCH);
        mf::before_batch(false);
        numbers.read(ids, mine.first + done, now);
        mf::behind_batch();
        for (uint32_t row = 0; row < now; row++) {
            const uint32_t id = static_cast<uint32_t>(numbers.at(row));
            const uint64_t entry = id / rows_per_slot * slot_stride + uint64_t{id % rows_per_slot} * entry_bytes;
            mover.copy(dst + (uint64_t{mine.first} + done + row) * entry_bytes + slice.begin, pool + entry + slice.begin,
                       slice.bytes);
        }
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_offload_entry_gather, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint64_t, uint32_t, uint32_t)
