/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, prefix sums: the low nibble masked, and the whole byte, which is u_low + 16 u_high against the same activation; the
 * first is subtracted from the second once at the end, and the rest shifted right. 1 AND and 2 dot products for 64 weights.
 * As avx_vnni, with the operands of vpdpbsud the other way round: signed activations times unsigned weights.
 *
 *     register, 32 bytes = [m8][k4] bytes of two nibbles: low rows 0-7, high rows 8-15
 *
 *   ymm0-11 accumulators   the others: int4_vnni4.prefix.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define LEAST      2
#define MOST       12
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.avx_vnni_int8.inc"
#include "micro/formats/int4_vnni4/int4_vnni4.prefix.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
    step_constants
.endm

.macro dot_facts
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
