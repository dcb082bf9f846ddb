/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of two activations is 23 h + l with l and h within 11, so that the 8 look-ups of a group of
 * 4 steps fit signed bytes; then they become words, at most 8 * 254; 16 groups fit 16 bits. On Neon saddw and smlal make words of them. On 256-bit SVE
 * tables are in both halves of a register, and bytes are widened before they are added, since SVE adds none to words. Of 16 rows 42 operations for 8 output
 * vectors, where the paper's exact look-up takes 56. Neoverse N1, N2, 2 vector pipes: >= 2.63 cycles each. V1, 4 pipes, tbl on two of them: >= 1.31; SVE 46
 * for 16 on 2 pipes: >= 1.44.
 */
enum { INTERLEAVE = 4, GROUP_STEPS = 4, BLOCK_STEPS = 16 * GROUP_STEPS, BASE = 23 };

#include "micro/formats/tl1/exact_aarch64.h"

LOOKUP void table_store(uint8_t *table, struct table_words sums)
{
    table_store_digits(table, sums, BASE);
}

#include "micro/formats/tl1/bytes_steps_aarch64.h"

#include "micro/families/lookup/lookup_panels.h"

const struct kernel SELF = TL1_EXACT_KERNEL;

#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
