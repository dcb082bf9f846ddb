/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations are rounded to bfloat16, whose range is that of float: numbers below the normal ones become 0, as tdpbf16ps takes them.
 */
#define ROWS_PRODUCT tdpbf16ps
#include "micro/families/amx/amx_halves.h"
#include "micro/isa/half.h"

AMX_INLINE __m512i halves_rounded(__m512 first, __m512 second)
{
    return (__m512i)_mm512_cvtne2ps_pbh(second, first);
}

static float halves_factor(float most)
{
    (void)most;
    return 1;
}

static float halves_value(uint16_t bits)
{
    return bfloat_to_float(bits);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "bf16_tiles.rows16_k64_loads.amx_bf16",
    .prefetch_bytes = 1024,
    AMX_HALVES,
    .error_bound = 0x1p-8,
    .gemm = {AMX_HALVES_GEMM, .multiply = "bf16_tiles.rows16_k64.amx_bf16"},
};
