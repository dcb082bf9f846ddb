/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of floats times floats, 32 columns of a row: f32 are multiplied as they are, f16 and bf16 widened before, exact. `dot` widens all of them and then
 * multiplies, as the kernel does; `widen` one register after the other.
 *
 *                  uops   per output vector
 *   f32   AVX2     4      Golden Cove, Skylake, Zen 3: two pipes: >= 2.0; what the kernel waits for is its loads
 *         AVX512   2      Golden Cove: p05: >= 1.0; a core whose zmm vfmadd are p0 alone: 2.0. Zen 4: each takes its pipe twice: 2.0
 *   f16   AVX2     12     4 vcvtph2ps of a register, p5 and p01, 4 vfmadd p01: Golden Cove, Haswell, Skylake: 8 on p01: >= 4.0. Zen 3: vcvtph2ps 2 uops on 2
 *                         pipes, vfmadd on 2: >= 4.0. One that loads its words saves the p5, so a kernel pays 8; p01 binds it alike. By integers (unpack,
 *                         vpsrad 3, AND, and 2^112 in the row's scale) a float takes one uop more
 *         AVX512   6      2 vcvtph2ps, p0 and p5: >= 2.0; with 2 vfmadd 6 uops on p05: >= 3.0; with vfmadd on p0 alone 4.0
 *   bf16  AVX2     8      4 vfmadd, 1 vpslld p01, 2 vpunpck p5, 1 vpand p015: Golden Cove, Skylake: 8 on p015, 5 on p01: >= 2.667. Haswell: vfmadd p01, vpslld p0:
 *                         >= 2.667. Zen 3: vfmadd on FP0-1, shuffles and shifts on FP1-2: 7 uops on three pipes: >= 2.333. `widen` takes 12, by vpmovzxwd, a
 *                         shuffle across lanes, and a shift for each 8 weights. A float whose lower half still holds its neighbour would save the AND, and
 *                         be wrong by up to a unit in the last place of its bfloat16
 *         AVX512   4      vpslld p0, vpandd and 2 vfmadd p05: >= 2.0; with vfmadd on p0 alone 3.0. vpmovzxwd and a shift for each 16 weights take 6
 *
 *   ymm0-7 accumulators   ymm8-11 activations   ymm12-15 weights; of f16 xmm8-11 weights   ymm12-15 widened   of widen ymm0-9   ymm10 floats   xmm12-15
 *   zmm0-11 accumulators   zmm28, zmm29 activations   zmm30, zmm31 weights; of f16 ymm26, ymm27 weights   zmm30, zmm31 widened   of widen zmm28 floats
 *   of bf16 ymm0-10 accumulators   ymm11 floats   ymm12, ymm13 constants   ymm14, ymm15 weights; zmm27 a constant   zmm30 weights   zmm31 floats
 */
#ifdef ONE_BY_ONE
#define ORIGIN "envelope"
#else
#define ORIGIN "kneepoint"
#endif
#if defined VECTOR_IS_ZMM
#define MOST 12
#elif defined ONE_BY_ONE
#define MOST 10
#elif defined WEIGHTS_ARE_BF16
#define MOST 11
#else
#define MOST 8
#endif
#if defined WEIGHTS_ARE_F16
#define BYTES        64.0
#define WEIGHT_BYTES 64
#define WEIGHT_FILL  FILL_F16
#elif defined WEIGHTS_ARE_BF16
#define BYTES        64.0
#define WEIGHT_BYTES 64
#define WEIGHT_FILL  FILL_BF16
#else
#define BYTES        128.0
#define WEIGHT_BYTES 128
#define WEIGHT_FILL  FILL_F32
#endif
#define GROUP_DOTS       (128 / VECTOR_BYTES)
#define GROUP_VECTORS    1
#define LEAST            1
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#if defined WEIGHTS_ARE_BF16 && defined VECTOR_IS_ZMM
#define FLOATS zmm31
#elif defined WEIGHTS_ARE_BF16
#define FLOATS ymm11
#endif
#include "micro/families/floats/float_dot.inc"

#if defined ONE_BY_ONE
.macro load_constants
.endm

.macro one float, weights, activations
#ifdef WEIGHTS_ARE_F16
    vcvtph2ps \float, \weights
#else
    vpmovzxwd \float, \weights
    vpslld \float, \float, 16
#endif
    dot \float, [rsi + \activations]
.endm

#ifdef VECTOR_IS_ZMM
.macro load_weights base, offset
    vmovdqu64 ymm30, [\base + \offset]
    vmovdqu64 ymm31, [\base + \offset + 32]
.endm

.macro group
    one zmm28, ymm30, 0
    one zmm28, ymm31, 64
.endm
#else
.macro load_weights base, offset
    vmovdqu xmm12, [\base + \offset]
    vmovdqu xmm13, [\base + \offset + 16]
    vmovdqu xmm14, [\base + \offset + 32]
    vmovdqu xmm15, [\base + \offset + 48]
.endm

.macro group
    one ymm10, xmm12, 0
    one ymm10, xmm13, 32
    one ymm10, xmm14, 64
    one ymm10, xmm15, 96
.endm
#endif

#elif defined WEIGHTS_ARE_BF16
#ifdef VECTOR_IS_ZMM
.macro load_constants
    vmovups zmm28, [rsi]
    vmovups zmm29, [rsi + 64]
    step_constants eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

.macro group
    group_of zmm30, zmm28, zmm29
.endm
#else
.macro load_constants
    step_constants eax
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
    vmovdqu ymm15, [\base + \offset + 32]
.endm

.macro group
    group_of_unpacked ymm14, <[rsi]>, <[rsi + 32]>
    group_of_shifted ymm15, <[rsi + 64]>, <[rsi + 96]>
.endm
#endif

#elif defined VECTOR_IS_ZMM
.macro load_constants
    vmovups zmm28, [rsi + 0]
    vmovups zmm29, [rsi + 64]
.endm

.macro load_weights base, offset
#if WEIGHT_BYTES == 128
    vmovups zmm30, [\base + \offset + 0]
    vmovups zmm31, [\base + \offset + 64]
#else
    vmovdqu64 ymm26, [\base + \offset + 0]
    vmovdqu64 ymm27, [\base + \offset + 32]
#endif
.endm

.macro group
#if WEIGHT_BYTES == 128
    group_of zmm30, zmm31, zmm28, zmm29
#else
    group_of ymm26, ymm27, zmm28, zmm29
#endif
.endm

#elif WEIGHT_BYTES == 128
.macro load_constants
    vmovups ymm8, [rsi + 0]
    vmovups ymm9, [rsi + 32]
    vmovups ymm10, [rsi + 64]
    vmovups ymm11, [rsi + 96]
.endm

.macro load_weights base, offset
    vmovups ymm12, [\base + \offset + 0]
    vmovups ymm13, [\base + \offset + 32]
    vmovups ymm14, [\base + \offset + 64]
    vmovups ymm15, [\base + \offset + 96]
.endm

.macro group
    group_of ymm12, ymm13, ymm14, ymm15, ymm8, ymm9, ymm10, ymm11
.endm

#else
.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu xmm8, [\base + \offset + 0]
    vmovdqu xmm9, [\base + \offset + 16]
    vmovdqu xmm10, [\base + \offset + 32]
    vmovdqu xmm11, [\base + \offset + 48]
.endm

.macro group
    group_of xmm8, xmm9, xmm10, xmm11, <[rsi]>, <[rsi + 32]>, <[rsi + 64]>, <[rsi + 96]>
.endm
#endif

    sequence_functions

#else

/** The weight that float i of a dot is. */
static unsigned weight_of(uint32_t dot, unsigned i)
{
#if !defined WEIGHTS_ARE_BF16 || defined ONE_BY_ONE
    return VECTOR_BYTES / 4 * dot + i;
#elif defined VECTOR_IS_ZMM
    return 2 * i + dot;
#else
    return dot < 2 ? 4 * dot + i + i / 4 * 4 : 16 + 2 * i + (dot - 2);
#endif
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < VECTOR_BYTES / 4; i++) {
        unsigned at = weight_of(dot, i), activation = VECTOR_BYTES / 4 * dot + i;
#if defined WEIGHTS_ARE_F16
        float weight = reference_f16(reference_word(data->weights, at));
#elif defined WEIGHTS_ARE_BF16
        float weight = reference_bf16(reference_word(data->weights, at));
#else
        float weight = reference_f32(data->weights, at);
#endif
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, activation));
    }
}

#endif
