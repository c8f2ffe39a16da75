// SPDX-License-Identifier: Apache-2.0 OR MIT
// The template arguments of a kernel, as the build of operators reads them: it makes an instance for each
// selection. Nothing for a compiler of the kernel; there are no host functions of these tables here.
#pragma once

#define ASCENDC_TPL_ARGS_DECL(...) static_assert(true)
#define ASCENDC_TPL_SEL(...) static_assert(true)
