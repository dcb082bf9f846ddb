/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Body of w<p>a<q>.chain.avx2, Harley-Seal over chains [apt-llm, III-B, on AVX2]. A register is a bit of 4 rows and 64 columns, a word
 * of activations is broadcast. Both are coded in chains: word n holds the exclusive or of words 0 to n of its plane, so that their
 * exclusive or is the parity of all differences so far. Of three in a row, a, b, c, the carry of an adder is b ? ~c : a, 3 operations
 * for two differences where an adder of differences takes 5. Of 16 steps 8 carries count 2, 4 count 4, 2 count 8 and one 16, which is
 * counted by nibble look-ups: 16 XORs, 8 x 3, 7 adders of 5, 7 to count: 82. What is left of a level is carried on to the next one.
 * The REGISTERS of a plane of weights do not fit 16 registers: they are operands in memory, from r11 on, as in the kernel.
 *
 *   ymm0 accumulator   ymm1 sum of what is counted   ymm2, ymm15 parity, in turns   ymm3 twos   ymm4 fours   ymm5 eights
 *   ymm6 counts of sixteens   ymm7 0x0f   ymm8 counts of a nibble   ymm13 zero   ymm9-12, ymm14 carries, temporaries
 */
#include "micro/sequences/x86_64/bit_serial_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lcounts: .byte 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4
    .text

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm7, eax
    vpbroadcastd ymm7, xmm7
    vbroadcasti128 ymm8, [rip + .Lcounts]
    vpxor xmm13, xmm13, xmm13
.endm

/* where they are: the group reads them */
.purgem load_weights
.macro load_weights base, offset
    lea r11, [\base + \offset]
.endm

.macro dot_into number, source
    vpsubd ymm\number, ymm\number, \source
.endm

.macro parity into, i, j, step
    vpbroadcastq ymm\into, [rsi + (\j * REGISTERS + \step) * 8]
    vpxor ymm\into, ymm\into, [r11 + (\i * REGISTERS + \step) * VECTOR_BYTES]
.endm

/* carry of two steps; the parity moves from one register to another */
.macro carry into, from, to, i, j, step
    parity \into, \i, \j, %(\step)
    parity \to, \i, \j, %(\step + 1)
    vpandn ymm14, ymm\into, ymm\from
    vpandn ymm\into, ymm\to, ymm\into
    vpor ymm\into, ymm\into, ymm14
.endm

/* a, b and the sum that is carried on: its carry becomes a */
.macro full sum, a, b
    vpxor ymm14, ymm\a, ymm\b
    vpand ymm\a, ymm\a, ymm\b
    vpand ymm\b, ymm14, ymm\sum
    vpor ymm\a, ymm\a, ymm\b
    vpxor ymm\sum, ymm\sum, ymm14
.endm

.macro four into, free, i, j, step
    carry \into, 2, 15, \i, \j, %(\step)
    carry \free, 15, 2, \i, \j, %(\step + 2)
    full 3, \into, \free
.endm

.macro eight into, free, second, i, j, step
    four \into, \free, \i, \j, %(\step)
    four \free, \second, \i, \j, %(\step + 4)
    full 4, \into, \free
.endm

/* set bits of each byte of it, in place */
.macro count bits
    vpsrlw ymm14, ymm\bits, 4
    vpand ymm\bits, ymm\bits, ymm7
    vpand ymm14, ymm14, ymm7
    vpshufb ymm\bits, ymm8, ymm\bits
    vpshufb ymm14, ymm8, ymm14
    vpaddb ymm\bits, ymm\bits, ymm14
.endm

/* counts of bytes that count for 2^shift, twice as large */
.macro widen bytes, shift
    vpsadbw ymm\bytes, ymm\bytes, ymm13
    vpsllq ymm\bytes, ymm\bytes, \shift + 1
    vpaddq ymm1, ymm1, ymm\bytes
.endm

.macro pair i, j
    vpxor xmm2, xmm2, xmm2
    .set chain_step, 0
    .rept REGISTERS / 16
    eight 9, 10, 11, \i, \j, %(chain_step)
    eight 10, 11, 12, \i, \j, %(chain_step + 8)
    full 5, 9, 10
    count 9
    .if chain_step
    vpaddb ymm6, ymm6, ymm9
    .else
    vmovdqa ymm6, ymm9
    .endif
    .set chain_step, chain_step + 16
    .endr
    widen 6, %(\i + \j + 4)
    count 2
    widen 2, %(\i + \j)
.endm

/* twos are counted; what counts 4 of a level counts 2 of the next */
.macro level_begins level
    .if \level
    count 3
    widen 3, \level
    vmovdqa ymm3, ymm4
    vmovdqa ymm4, ymm5
    .else
    vpxor xmm1, xmm1, xmm1
    vpxor xmm3, xmm3, xmm3
    vpxor xmm4, xmm4, xmm4
    .endif
    vpxor xmm5, xmm5, xmm5
.endm

.macro group
    pairs
    count 3
    widen 3, %(WEIGHT_BITS + ACTIVATION_BITS - 1)
    count 4
    widen 4, %(WEIGHT_BITS + ACTIVATION_BITS)
    count 5
    widen 5, %(WEIGHT_BITS + ACTIVATION_BITS + 1)
    vpsubd ymm1, ymm1, [rip + .Lelements]
    dot ymm1
.endm
#else
/** Bit of a coded word's column: of it and the one before. */
static inline unsigned chain_bit(const uint8_t *plane, unsigned stride, unsigned row, unsigned step, unsigned column)
{
    unsigned byte = row * 8 + column / 8, now = plane[step * stride + byte];
    unsigned former = step ? plane[(step - 1) * stride + byte] : 0;
    return (now ^ former) >> column % 8 & 1;
}

/** 4 rows, a 64-bit lane each, whose upper half stays zero. */
static inline void chain_refer(const struct sequence_data *data, unsigned weight_bits, unsigned activation_bits,
                               unsigned steps, void *sum)
{
    int32_t *lanes = sum;
    for (unsigned element = 0; element < 4 * steps * 64; element++) {
        unsigned row = element % 4, column = element / 4 % 64, step = element / 256;
        int32_t w = 0, x = 0;
        for (unsigned i = 0; i < weight_bits; i++)
            w += chain_bit(data->weights + i * steps * 32, 32, row, step, column) ? 1 << i : -(1 << i);
        for (unsigned j = 0; j < activation_bits; j++)
            x += chain_bit(data->activations + j * steps * 8, 8, 0, step, column) ? 1 << j : -(1 << j);
        lanes[2 * row] += w * x;
    }
}
#endif
