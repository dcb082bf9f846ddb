/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1.6 bits, five rows a byte (layout: tq1_0_planes.prefix.avx512_vbmi_vnni.S), no digit ever extracted: with remainders
 * r0 = b, r(n+1) = 3 r(n) mod 256, digit n is (3 r(n) - r(n+1)) / 256. All digits meet the same activation a, so that
 * the sum of row n over K is (3 sum r(n) a - sum r(n+1) a) / 256, exactly, once at the end; 255 * 127 K leaves 32 bits
 * beyond K = 66000. Two vpaddb make the next remainder, vpdpbusd multiplies it as it is. 10 vpaddb, 6 vpdpbusd: 16 uops
 * for 5 output vectors.
 * Golden Cove: vpaddb p015, vpdpbusd p01: 16 / 3 ports: >= 1.07.
 *
 *   ymm0-9 accumulators   ymm10-13 remainders   ymm14 weights   ymm15 activations
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.4
#define GROUP_DOTS       6
#define GROUP_VECTORS    5
#define LEAST            6
#define MOST             10
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    vmovdqu ymm15, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

.macro dot_into number, source
    {vex} vpdpbusd ymm\number, \source, ymm15
.endm

.macro three_times to, source
    vpaddb ymm10, \source, \source
    vpaddb \to, ymm10, \source
    dot \to
.endm

.macro group
    dot ymm14
    three_times ymm11, ymm14
    three_times ymm12, ymm11
    three_times ymm13, ymm12
    three_times ymm11, ymm13
    three_times ymm12, ymm11
.endm

    sequence_functions

#else

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    static const uint32_t powers[] = {1, 3, 9, 27, 81, 243};
    int32_t *lanes = sum;
    for (uint32_t i = 0; i < 32; i++)
        lanes[i / 4] += (int32_t)(data->weights[i] * powers[dot] % 256) * (int8_t)data->activations[i];
}

#endif
