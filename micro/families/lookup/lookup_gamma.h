/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The gamma of a look-up kernel in C on panels of 64 rows (lookup_panels.h): one block of a panel, whose weights and tables lie in L1, and whose sums
 * in memory. The kernel's .c includes it after SELF and before micro/frames/gamma.h, and says
 *
 *   STEP_COLUMNS, STEP_BYTES     of the format
 *   STEPS_TOGETHER               of a block
 *   STEP_OPERAND_BYTES           that prepare() writes for it
 *   STEP_LARGEST                 127 if the kernel takes int8
 *   STEP_OFFSET(operand)         what finish() adds to each row, here once for each block; undefined: nothing
 */
#ifndef MICRO_FAMILIES_LOOKUP_LOOKUP_GAMMA_H
#define MICRO_FAMILIES_LOOKUP_LOOKUP_GAMMA_H

#include "micro/frames/rows.h"

struct lookup_activations {
    _Alignas(64) uint8_t operand[STEP_OPERAND_BYTES];
#ifdef STEP_LARGEST
    int8_t of[STEPS_TOGETHER * STEP_COLUMNS];
#endif
};

struct lookup_sums {
    _Alignas(64) int32_t of[LOOKUP_ROWS];
    const struct lookup_activations *activations; /* whose scale they have */
    uint32_t blocks;
};

#define STEP_SUM         struct lookup_sums
#define STEP_ACTIVATIONS struct lookup_activations
#define STEP_SUMS_IN_MEMORY
#define STEP_ROWS         LOOKUP_ROWS
#define STEP_ACCUMULATORS 1

ROWS_INLINE struct lookup_sums step_zero(void)
{
    return (struct lookup_sums){{0}, NULL, 0};
}

/* flatten: clang else inlines no more than what GAMMA_CODE itself calls */
ROWS_INLINE __attribute__((flatten)) void add_into(struct lookup_sums *sums, const uint8_t *weights,
                                                   const struct lookup_activations *activations)
{
    size_t ahead = 0; /* and no compiler knows */
    ROWS_READ_AGAIN(ahead);
    const struct gemv_slice slice = {.steps = STEPS_TOGETHER,
                                     .k = STEPS_TOGETHER * STEP_COLUMNS,
                                     .prepared = activations->operand,
                                     .prefetch_bytes = ahead};
    sums->activations = activations;
    sums->blocks++;
    add_block(&slice, weights, 0, sums->of);
}

#ifdef STEP_LARGEST
ROWS_INLINE void step_finish(int32_t *rows, const struct lookup_sums *sums)
{
    const void *operand = sums->activations->operand;
    finish(&(const struct gemv_slice){.out = rows, .prepared = operand}, sums->of, 0);
#ifdef STEP_OFFSET
    for (size_t row = 0; row < LOOKUP_ROWS; row++)
        rows[row] = (int32_t)((uint32_t)rows[row] + (sums->blocks - 1) * (uint32_t)STEP_OFFSET(operand));
#endif
}
#else
ROWS_INLINE void step_finish(float *rows, const struct lookup_sums *sums)
{
    const void *operand = sums->activations->operand;
    finish(&(const struct gemv_slice){.out_f32 = rows, .prepared = operand}, sums->of, 0);
#ifdef STEP_OFFSET
    for (size_t row = 0; row < LOOKUP_ROWS; row++)
        rows[row] += (float)(sums->blocks - 1) * STEP_OFFSET(operand);
#endif
}
#endif

#endif
