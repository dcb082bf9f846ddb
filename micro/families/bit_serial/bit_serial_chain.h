/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Body of w<p>a<q>.chain.avx2, Harley-Seal over chains [apt-llm, III-B, on AVX2]. A register is a bit of 4 rows and 64 columns, a word
 * of activations is broadcast. Both are coded in chains: word n holds the exclusive or of words 0 to n of its plane, so that their
 * exclusive or is the parity of all differences so far. Of three in a row, a, b, c, the carry of an adder is b ? ~c : a, 3 operations
 * for two differences where an adder of differences takes 5. Of 16 steps 8 carries count 2, 4 count 4, 2 count 8 and one 16, which is
 * counted by nibble look-ups: 16 XORs, 8 x 3, 7 adders of 5, 7 to count: 82. What is left of a level is carried on to the next one.
 * The REGISTERS of a plane of weights do not fit 16 registers: they are operands in memory, from r11 on, as in the kernel, whose
 * chains have 64 steps, too: what a pair of planes takes besides its blocks is shared by as many steps.
 *
 *   ymm0 accumulator   ymm1 sum of what is counted   ymm2, ymm15 parity, in turns   ymm3 twos   ymm4 fours   ymm5 eights
 *   ymm6 counts of sixteens   ymm7 0x0f   ymm8 counts of a nibble   ymm13 zero   ymm9-12, ymm14 carries, temporaries
 *   rcx activations, rdx weights of a block   al blocks left of a pair   ah pairs left of a level
 */
#define BLOCK_STEPS 16
#include "micro/families/bit_serial/bit_serial_frame.h"

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

.macro parity into, step
    vpbroadcastq ymm\into, [rcx + (\step) * 8]
    vpxor ymm\into, ymm\into, [rdx + (\step) * VECTOR_BYTES]
.endm

/* carry of two steps; the parity moves from one register to another */
.macro carry into, from, to, step
    parity \into, %(\step)
    parity \to, %(\step + 1)
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

.macro four into, free, step
    carry \into, 2, 15, %(\step)
    carry \free, 15, 2, %(\step + 2)
    full 3, \into, \free
.endm

.macro eight into, free, second, step
    four \into, \free, %(\step)
    four \free, \second, %(\step + 4)
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

/* of planes that count for 2^level together */
.macro pair level
    LOCAL block
    mov al, REGISTERS / BLOCK_STEPS
    vpxor xmm2, xmm2, xmm2
    vpxor xmm6, xmm6, xmm6
block:
    eight 9, 10, 11, 0
    eight 10, 11, 12, 8
    full 5, 9, 10
    count 9
    vpaddb ymm6, ymm6, ymm9
    add rcx, BLOCK_STEPS * 8
    add rdx, BLOCK_STEPS * VECTOR_BYTES
    dec al
    jnz block
    widen 6, %(\level + 4)
    count 2
    widen 2, \level
.endm

/* Pairs of the planes i and j = level - i, as many as there are, from `first` of i on. They are a loop, and so are their blocks:
   unrolled, they would not fit an op cache. A pair leaves rdx at the plane i + 1. */
.macro pairs_of level, first, count
    LOCAL again
    lea rdx, [r11 + \first * REGISTERS * VECTOR_BYTES]
    lea rcx, [rsi + (\level - \first) * REGISTERS * 8]
    mov ah, \count
again:
    pair \level
    sub rcx, 2 * REGISTERS * 8
    dec ah
    jnz again
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

.macro level_group level
    .set pair_first, 0
    .if \level >= ACTIVATION_BITS
    .set pair_first, \level - ACTIVATION_BITS + 1
    .endif
    .set pair_last, \level
    .if \level >= WEIGHT_BITS
    .set pair_last, WEIGHT_BITS - 1
    .endif
    level_begins \level
    pairs_of \level, %(pair_first), %(pair_last - pair_first + 1)
.endm

.macro group
    .set pair_level, 0
    .rept WEIGHT_BITS + ACTIVATION_BITS - 1
    level_group %(pair_level)
    .set pair_level, pair_level + 1
    .endr
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
