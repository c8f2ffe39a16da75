# SPDX-License-Identifier: Apache-2.0 OR MIT
# CANN SHMEM on the host by memfabric-rs. The paths follow the place of this file.
get_filename_component(_shmem_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET shmem::shmem)
    add_library(shmem::shmem SHARED IMPORTED)
    set_target_properties(shmem::shmem PROPERTIES
        IMPORTED_LOCATION "${_shmem_prefix}/lib/libmf_smem.so"
        IMPORTED_SONAME libmf_smem.so
        INTERFACE_INCLUDE_DIRECTORIES "${_shmem_prefix}/include")
endif()
unset(_shmem_prefix)
