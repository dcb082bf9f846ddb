/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of blocks of 32 columns as they are stored, sixteen blocks of a row at a time (block32_rows16.h). Vector uops:
 *
 *              16 blocks   32 weights   a block at a time
 *     q4_0            43          2.7   10 (q4_0.rows.avx2)
 *     iq4_nl          55          3.4   12 (iq4_nl.rows.avx2)
 *     q8_0            55          3.4   7 (q8_0.rows.avx_vnni)
 *     mxfp4           59          3.7   10 (mxfp4.rows.avx2)
 *
 * Sums of codes of q4_0 and activations reach 15 * 127 * 8 a lane and twice that after the first pairs, 30480, which fits 16 bits. Codes of iq4_nl are
 * looked up by vpshufb, 128 more than the weights; of mxfp4 twice the value and 12 more, and so a scale is half itself.
 */
#include "micro/of_self.h"
#include OF_FORMAT(codes.h)

#include "micro/families/block32/block32_rows16.h"

const struct kernel SELF = BLOCK32_ROWS16_KERNEL;

#include "micro/frames/gamma.h"
