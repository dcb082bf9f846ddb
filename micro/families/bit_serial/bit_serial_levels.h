/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Body of w<p>a<q>.popcount.avx512_vpopcntdq where weights of many bits leave a plane few registers: an exclusive or, a count and an
 * add for each register of each pair of planes. Pairs of a level are added to two registers in turns, which are shifted to their place
 * once a level; once a pair, as in bit_serial_popcount.h, would be a tenth of all [apt-llm, III-B, data recovery].
 *
 *   zmm0, zmm1 accumulators   zmm2, zmm3 counts of a level   zmm4 sum of the levels   zmm6, zmm7 differing bits, counts
 *   zmm8-31 (or fewer) weights
 */
#include "micro/families/bit_serial/bit_serial_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
.endm

.macro dot_into number, source
    vpsubd zmm\number, zmm\number, \source
.endm

/* counts of a level, twice as large */
.macro level_ends level
    vpaddq zmm2, zmm2, zmm3
    vpsllq zmm2, zmm2, \level + 1
    vpaddq zmm4, zmm4, zmm2
.endm

.macro level_begins level
    .if \level
    level_ends %(\level - 1)
    .else
    vpxor xmm4, xmm4, xmm4
    .endif
    vpxor xmm2, xmm2, xmm2
    vpxor xmm3, xmm3, xmm3
    .set counts, 2
.endm

.macro count_register i, j, r, counts
    differ 6, \i, \j, \r
    vpopcntq zmm7, zmm6
    vpaddq zmm\counts, zmm\counts, zmm7
.endm

.macro pair i, j
    .set register_number, 0
    .rept REGISTERS
    count_register \i, \j, %(register_number), %(counts)
    .set register_number, register_number + 1
    .set counts, 5 - counts
    .endr
.endm

.macro group
    pairs
    level_ends %(WEIGHT_BITS + ACTIVATION_BITS - 2)
    vpsubd zmm4, zmm4, [rip + .Lelements]
    dot zmm4
.endm
#endif
