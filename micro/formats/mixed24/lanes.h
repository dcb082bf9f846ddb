/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Facts and C half of the GEMVs of mixed24 whose lanes are rows, two panels side by side. With outliers (OUTLIERS_PER_MILLE of a format that is a
 * row) the C half is that of mixed24_outliers_lanes.h.
 */
#include "micro/quantization/mixed24_layout.h"
#include "micro/families/mixed24/mixed24_operand_places.h"

#define INTERLEAVE    2
#define ROWS          MIXED24_ROWS
#define STEP_BYTES    MIXED24_STEP_BYTES
#define OPERAND_BYTES MIXED24_OPERAND_BYTES
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#define MIXED24_PREFETCH 6144
#ifdef VECTOR_IS_ZMM
#define SUMS 1
#else
#define SUMS 2
#endif

#ifndef __ASSEMBLER__
#ifdef OUTLIERS_PER_MILLE
#include "micro/families/mixed24/mixed24_outliers_lanes.h"
#else
#include "micro/families/mixed24/mixed24_operand_avx2.h"

extern const struct format SELF_FORMAT;

static void prepare(const void *activations, size_t k, void *prepared)
{
    mixed24_make(activations, k, prepared);
}

static void prepare_ordered(const void *activations, size_t k, const uint16_t *order, void *prepared)
{
    mixed24_make_ordered(activations, k, order, prepared);
}

KERNEL_ROW(row_of, mixed24_activation(prepared, column))

static void finish(const float *raw, float *out)
{
    _mm256_storeu_ps(out, _mm256_load_ps(raw));
    _mm256_storeu_ps(out + 8, _mm256_load_ps(raw + 8));
}

/** A kernel whose sequence has its name. Of 64 columns a float. */
#define MIXED24_LANES_KERNEL                                                                                           \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .prefetch_bytes = MIXED24_PREFETCH, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 64,    \
        .error_bound = Q8_ERROR_BOUND, .gemv = gemv, .prepared_bytes_per_step = sizeof(struct mixed24_operand),        \
        .prepare = prepare, .row = row_of, .ordered = {                                                                \
            .prepare = prepare_ordered                                                                                 \
        }                                                                                                              \
    }
#endif
#endif

#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    load_constants_from edi
.endm

.macro fetch_lines near
    .irp line, 0, 1, 2, 3, 4, 5
    prefetcht0 [\near + 64 * \line]
    .endr
.endm

#endif
