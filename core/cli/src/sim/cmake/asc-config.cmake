# SPDX-License-Identifier: Apache-2.0 OR MIT
# find_package(ASC): the language ASC, sources with kernels, before or after the project that names it.
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
if(NOT CMAKE_ASC_RUN_MODE)
  set(CMAKE_ASC_RUN_MODE npu)
elseif(NOT CMAKE_ASC_RUN_MODE MATCHES "^(npu|cpu|sim)$")
  message(FATAL_ERROR "CMAKE_ASC_RUN_MODE is ${CMAKE_ASC_RUN_MODE}, none of npu, cpu, sim")
endif()
if(PROJECT_NAME)
  enable_language(ASC)
endif()
set(ASC_FOUND TRUE)
