/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Body of w<p>a<q>.popcount.avx512_vpopcntdq: an exclusive or, a count and an add for each register of each pair of
 * planes; each pair is shifted to its place and added once a group [apt-llm, III-B, data recovery].
 *
 *   zmm0-3 accumulators   zmm4 sum of the pairs   zmm5 counts of a pair   zmm6, zmm7 differing bits, counts
 *   zmm8-31 (or fewer) weights
 */
#include "micro/families/bit_serial/bit_serial_frame.h"

#ifndef COUNT_SHIFT /* a counted bit's part of the sum: 2 */
#define COUNT_SHIFT 1
#endif

#ifdef __ASSEMBLER__
.macro load_constants
.endm

.macro dot_into number, source
    vpsubd zmm\number, zmm\number, \source
.endm

.macro count_register i, j, r
    .if \r
    differ 6, \i, \j, \r
    vpopcntq zmm7, zmm6
    vpaddq zmm5, zmm5, zmm7
    .else
    differ 6, \i, \j, \r
    vpopcntq zmm5, zmm6
    .endif
.endm

.macro level_begins level
.endm

.macro pair i, j
    .set register_number, 0
    .rept REGISTERS
    count_register \i, \j, %(register_number)
    .set register_number, register_number + 1
    .endr
    .if \i + \j
    vpsllq zmm5, zmm5, \i + \j + COUNT_SHIFT
    vpaddq zmm4, zmm4, zmm5
    .else
    vpsllq zmm4, zmm5, COUNT_SHIFT
    .endif
.endm

.macro group
    pairs
    vpsubd zmm4, zmm4, [rip + .Lelements]
    dot zmm4
.endm
#endif
