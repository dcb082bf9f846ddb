/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1.6 bits: a byte is five ternary weights as TQ1_0 packs them, the fraction byte/256 in base 3, but of five rows at
 * the same place, so that all its digits meet one activation and prefixes of them can be multiplied: of digits t0 ...
 * t4 the numbers t0, 3 t0 + t1, 9 t0 + 3 t1 + t2 and t3, 3 t3 + t4. Once at the end 3 times a neighbour is subtracted.
 * vpmaddubsw of a byte with 27 in its place and 0 beside it is the word 27 b: its upper byte is the first three digits,
 * its lower byte times 9 again has the last two above. One masked vpshufb moves the even bytes' beside the odd ones';
 * vpermb shortens the prefixes, the longest of each kind needs none. 4 vpmaddubsw, 2 vpshufb, 3 vpermb, 5 vpdpbusd: 14
 * uops for 10 output vectors.
 * Golden Cove at 512 bits: 14 on p05, of which 5 on p5: >= 0.70; on a client core, whose p5 does not multiply, 9 are on
 * p0: >= 0.90.
 *
 *   zmm0-11 accumulators   zmm12-15 words, zmm16, zmm17 prefixes   zmm20, zmm21 thirds, ninths
 *   zmm22, zmm23 27 for even,   odd bytes   zmm24 9 for even bytes   zmm25 from odd bytes to even ones   zmm30 weights
 *   zmm31 activations   k1 even bytes
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.4
#define GROUP_DOTS       5
#define GROUP_VECTORS    10
#define LEAST            5
#define MOST             12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro quotients divisor
    .set table_index, 0
    .rept 64
    .byte table_index / \divisor
    .set table_index, table_index + 1
    .endr
.endm
    .section .rodata
    .balign 64
.Lthirds: quotients 3
.Lninths: quotients 9
.Lodd_to_even: .rept 4
    .byte 1, 0, 3, 0, 5, 0, 7, 0, 9, 0, 11, 0, 13, 0, 15, 0
    .endr

.macro load_constants
    mov rax, 0x5555555555555555
    kmovq k1, rax
    mov eax, 27
    vpbroadcastw zmm22, eax
    vpsllw zmm23, zmm22, 8
    mov eax, 9
    vpbroadcastw zmm24, eax
    vmovdqa64 zmm20, [rip + .Lthirds]
    vmovdqa64 zmm21, [rip + .Lninths]
    vmovdqa64 zmm25, [rip + .Lodd_to_even]
    vmovdqu64 zmm31, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

.macro dot_into number, source
    vpdpbusd zmm\number, \source, zmm31
.endm

.macro group
    vpmaddubsw zmm12, zmm30, zmm22
    vpmaddubsw zmm13, zmm30, zmm23
    vpmaddubsw zmm14, zmm12, zmm24
    vpmaddubsw zmm15, zmm13, zmm24
    vpshufb zmm13{k1}, zmm12, zmm25
    vpshufb zmm15{k1}, zmm14, zmm25
    vpermb zmm16, zmm13, zmm21
    dot zmm16
    vpermb zmm17, zmm13, zmm20
    dot zmm17
    dot zmm13
    vpermb zmm16, zmm15, zmm20
    dot zmm16
    dot zmm15
.endm

    sequence_functions

#else

/* the digits of a byte, from the highest; then the prefix that a dot product multiplies */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    int32_t *lanes = sum;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t digits[5], fraction = data->weights[i];
        for (uint32_t n = 0; n < 5; n++) {
            digits[n] = fraction * 3 / 256;
            fraction = fraction * 3 % 256;
        }
        uint32_t prefix = 0;
        for (uint32_t n = dot < 3 ? 0 : 3; n <= dot; n++)
            prefix = 3 * prefix + digits[n];
        lanes[i / 4] += (int32_t)prefix * (int8_t)data->activations[i];
    }
}

#endif
