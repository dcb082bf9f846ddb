/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ptq1_0, two blocks of each of four rows: micro/formats/ptq1_0/rows.avx512_vnni.c in assembly. No digit is taken from its byte: ptq1_0_m16.lanes.avx512_vnni.
 * 128 uops issued: 120 of arithmetic, 8 loads. Golden Cove at 512 bits, on two ports: 1.88 cycles per output vector; Zen 5, on four: 0.94.
 *
 *   zmm0-3 accumulators   zmm4-7 weights   zmm14 words of scales   the others temporaries
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            7.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     224
#define ACTIVATION_BYTES 448
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define PTQ1_0_ROWS_START 320
#define PTQ1_0_ROWS_SCALE 384

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
.Lscales: .fill 7, 2, 13
    .fill 25, 2, 27
.Lzero: .long 0
    .text

.macro load_constants
    mov rax, 0xffffffffffffff
    kmovq k1, rax
    vmovdqa64 zmm14, [rip + .Lscales]
.endm

.macro load_weights base, offset
    load_row 4, \base, \offset
    load_row 5, \base, %(\offset + 56)
    load_row 6, \base, %(\offset + 112)
    load_row 7, \base, %(\offset + 168)
.endm

.macro load_row number, base, offset
    vmovdqu8 zmm\number{k1}{z}, [\base + \offset]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm9, \source
.endm

.macro digit from, number
    vpdpbusd zmm8, zmm\from, [rsi + 64 * \number]
    vpaddb zmm9, zmm\from, zmm\from
    vpaddb zmm11, zmm\from, zmm9
    vpdpbusd zmm10, zmm11, [rsi + 64 * \number]
.endm

.macro row from, scale
    vpbroadcastd zmm8, dword ptr [rip + .Lzero]
    vpbroadcastd zmm10, dword ptr [rip + .Lzero]
    digit \from, 0
    digit 11, 1
    digit 11, 2
    digit 11, 3
    digit 11, 4
    vpaddd zmm9, zmm8, zmm8
    vpaddd zmm8, zmm8, zmm9
    vpsubd zmm10, zmm8, zmm10
    vpaddd zmm10, zmm10, [rsi + PTQ1_0_ROWS_START]
    vcvtdq2ps zmm10, zmm10
    vpermw zmm9, zmm14, zmm\from
    vcvtph2ps zmm9, ymm9
    vmulps zmm9, zmm9, [rsi + PTQ1_0_ROWS_SCALE]
    dot zmm10
.endm

.macro group
    row 4, 12
    row 5, 13
    row 6, 14
    row 7, 15
.endm

    sequence_functions
#else
#include "micro/formats/ptq1_0/ptq1_0_rows.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    ptq1_0_rows_refer(data, dot, 256, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ptq1_0_rows_fill(weights, activations, -256, seed);
}
#endif
