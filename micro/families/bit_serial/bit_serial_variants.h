/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Variants of a bit-serial GEMM (micro/tuning.h): 8 or 16 rows, 1 to 8 tokens, K whole or cut. The first is the default.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_VARIANTS_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_VARIANTS_H

#include "micro/tuning.h"

#define BITS_VARIANTS(X)                                                                                               \
    X(2, 8, r16t8, UINT32_MAX)                                                                                         \
    X(2, 4, r16t4, UINT32_MAX)                                                                                         \
    X(2, 2, r16t2, UINT32_MAX)                                                                                         \
    X(2, 1, r16t1, UINT32_MAX)                                                                                         \
    X(1, 8, r8t8, UINT32_MAX)                                                                                          \
    X(1, 4, r8t4, UINT32_MAX)                                                                                          \
    X(1, 2, r8t2, UINT32_MAX)                                                                                          \
    X(1, 1, r8t1, UINT32_MAX)                                                                                          \
    X(2, 8, r16t8k1024, 1024)                                                                                          \
    X(2, 8, r16t8k2048, 2048)                                                                                          \
    X(1, 8, r8t8k2048, 2048)

#define BITS_VARIANT_ENTRY(PANELS, TOKENS, NAME, COLUMNS) {#NAME, PANELS * BITS_ROWS, TOKENS, COLUMNS, bits_run_##NAME},

BITS_VARIANTS(BITS_VARIANT)

static const struct kernel_variant bits_variants[] = {BITS_VARIANTS(BITS_VARIANT_ENTRY)};

extern const struct kernel SELF;

const struct kernel_variants SELF_VARIANTS = {&SELF, bits_variants, sizeof bits_variants / sizeof *bits_variants};

#endif
