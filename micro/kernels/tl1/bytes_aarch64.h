/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of two activations is 23 h + l with l and h within 11, so that the 8 look-ups of a group of
 * 4 steps fit signed bytes; then they become words, at most 8 * 254; 16 groups fit 16 bits. One text for Neon and for 256-bit SVE.
 */
enum { INTERLEAVE = 4, GROUP_STEPS = 4, BLOCK_STEPS = 16 * GROUP_STEPS, BASE = 23 };

#include "micro/kernels/tl1/exact_aarch64.h"

LOOKUP void table_store(uint8_t *table, struct table_words sums)
{
    table_store_digits(table, sums, BASE);
}

#include "micro/kernels/tl1/bytes_steps_aarch64.h"

#include "micro/kernels/lookup_panels.h"

const struct kernel SELF = TL1_EXACT_KERNEL("kneepoint", SELF_NAME);
