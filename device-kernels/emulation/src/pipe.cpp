// SPDX-License-Identifier: Apache-2.0 OR MIT
// TPipe: buffers (K3) and the numbers of flags.
#include "../include/ascendc/buffers.h"
#include "core.h"
#include "order.h"

namespace mf::emulation {
namespace {

constexpr int32_t IDS = 6;

} // namespace

void Buffers::begin(Site at) {
    if (core().leaving)
        return;
    if (core().pipe != nullptr)
        fault("K3", at, "the kernel makes a second TPipe before it destroys the first; a core has one");
    core().pipe = this;
    is_begun_ = true;
    give_credits(at);
}

void Buffers::end(Site at) {
    if (!is_begun_)
        return;
    is_begun_ = false;
    Core &here = core();
    here.pipe = nullptr;
    if (here.leaving)
        return;
    if (here.order != nullptr) {
        check_cancelled();
        settle_references(here);
        take_credits(at);
        here.order->end_pipe();
    }
    for (const Queue &queue : queues_)
        queue.forget(at);
    queues_.clear();
    free_all_buffers();
}

// On the cube core the first three flags M_MTE1 are set while there is a TPipe: Matmul begins with them.
constexpr int32_t CREDITS = 3;
constexpr uint8_t CREDIT_BITS = (1 << CREDITS) - 1;
constexpr size_t CREDIT = static_cast<size_t>(AscendC::HardEvent::M_MTE1);

void Buffers::give_credits(Site at) {
    if (!place().is_cube || core().order == nullptr)
        return;
    for (int32_t id = 0; id < CREDITS; id++)
        core().order->set(Pipe::Cube, Pipe::Mte1, id, at);
    taken_[CREDIT] = static_cast<uint8_t>(taken_[CREDIT] | CREDIT_BITS);
}

void Buffers::take_credits(Site at) {
    if (!place().is_cube)
        return;
    for (int32_t id = 0; id < CREDITS; id++)
        core().order->wait(Pipe::Cube, Pipe::Mte1, id, at);
    taken_[CREDIT] = static_cast<uint8_t>(taken_[CREDIT] & ~CREDIT_BITS);
}

LocalRange Buffers::allocate(Space space, uint32_t count, uint64_t bytes, const char *what, Site at) {
    LocalRange range;
    if (core().leaving)
        return range;
    const std::string made = std::string(what) + " of " + text_of(at);
    if (count == 0)
        fault("K3", at, "%s has 0 buffers", made.c_str());
    const uint64_t rounded = round_up_to_block(bytes);
    uint64_t first = 0;
    for (uint32_t index = 0; index < count; index++) {
        const std::string name =
            count == 1 ? made : "buffer " + std::to_string(index) + " of " + std::to_string(count) + " of the " + made;
        const uint64_t begin = mf::emulation::allocate(space, rounded, name.c_str(), at);
        first = index == 0 ? begin : first;
    }
    range.space = space;
    range.offset = range.buffer_begin = static_cast<uint32_t>(first);
    range.buffer_end = static_cast<uint32_t>(first + rounded * count);
    return range;
}

LocalRange Buffers::rest_of(Space space, Site at) {
    LocalRange range;
    if (core().leaving)
        return range;
    const uint64_t begin = core().allocated[static_cast<int>(space)], end = usable_bytes(space);
    if (begin >= end)
        fault("K3", at, "PopStackBuffer: the buffers have all of %s", space_name(space));
    range.space = space;
    range.offset = range.buffer_begin = static_cast<uint32_t>(begin);
    range.buffer_end = static_cast<uint32_t>(end);
    return range;
}

void Buffers::reset(Site at) {
    if (core().leaving)
        return;
    for (const Queue &queue : queues_)
        queue.forget(at);
    queues_.clear();
    for (bool &is_queues : is_queues_)
        is_queues = false;
    free_all_buffers();
}

void Buffers::add(const Queue &queue, Pipe producer, Pipe consumer) {
    if (core().leaving)
        return;
    queues_.push_back(queue);
    for (size_t index = 0; index < EVENTS; index++) {
        const Edge edge = edge_of(static_cast<AscendC::HardEvent>(index));
        const bool is_forward = edge.from == producer && edge.to == consumer;
        const bool is_back = edge.from == consumer && edge.to == producer;
        is_queues_[index] = is_queues_[index] || is_forward || is_back;
    }
}

int32_t Buffers::free_event(AscendC::HardEvent event, bool take, Site at) {
    if (core().leaving)
        return 0;
    const size_t index = static_cast<size_t>(event);
    for (int32_t id = 0; id < IDS; id++) {
        const uint8_t bit = static_cast<uint8_t>(1 << id);
        if ((taken_[index] & bit) == 0) {
            taken_[index] = static_cast<uint8_t>(taken_[index] | (take ? bit : 0));
            given_[index] = static_cast<uint8_t>(given_[index] | bit);
            return id;
        }
    }
    fault("K9", at, "%s: all %d flags of %s are taken", take ? "AllocEventID" : "FetchEventID", IDS, name_of(event));
}

void Buffers::release_event(AscendC::HardEvent event, int32_t id, Site at) {
    if (core().leaving)
        return;
    const size_t index = static_cast<size_t>(event);
    if (id < 0 || id >= IDS || (taken_[index] & (1 << id)) == 0)
        fault("K9", at, "ReleaseEventID: flag %d of %s is not taken", id, name_of(event));
    const uint8_t others = static_cast<uint8_t>(~(1 << id));
    taken_[index] = static_cast<uint8_t>(taken_[index] & others);
    given_[index] = static_cast<uint8_t>(given_[index] & others);
}

void Buffers::check_flag(const char *name, AscendC::HardEvent event, int32_t id, Site at) const {
    const size_t index = static_cast<size_t>(event);
    if (is_queues_[index] && id >= 0 && id < IDS && (given_[index] & (1 << id)) == 0)
        fault("K11", at, "%s<%s>: a queue between the same pipes may be using flag %d; take a number from AllocEventID or FetchEventID",
              name, name_of(event), id);
}

void check_flag_number(const char *name, int32_t id, Site at) {
    if ((id < 0 || id >= OWN_FLAGS) && !core().leaving)
        fault("K9", at, "%s with event id %d; there are 0 to 7", name, id);
}

void check_flag_by_hand(const char *name, AscendC::HardEvent event, int32_t id, Site at) {
    check_flag_number(name, id, at);
    if (core().pipe != nullptr && !core().leaving)
        core().pipe->check_flag(name, event, id, at);
}

} // namespace mf::emulation
