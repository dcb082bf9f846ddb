/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bfloat16 with one uop of up-convert a float: a word becomes a float where it lands in an upper half with zeros below.
 * One register is unpacked with zeros (vpunpcklwd, vpunpckhwd); of the other the odd words are masked in place (vpand) and
 * the even ones shifted up (vpslld). The activations come in the order that this leaves. The two ways differ in their ports,
 * so that both of Skylake's bottlenecks, p5 for shuffles and p01 for shifts, get less than a third. 8 uops for 32 weights.
 *
 *   Golden Cove        8 uops on p015; vfmadd, vpslld p01: 5: >= 2.667      Skylake   the same, vpunpck p5: >= 2.667
 *   Haswell            vfmadd p01, vpslld p0, vpunpck p5: >= 2.667
 *   Zen 3              vfmadd on FP0-1, shuffles and shifts on FP1-2: 7 uops on three pipes: >= 2.333
 *
 * bf16.widen takes 12: a widening across lanes and a shift for each float. A float whose lower half still holds its
 * neighbour would save the AND, and be wrong by up to a unit in the last place of its bfloat16.
 *
 *   ymm0-10 accumulators   ymm11 floats   ymm12 zero   ymm13 mask of upper halves   ymm14, ymm15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             11
#define WEIGHT_BYTES     64
#define WEIGHT_FILL      FILL_BF16
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    vpxor xmm12, xmm12, xmm12
    mov eax, 0xffff0000
    vmovd xmm13, eax
    vpbroadcastd ymm13, xmm13
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
    vmovdqu ymm15, [\base + \offset + 32]
.endm

/* source is the memory operand of eight activations */
.macro dot_into number, source
    vfmadd231ps ymm\number, ymm11, \source
.endm

.macro group
    vpunpcklwd ymm11, ymm12, ymm14
    dot [rsi]
    vpunpckhwd ymm11, ymm12, ymm14
    dot [rsi + 32]
    vpslld ymm11, ymm15, 16
    dot [rsi + 64]
    vpand ymm11, ymm15, ymm13
    dot [rsi + 96]
.endm

    sequence_functions
#else
/** Word of the 32 that is float `lane` of dot product `dot`. */
static unsigned word_of(uint32_t dot, unsigned lane)
{
    if (dot < 2)
        return lane / 4 * 8 + dot * 4 + lane % 4;
    return 16 + 2 * lane + (dot - 2);
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 8; i++) {
        float weight = reference_bf16(reference_word(data->weights, word_of(dot, i)));
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 8 * dot + i));
    }
}
#endif
