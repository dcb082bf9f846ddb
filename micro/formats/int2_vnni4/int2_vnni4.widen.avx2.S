/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, masks, without VNNI, sums kept in 16 bits: the products of six registers along K are added as words before one
 * vpmaddwd and one vpaddd. In place at bits 2-3 a product pair is at most 12 * 127 * 2, six of them 18288, ten of them
 * 30480: within a word. Bits 4-7 are shifted down once, as 48 * 127 * 2 would fit two times only and 192 * 127 * 2 never.
 * 6 shifts, 24 AND, 24 vpmaddubsw, 20 vpaddw and 4 times vpmaddwd, vpaddd for 24 output vectors. The accumulators of the
 * fields in place are shifted right once at the end.
 *
 *   Golden Cove        82 uops on p015, 34 of them multiplications and shifts on p01: >= 1.139
 *   Skylake            the same ports: >= 1.139; 82 uops, 4 a cycle: 0.85
 *   Haswell            multiplications and shifts on p0: 34 / 24: >= 1.417
 *   Zen 3              82 on 4 pipes, 28 multiplications on 2, 6 shifts on 2: >= 0.854; 24 loads, 2 a cycle: 0.5
 *
 * int2_vnni4.mask widens each dot product and takes 17 uops for 4 vectors, >= 1.42. More registers a group gain little
 * (3.25 + 4 / 24 uops a vector) and sixteen registers do not hold them. The activations of a register are a memory operand.
 *
 *   ymm0-3 accumulators   ymm4, ymm5 word sums   ymm6 product   ymm7 shifted weights   ymm8, ymm9 masks   ymm10-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    24
#define LEAST            4
#define MOST             4
#define WEIGHT_BYTES     192
#define ACTIVATION_BYTES 192
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1

.macro load_constants
    mov eax, 0x03030303
    vmovd xmm8, eax
    vpbroadcastd ymm8, xmm8
    mov eax, 0x0c0c0c0c
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
.endm

.macro load_weights base, offset
    vmovdqu ymm10, [\base + \offset]
    vmovdqu ymm11, [\base + \offset + 32]
    vmovdqu ymm12, [\base + \offset + 64]
    vmovdqu ymm13, [\base + \offset + 96]
    vmovdqu ymm14, [\base + \offset + 128]
    vmovdqu ymm15, [\base + \offset + 160]
.endm

.macro dot_into number, source
    vpaddd ymm\number, ymm\number, \source
.endm

.macro two_fields_first weights, activations
    vpand ymm4, \weights, ymm8
    vpmaddubsw ymm4, ymm4, [rsi + \activations]
    vpand ymm5, \weights, ymm9
    vpmaddubsw ymm5, ymm5, [rsi + \activations]
.endm

.macro two_fields weights, activations
    vpand ymm6, \weights, ymm8
    vpmaddubsw ymm6, ymm6, [rsi + \activations]
    vpaddw ymm4, ymm4, ymm6
    vpand ymm6, \weights, ymm9
    vpmaddubsw ymm6, ymm6, [rsi + \activations]
    vpaddw ymm5, ymm5, ymm6
.endm

.macro widen_both
    vpmaddwd ymm4, ymm4, [rip + .Lones]
    dot ymm4
    vpmaddwd ymm5, ymm5, [rip + .Lones]
    dot ymm5
.endm

.macro upper_fields weights, activations
    vpsrlw ymm7, \weights, 4
    two_fields ymm7, \activations
.endm

.macro group
    two_fields_first ymm10, 0
    two_fields ymm11, 32
    two_fields ymm12, 64
    two_fields ymm13, 96
    two_fields ymm14, 128
    two_fields ymm15, 160
    widen_both
    vpsrlw ymm7, ymm10, 4
    two_fields_first ymm7, 0
    upper_fields ymm11, 32
    upper_fields ymm12, 64
    upper_fields ymm13, 96
    upper_fields ymm14, 128
    upper_fields ymm15, 160
    widen_both
.endm

    sequence_functions
#else
/** Of field `dot` of the bytes; at bits 2-3 of its nibble, four times the weight. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    int32_t *lanes = sum;
    for (unsigned i = 0; i < WEIGHT_BYTES; i++) {
        int32_t weight = data->weights[i] >> 2 * dot & 3;
        lanes[i % 32 / 4] += weight * (dot % 2 ? 4 : 1) * (int8_t)data->activations[i];
    }
}
#endif
