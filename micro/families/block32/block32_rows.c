/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of blocks of 32 columns as they are stored, four side by side (block32_rows.h). Vector uops of a block, 3 of them the scale's:
 *
 *              avx2   avx_vnni
 *     q4_0       10          8   codes as they are stored: what they are too large by is where the sums end or begin; signed bytes take 15
 *     iq4_nl     12          9   one vpshufb looks up the values, for VNNI 128 more
 *     q8_0        9          7   for VNNI vpxor adds 128
 *
 * Without VNNI values of iq4_nl and q8_0 are signed, and their sign goes to the activations. A code of -128 of q8_0, which no quantizer gives, is right as
 * well: its magnitude is unsigned.
 */
#include "micro/of_self.h"
#include OF_FORMAT(codes.h)

#include "micro/families/block32/block32_rows.h"

const struct kernel SELF = BLOCK32_ROWS_KERNEL;

#include "micro/frames/gamma.h"
