/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, masks, without VNNI, sums kept in 16 bits: the products of eight registers along K are added as words before one
 * vpmaddwd and one vpaddd. A product pair is at most 15 * 127 * 2 = 3810, eight of them 30480: within a word, a ninth is not.
 * 8 shifts, 16 AND, 16 vpmaddubsw, 14 vpaddw and 2 times vpmaddwd, vpaddd for 16 output vectors. Weights are u = w + 8.
 *
 *     register, 32 bytes = [m8][k4] bytes of two nibbles: low rows 0-7, high rows 8-15
 *
 *   Golden Cove        58 uops on p015, 26 of them multiplications and shifts on p01: >= 1.208
 *   Skylake            the same ports: >= 1.208; 58 uops, 4 a cycle: 0.91
 *   Haswell            multiplications and shifts on p0: 26 / 16: >= 1.625
 *   Zen 3              58 on 4 pipes, 18 multiplications on 2, 8 shifts on 2: >= 0.906; 16 loads, 2 a cycle: 0.5
 *
 * The high nibble in place, 240 * 127 * 2, would leave 16 bits, and so would the whole byte of a prefix sum. The activations
 * of a register are a memory operand.
 *
 *   ymm0-3 accumulators   ymm4, ymm5 word sums   ymm6 product   ymm7 mask   ymm8-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            16.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             4
#define WEIGHT_BYTES     256
#define ACTIVATION_BYTES 256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm7, eax
    vpbroadcastd ymm7, xmm7
.endm

.macro load_weights base, offset
    vmovdqu ymm8, [\base + \offset]
    vmovdqu ymm9, [\base + \offset + 32]
    vmovdqu ymm10, [\base + \offset + 64]
    vmovdqu ymm11, [\base + \offset + 96]
    vmovdqu ymm12, [\base + \offset + 128]
    vmovdqu ymm13, [\base + \offset + 160]
    vmovdqu ymm14, [\base + \offset + 192]
    vmovdqu ymm15, [\base + \offset + 224]
.endm

.macro dot_into number, source
    vpaddd ymm\number, ymm\number, \source
.endm

.macro two_nibbles_first weights, activations
    vpand ymm4, \weights, ymm7
    vpmaddubsw ymm4, ymm4, [rsi + \activations]
    vpsrlw ymm5, \weights, 4
    vpand ymm5, ymm5, ymm7
    vpmaddubsw ymm5, ymm5, [rsi + \activations]
.endm

.macro two_nibbles weights, activations
    vpand ymm6, \weights, ymm7
    vpmaddubsw ymm6, ymm6, [rsi + \activations]
    vpaddw ymm4, ymm4, ymm6
    vpsrlw ymm6, \weights, 4
    vpand ymm6, ymm6, ymm7
    vpmaddubsw ymm6, ymm6, [rsi + \activations]
    vpaddw ymm5, ymm5, ymm6
.endm

.macro group
    two_nibbles_first ymm8, 0
    two_nibbles ymm9, 32
    two_nibbles ymm10, 64
    two_nibbles ymm11, 96
    two_nibbles ymm12, 128
    two_nibbles ymm13, 160
    two_nibbles ymm14, 192
    two_nibbles ymm15, 224
    vpmaddwd ymm4, ymm4, [rip + .Lones]
    dot ymm4
    vpmaddwd ymm5, ymm5, [rip + .Lones]
    dot ymm5
.endm

    sequence_functions
#else
/** Of the low nibbles, or the high. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    int32_t *lanes = sum;
    for (unsigned i = 0; i < WEIGHT_BYTES; i++)
        lanes[i % 32 / 4] += (data->weights[i] >> 4 * dot & 15) * (int8_t)data->activations[i];
}
#endif
