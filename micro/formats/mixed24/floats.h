/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Facts and C half of the GEMVs of mixed24 that dequantize to floats, whose lanes are rows: activations as they are, and rows as they lie.
 * Their arithmetic bounds them, not memory, so a panel at a time is enough. The including .S is a step of microkernel_frame.h.
 */
#include "micro/quantization/mixed24_layout.h"

#define INTERLEAVE    1
#define ROWS          MIXED24_ROWS
#define STEP_BYTES    MIXED24_STEP_BYTES
#define OPERAND_BYTES (4 * MIXED24_COLUMNS)
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#ifdef VECTOR_IS_ZMM
#define SUMS 1
#else
#define SUMS 2
#endif

#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

.macro fetch_lines near
    .irp line, 0, 1, 2, 3, 4, 5
    prefetcht0 [\near + 64 * \line]
    .endr
.endm

/* `next` to the step after that of byte rdx, to this one if it is the last */
.macro find_next next
    lea \next, [rdx + STEP_BYTES]
    cmp \next, r9
    cmove \next, rdx
    add \next, rsi
.endm

#else

#include <string.h>

#include "micro/kernel.h"

static void finish(const float *raw, float *out)
{
    memcpy(out, raw, ROWS * sizeof *out);
}

/* Of the 64 columns of a step each of four (three) sums adds 16 (22), then these are added, then the steps: with 512 bits 18 + K / 64. */
#define MIXED24_FLOATS_KERNEL                                                                                          \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = "mixed-2-4-16", .differs = "for CPUs and with our prefetch, where its original is for GPUs", .prefetch_bytes = 4096, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,        \
        .float_sums = SUMS == 1 ? 32 : 8, .gemv = gemv                                                                 \
    }

#endif
