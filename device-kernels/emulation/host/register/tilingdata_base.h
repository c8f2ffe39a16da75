// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tiling structures of the host by macros:
//
//   BEGIN_TILING_DATA_DEF(Sizes)
//   TILING_DATA_FIELD_DEF(uint32_t, length);          set_length(), get_length()
//   TILING_DATA_FIELD_DEF_ARR(uint16_t, 4, parts);    set_parts() copies four elements
//   TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);  a member `cube`
//   END_TILING_DATA_DEF;
//
// SaveToBuffer writes the bytes that a kernel reads as a plain structure: the fields in their order, each at
// a multiple of its element's size, structures and the whole at multiples of 8.
#ifndef MF_HOST_REGISTER_TILINGDATA_BASE_H
#define MF_HOST_REGISTER_TILINGDATA_BASE_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace optiling {

// The values of a structure. Copies have values of their own. Not for use by several threads at once.
class TilingDef {
  public:
    TilingDef(const TilingDef &other) : name_(other.name_), bytes_(other.bytes_), parts_(other.parts_) {
        own_.assign(other.values(), other.values() + other.bytes_);
    }
    TilingDef &operator=(const TilingDef &other) {
        if (this != &other && bytes_ == other.bytes_) std::memcpy(values(), other.values(), bytes_);
        return *this;
    }
    virtual ~TilingDef() = default;

    // Writes GetDataSize() bytes. Writes nothing if data is null or capacity, in bytes, is less.
    void SaveToBuffer(void *data, size_t capacity) const {
        if (data == nullptr || capacity < bytes_) return;
        uint8_t *const to = static_cast<uint8_t *>(data);
        if (to != values()) std::memcpy(to, values(), bytes_);
        for (const Part &part : parts_) part_of(part).SaveToBuffer(to + part.place, part_of(part).bytes_);
    }
    size_t GetDataSize() const { return bytes_; }
    const char *GetTilingClassName() const { return name_; }
    // From now on the values stand in the caller's memory, GetDataSize() bytes which outlive this object;
    // null: in this object. They are zero afterwards.
    void SetDataPtr(void *data) {
        given_ = static_cast<uint8_t *>(data);
        std::memset(values(), 0, bytes_);
        for (const Part &part : parts_) part_of(part).SetDataPtr(data == nullptr ? nullptr : given_ + part.place);
    }

  protected:
    explicit TilingDef(const char *name) : name_(name) {}

    // Places a field of so many elements, and returns its offset.
    size_t place(size_t element_bytes, size_t count) {
        const size_t at = rounded_up(bytes_, element_bytes);
        bytes_ = at + element_bytes * count;
        own_.resize(bytes_);
        return at;
    }
    size_t place_part(const TilingDef &part) {
        const size_t at = place(8, part.bytes_ / 8);
        const auto *const whole = reinterpret_cast<const char *>(this);
        parts_.push_back({reinterpret_cast<const char *>(&part) - whole, at});
        return at;
    }
    // After the last field.
    void complete(void *data) {
        place(8, 0);
        if (data != nullptr) SetDataPtr(data);
    }
    uint8_t *at(size_t place) { return values() + place; }

  private:
    // A member that is a structure: its distance from this object, and its offset in the values.
    struct Part {
        ptrdiff_t distance;
        size_t place;
    };
    static size_t rounded_up(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }
    uint8_t *values() { return given_ != nullptr ? given_ : own_.data(); }
    const uint8_t *values() const { return given_ != nullptr ? given_ : own_.data(); }
    const TilingDef &part_of(const Part &part) const {
        return *reinterpret_cast<const TilingDef *>(reinterpret_cast<const char *>(this) + part.distance);
    }
    TilingDef &part_of(const Part &part) {
        return *reinterpret_cast<TilingDef *>(reinterpret_cast<char *>(this) + part.distance);
    }

    const char *name_;
    size_t bytes_ = 0;
    std::vector<uint8_t> own_;
    uint8_t *given_ = nullptr;
    std::vector<Part> parts_;
};

} // namespace optiling

#define BEGIN_TILING_DATA_DEF(class_name) \
    class class_name : public ::optiling::TilingDef { \
      public: \
        class_name() : ::optiling::TilingDef(#class_name) { complete(nullptr); } \
        explicit class_name(void *data) : ::optiling::TilingDef(#class_name) { complete(data); }

#define TILING_DATA_FIELD_DEF(data_type, field_name) \
  public: \
    void set_##field_name(data_type value) { ::std::memcpy(at(field_name##_place_), &value, sizeof value); } \
    data_type get_##field_name() { \
        data_type value; \
        ::std::memcpy(&value, at(field_name##_place_), sizeof value); \
        return value; \
    } \
 \
  private: \
    static_assert(::std::is_arithmetic<data_type>::value, "a field is a number"); \
    size_t field_name##_place_ = place(sizeof(data_type), 1); \
 \
  public:

#define TILING_DATA_FIELD_DEF_ARR(data_type, length, field_name) \
  public: \
    void set_##field_name(const data_type *values) { \
        ::std::memcpy(at(field_name##_place_), values, sizeof(data_type) * (length)); \
    } \
    data_type *get_##field_name() { return reinterpret_cast<data_type *>(at(field_name##_place_)); } \
 \
  private: \
    static_assert(::std::is_arithmetic<data_type>::value, "a field is numbers"); \
    size_t field_name##_place_ = place(sizeof(data_type), length); \
 \
  public:

#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name) \
  public: \
    struct_type field_name{nullptr}; \
 \
  private: \
    size_t field_name##_place_ = place_part(field_name); \
 \
  public:

#define END_TILING_DATA_DEF \
    } \
    ;

// Says which operator has which class; only the class is checked here.
#define REGISTER_TILING_DATA_CLASS(op_type, class_name) \
    struct op_type##class_name##Registered { \
        static_assert(::std::is_base_of<::optiling::TilingDef, class_name>::value, \
                      "a class of BEGIN_TILING_DATA_DEF"); \
    };

#endif
