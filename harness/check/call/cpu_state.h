/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What calls of others' code left behind in the thread that makes them. Unlike checked_call.h for calls as they are measured: nothing but
 * the two readings lies around them. What they find is compared with how the thread was before the first call, so that what a call
 * leaves where nothing looks, among the calls of a sample, is found by the next reading.
 */
struct cpu_state {
    bool begun;
    uint64_t control;     /* rounding and traps before the first call (MXCSR, FPCR) */
    uint32_t x87_control; /* likewise of the x87 */
    int policy, nice;     /* of the scheduler, before the first call */
    uint64_t blocked;     /* signals, likewise */

    bool control_changed;    /* they are others now */
    bool backwards;          /* the direction flag is set: string instructions of the caller run backwards */
    bool x87_in_use;         /* x87 or MMX registers were not released: floating-point code of the x87 after it fails */
    bool vectors_in_use;     /* upper halves of vector registers: SSE code after it may be slow, and the caller's is */
    bool affinity_changed;   /* the thread may run on another set of CPUs than the one it was bound to */
    bool scheduling_changed; /* it has another scheduler class or nice value */
    bool signals_changed;    /* other signals are blocked */
};

/**
 * Just before a call, in its thread; what was found before stays. Upper halves of vector registers are released, and so is the x87;
 * rounding and traps are put right.
 */
void cpu_state_begin(struct cpu_state *state);

/** Just after it: report what it left, and put registers right. @param cpu  that the thread is bound to */
void cpu_state_end(struct cpu_state *state, unsigned cpu);

/** What breaks the rules that a callee keeps, in words: "leaves …"; "" if nothing. Vectors in use do not. Pure. */
void cpu_state_describe(const struct cpu_state *state, char *text, size_t size);
