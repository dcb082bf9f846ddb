/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CHECK_CALL_EMULATOR_H
#define HARNESS_CHECK_CALL_EMULATOR_H

#include <stdbool.h>

#include "harness/check/tiles/tile_emulator.h"
#include "platforms/cpu/isa.h"

/**
 * Instructions that a check executes itself, since this CPU lacks them: those on tiles (tiles/) and the dot products of
 * AVX-VNNI-INT8 (dots/). For checks alone; what is timed runs on CPUs that have them.
 */

/** Features that an ISA (a row of isa.def) needs, this machine lacks and checks execute; 0: none, or isa is NULL. */
isa_features emulator_features(const char *isa);

/** Whether there are any. */
bool emulator_stands_in(const char *isa);

/** What the handler of SIGILL does: see tile_emulate(). */
enum tile_emulated emulator_execute(ucontext_t *context, const char **why);

#endif
