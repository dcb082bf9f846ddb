/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/check/tiles/tile_emulator.h"
#include "platforms/cpu/isa.h"

/**
 * Instructions that a check executes itself, since this CPU lacks them: those on tiles (tiles/) and the dot products of
 * AVX-VNNI-INT8 (dots/). For checks alone: only checked_call_report_of() and tests switch it on, by the kernel's ISA, while what is timed
 * runs on CPUs that have them. Answering SIGILL, it decodes the instruction and carries it out as the manual says, on tiles in memory or on the
 * vector registers that the signal saved, guard pages and #UD included. The machine code is that which ships; its other vector instructions run as
 * they are, so a kernel is skipped where the CPU lacks those. Where a CPU has tiles, tiles/tile_hardware_test compares each instruction bit by bit.
 */

/** Features that an ISA (a row of isa.def) needs, this machine lacks and checks execute; 0: none, or isa is NULL. */
isa_features emulator_features(const char *isa);

/** Whether there are any. */
bool emulator_stands_in(const char *isa);

/** What the handler of SIGILL does: see tile_emulate(). */
enum tile_emulated emulator_execute(ucontext_t *context, const char **why);
