/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, masks only: each field stays in its place in the byte, and its accumulator, shifted right once at the end, undoes
 * the power of two. 4 ANDs and 4 dot products for 128 weights.
 * As avx_vnni, with the operands of vpdpbsud the other way round: signed activations times unsigned weights.
 *
 *   ymm0-7 accumulators   the others: int2_vnni4.mask.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       8
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.avx_vnni_int8.inc"
#include "micro/formats/int2_vnni4/int2_vnni4.mask.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
    step_constants
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 0, 0, 0
    fact FIELD, 0x30, 0, 0, 0
    fact FIELD, 0xc0, 0, 0, 0
.endm

    sequence_functions
