/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit of [envelope, III-B, Fig. 1]: 1 shift, 2 ANDs, 4 byte shuffles and 4 dot products for 256 weights (8 output vectors).
 * Golden Cove at 512 bits: 11 uops on p05, 4 of them shuffles on p5: >= 0.69.
 *
 *   zmm0-11 accumulators   the others: int2_vnni4.envelope.avx512_vnni.inc
 */
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       12
#define VECTOR_IS_ZMM
#define CODE_OFFSETS
#include "micro/sequences/sequence_frame.h"
#include "micro/formats/int2_vnni4/int2_vnni4.envelope.avx512_vnni.inc"

.macro load_constants
    vmovdqu64 ACTIVATIONS, [rsi]
    step_constants eax
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 2, 0, 0
    fact FIELD, 0x30, 4, 0, 0
    fact FIELD, 0xc0, 6, 0, 0
.endm

    sequence_functions
