/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights bit by bit, as T-MAC looks them up: byte r holds for row r the lower bits of four weights in its lower
 * nibble and their upper bits in its upper one. A set bit adds the activation and a clear one subtracts it; the 16 sums
 * of four activations are quantized to int8. Both bits have accumulators of their own, the upper one's counts twice at
 * the end: a weight of code c is c - 3/2. 1 shift, 2 ANDs, 2 vpshufb, 2 vextracti128, 4 vpmovsxbw, 4 vpaddw: 15 uops
 * for 4 output vectors.
 * Golden Cove: vextracti128 and vpmovsxbw 6 on p5: >= 1.50. Zen 3: vpmovsxbw of 256 bits takes two uops, FP12.
 *
 *   ymm0-7 accumulators: lower bits of rows 0-15, of rows 16-31, upper bits of both, in turns   ymm8-11 temporaries
 *   ymm12 mask 0x0f   ymm14 table   ymm15 weights
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    4
#define LEAST            4
#define MOST             8
#define ACTIVATION_BYTES 20
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm12, eax
    vpbroadcastd ymm12, xmm12
    vbroadcasti128 ymm14, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu ymm15, [\base + \offset]
.endm

.macro dot_into number, source
    vpaddw ymm\number, ymm\number, \source
.endm

.macro look_up index
    vpshufb ymm9, ymm14, \index
    vpmovsxbw ymm10, xmm9
    vextracti128 xmm9, ymm9, 1
    dot ymm10
    vpmovsxbw ymm11, xmm9
    dot ymm11
.endm

.macro group
    vpsrlw ymm8, ymm15, 4
    vpand ymm9, ymm15, ymm12
    vpand ymm8, ymm8, ymm12
    look_up ymm9
    look_up ymm8
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

enum { DIVISOR = 4 }; /* 127 * 4 fits */

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 16;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 16; word++) {
        uint32_t byte = data->weights[dot % 2 * 16 + word], bits = byte >> dot / 2 * 4 & 15;
        words[word] = (uint16_t)(words[word] + lookup_quantize(tmac_value(bits, activations), DIVISOR));
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 16;
    reference_random_int8(values, 4, &seed);
    lookup_table(activations, tmac_value, values, DIVISOR);
}

#endif
