/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations are rounded to binary16, the largest of each token in [1/2, 1): what is below 2^-14 of it loses digits, and by then
 * no more than the largest does. tdpfp16ps takes binary16's denormals as the numbers they are.
 */
#define ROWS_PRODUCT tdpfp16ps
#include "micro/families/amx/amx_halves.h"
#include "micro/isa/half.h"

AMX_INLINE __m512i halves_rounded(__m512 first, __m512 second)
{
    const __m256i low = _mm512_cvtps_ph(first, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC),
                  high = _mm512_cvtps_ph(second, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/** Such that the inverse is a number too: of what lies below 2^-125 the largest may come out smaller. */
static float halves_factor(float most)
{
    int exponent = 0;
    if (most > 0 && most <= 0x1.fffffep127f)
        frexpf(most, &exponent);
    return ldexpf(1, exponent < -125 ? 125 : exponent > 125 ? -125 : -exponent);
}

static float halves_value(uint16_t bits)
{
    return half_to_float(bits);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "f16_tiles.rows16_k64_loads.amx_fp16",
    .prefetch_bytes = 1024,
    AMX_HALVES,
    .error_bound = 0x1p-11,
    .gemm = {AMX_HALVES_GEMM, .multiply = "f16_tiles.rows16_k64.amx_fp16"},
};
