/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Body of w<p>a<q>.nibble.avx2: bits of a byte are counted by looking both its nibbles up. The bytes of one pair of
 * planes are added before vpsadbw widens them to 64 bits; then each pair is shifted to its place and added [apt-llm,
 * III-B, data recovery].
 *
 *   ymm0-1 accumulators   ymm2 sum of the pairs   ymm3, ymm4 nibbles, counts   ymm5 bytes' counts of a pair
 *   ymm6 mask 0x0f   ymm7 counts of a nibble   ymm8-15 (or fewer) weights
 */
#include "micro/families/bit_serial/bit_serial_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lcounts: .byte 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4
    .balign 32
.Lzero: .fill 32, 1, 0
    .text

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm6, eax
    vpbroadcastd ymm6, xmm6
    vbroadcasti128 ymm7, [rip + .Lcounts]
.endm

.macro dot_into number, source
    vpsubd ymm\number, ymm\number, \source
.endm

.macro count_register i, j, r
    differ 4, \i, \j, \r
    vpand ymm3, ymm4, ymm6
    vpsrlw ymm4, ymm4, 4
    vpand ymm4, ymm4, ymm6
    vpshufb ymm3, ymm7, ymm3
    vpshufb ymm4, ymm7, ymm4
    .if \r
    vpaddb ymm3, ymm3, ymm4
    vpaddb ymm5, ymm5, ymm3
    .else
    vpaddb ymm5, ymm3, ymm4
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
    vpsadbw ymm5, ymm5, [rip + .Lzero]
    .if \i + \j
    vpsllq ymm5, ymm5, \i + \j + 1
    vpaddq ymm2, ymm2, ymm5
    .else
    vpsllq ymm2, ymm5, 1
    .endif
.endm

.macro group
    pairs
    vpsubd ymm2, ymm2, [rip + .Lelements]
    dot ymm2
.endm
#endif
