/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q8_0, sixteen blocks of one row as they are stored. Two blocks are put side by side (in a kernel as one of them is loaded); of
 * four blocks vshufi64x2 makes a register of first halves and one of second halves, so that vpdpbusd leaves four sums of a block. They are
 * added in 32 bits, neighbours of two groups of blocks at once, which leaves a lane for each of the sixteen blocks. vpxord adds 128 to the
 * codes, which vpdpbusd wants unsigned. Scales are 34 bytes apart: a vpermw for each two.
 * Of 16 blocks: 8 vpblendmq, 8 vshufi64x2, 8 vpxord, 8 vpdpbusd, 8 vpermw, 6 unpacks, 4 additions, 5 of scales and sums.
 * Golden Cove at 512 bits: 55 on p05 (23 of them on p5 only): 27.5 cycles, 1.72 per output vector.
 *
 *   zmm0 accumulator   zmm1-3 sums of four blocks   zmm4, zmm5 two blocks each, then halves of four; partial sums   zmm6 scales
 *   zmm7 words of scales   zmm8-15 first of two blocks   zmm16-23 in the upper half the second   zmm24-31 both scales of two blocks
 *   k1 upper half, which is where the second scales go   k2-k7 the scales of two blocks, those of the groups 1-3
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     544
#define ACTIVATION_BYTES 640 /* [group][half][quarter][16] int8; from OFFSET minus 128 times their sum, from SCALE the scale, by lane */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define OFFSET 512
#define SCALE  576

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
.Lscales:
    .irp word, 0, 17, 0, 17
    .fill 4, 2, \word
    .endr
    .fill 16, 2, 0
.Lsign: .long 0x80808080

.macro load_constants
    vmovdqa64 zmm7, [rip + .Lscales]
    mov eax, 0xff00
    kmovd k1, eax
    mov eax, 0x0022
    kmovd k2, eax
    mov eax, 0x2200
    kmovd k3, eax
    mov eax, 0x0044
    kmovd k4, eax
    mov eax, 0x4400
    kmovd k5, eax
    mov eax, 0x0088
    kmovd k6, eax
    mov eax, 0x8800
    kmovd k7, eax
.endm

.macro load_weights base, offset
    .irp pair, 0, 1, 2, 3, 4, 5, 6, 7
    load_pair %(8 + \pair), %(16 + \pair), %(24 + \pair), <\base + \offset + 68 * \pair>
    .endr
.endm

.macro load_pair first, second, scales, address
    vmovdqu ymm\first, [\address + 2]
    vmovdqu64 zmm\second, [\address + 4]
    vmovdqu64 zmm\scales, [\address]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm6, \source
.endm

.macro two_blocks codes, first, second
    vpblendmd zmm\codes{k1}, zmm\first, zmm\second
.endm

/* of four blocks; the xor of their first halves is to zmm4, so that their register begins the sums */
.macro blocks number, sums
    two_blocks 4, %(8 + 2 * \number), %(16 + 2 * \number)
    two_blocks 5, %(9 + 2 * \number), %(17 + 2 * \number)
    vshufi64x2 zmm\sums, zmm4, zmm5, 0x88
    vshufi64x2 zmm5, zmm4, zmm5, 0xdd
    vpxord zmm4, zmm\sums, dword ptr [rip + .Lsign]{1to16}
    vpxord zmm5, zmm5, dword ptr [rip + .Lsign]{1to16}
    vpxord zmm\sums, zmm\sums, zmm\sums
    vpdpbusd zmm\sums, zmm4, [rsi + 128 * \number]
    vpdpbusd zmm\sums, zmm5, [rsi + 128 * \number + 64]
.endm

/* lanes of a and b, each pair of neighbours in turn, of 32 or (`dq`) 64 bits */
.macro add_lanes width, to, a, b
    vpunpckl\width zmm4, zmm\a, zmm\b
    vpunpckh\width zmm5, zmm\a, zmm\b
    vpaddd zmm\to, zmm4, zmm5
.endm

.macro group
    blocks 0, 1
    vpermw zmm6, zmm7, zmm24
    vpermw zmm6{k1}, zmm7, zmm25
    blocks 1, 2
    vpermw zmm6{k2}, zmm7, zmm26
    vpermw zmm6{k3}, zmm7, zmm27
    add_lanes dq, 1, 1, 2
    blocks 2, 2
    vpermw zmm6{k4}, zmm7, zmm28
    vpermw zmm6{k5}, zmm7, zmm29
    blocks 3, 3
    vpermw zmm6{k6}, zmm7, zmm30
    vpermw zmm6{k7}, zmm7, zmm31
    add_lanes dq, 2, 2, 3
    add_lanes qdq, 1, 1, 2
    vpaddd zmm1, zmm1, [rsi + OFFSET]
    vcvtdq2ps zmm1, zmm1
    vcvtph2ps zmm6, ymm6
    vmulps zmm6, zmm6, [rsi + SCALE]
    dot zmm1
.endm

    sequence_functions
#else
#define CODES_ARE_BYTES
#include "micro/families/block32/block32_rows16_reference.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    rows16_refer(data, NULL, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    rows16_fill(weights, activations, 128, seed);
    for (uint32_t i = 0; i < BLOCKS * 32 && seed % 4 >= 2; i++)
        weights[i / 32 * BLOCK_BYTES + 2 + i % 32] = seed % 4 == 2 ? 0x80 : 0x7f;
}
#endif
