# SPDX-License-Identifier: Apache-2.0 OR MIT
if(NOT CMAKE_ASC_COMPILER)
  find_program(CMAKE_ASC_COMPILER NAMES bisheng ccec
    HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ENV ASCEND_HOME_PATH PATH_SUFFIXES bin)
endif()
if(NOT CMAKE_ASC_COMPILER)
  message(FATAL_ERROR "there is no compiler bisheng: read set_env.sh of the installation")
endif()
mark_as_advanced(CMAKE_ASC_COMPILER)
set(CMAKE_ASC_COMPILER_ENV_VAR ASC)
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeASCCompiler.cmake.in" "${CMAKE_PLATFORM_INFO_DIR}/CMakeASCCompiler.cmake" @ONLY)
