/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CHECK_DOTS_DOT_EMULATOR_H
#define HARNESS_CHECK_DOTS_DOT_EMULATOR_H

#include <stdbool.h>
#include <ucontext.h>

/**
 * Dot products of AVX-VNNI-INT8 of the very machine code that ships, on a CPU without it: each raises SIGILL, whose handler
 * executes it on the vector registers that the signal saved, and continues after it. For checks only.
 */

/** Whether code of an ISA (a row of isa.def) has them and this CPU does not. */
bool dot_emulator_stands_in(const char *isa);

/**
 * Execute what the signal stopped, and the dot products that follow on it; the context then points past the last.
 * @return whether it was one; false without a change
 */
bool dot_emulate(ucontext_t *context);

#endif
