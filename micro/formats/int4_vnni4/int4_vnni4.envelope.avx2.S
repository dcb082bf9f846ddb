/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit as [envelope, III-B] does 2-bit: 1 shift, 2 ANDs, 2 byte shuffles and 2 dot products for 64 weights. The table gives
 * u = w + 8. Without VNNI each dot product is three instructions.
 *
 *     register, 32 bytes = [m8][k4] bytes of two nibbles: low rows 0-7, high rows 8-15
 *
 *   Golden Cove        11 uops on p015; vpmaddubsw, vpmaddwd, vpsrlw p01: 5: >= 1.833
 *   Zen 3              11 on 4 pipes: >= 1.375
 *
 *   ymm0-8 accumulators   the others: int4_vnni4.envelope.inc
 */
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define LEAST      2
#define MOST       9
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.avx2.inc"
#include "micro/formats/int4_vnni4/int4_vnni4.envelope.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
    step_constants
.endm

.macro dot_facts
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0xf0, 4, 0, 0
.endm

    sequence_functions
