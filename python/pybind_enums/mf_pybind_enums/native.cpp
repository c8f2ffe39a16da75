/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Enums of Python in the internals of pybind11, under the names of C++ types. Extension modules that were
 * built with pybind11 find them there by these names, and convert arguments and defaults with them.
 */
#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>

#include <array>
#include <string>
#include <string_view>
#include <typeinfo>

static_assert(PYBIND11_INTERNALS_VERSION == 11, "another pybind11 has other internals");

/* Types of other programs: their names are all that matters. */
enum smem_bm_copy_type : int {};
enum smem_bm_mem_type : int {};
enum smem_bm_data_op_type : int {};
enum smem_bm_group_event_t : int {};
enum smem_shm_data_op_type : int {};
enum offload_scene_t : int {};
class TransferAdapterPy {
public:
    enum TransferOpcode : int {};
    enum TransDataOpType : int {};
};

namespace py = pybind11;

namespace {

struct Entry {
    std::string_view name;
    const std::type_info *type;
};

const std::array<Entry, 8> entries = {{
    {"smem_bm_copy_type", &typeid(smem_bm_copy_type)},
    {"smem_bm_mem_type", &typeid(smem_bm_mem_type)},
    {"smem_bm_data_op_type", &typeid(smem_bm_data_op_type)},
    {"smem_bm_group_event_t", &typeid(smem_bm_group_event_t)},
    {"smem_shm_data_op_type", &typeid(smem_shm_data_op_type)},
    {"offload_scene_t", &typeid(offload_scene_t)},
    {"TransferAdapterPy::TransferOpcode", &typeid(TransferAdapterPy::TransferOpcode)},
    {"TransferAdapterPy::TransDataOpType", &typeid(TransferAdapterPy::TransDataOpType)},
}};

const std::type_info &type_of(std::string_view name)
{
    for (const Entry &entry : entries) {
        if (entry.name == name) return *entry.type;
    }
    throw py::value_error("unknown type " + std::string(name));
}

py::object found(std::string_view name)
{
    const py::handle kind = py::detail::global_internals_native_enum_type_map_get_item(type_of(name));
    return kind ? py::reinterpret_borrow<py::object>(kind) : py::none();
}

/* False: the name has a type already, which stays. */
bool add(std::string_view name, const py::type &kind)
{
    const std::type_info &type = type_of(name);
    if (!found(name).is_none() || py::detail::get_type_info(type) != nullptr) return false;
    /* The internals keep it as long as the interpreter lives. */
    PyObject *kept = py::type(kind).release().ptr();
    py::detail::with_internals([&](py::detail::internals &internals) { internals.native_enum_type_map[type] = kept; });
    return true;
}

} // namespace

PYBIND11_MODULE(_native, module)
{
    module.def("add", &add, py::arg("name"), py::arg("kind"));
    module.def("found", &found, py::arg("name"));
}
