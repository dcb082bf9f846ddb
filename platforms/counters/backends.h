/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "counters_registry.h"
#include "platforms/counters/backend.h"

/**
 * Every back end there is: make finds the files of platforms/counters/backends/, each of which ends in the descriptor
 * counters_backend_<name of the file>.
 */
#define COUNTERS_DECLARE(descriptor) extern const struct counters_backend descriptor;
REGISTRY_COUNTERS(COUNTERS_DECLARE)
#undef COUNTERS_DECLARE

#define COUNTERS_ONE(descriptor) +1
enum { COUNTERS_BACKENDS = 0 REGISTRY_COUNTERS(COUNTERS_ONE) };
#undef COUNTERS_ONE

/** Back end number rank, 0 … COUNTERS_BACKENDS - 1, in the order in which auto prefers them: by priority, then name. */
const struct counters_backend *counters_backend(size_t rank);
