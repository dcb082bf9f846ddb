/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp as a plug-in: the products of its I2_S, ternary weights in rows, compiled out of a checkout, GEMV and GEMM.
 *
 *     needs: ggml-bitnet.h
 *     variable: BITNET
 *     checkout: bitnet.cpp (BitNet), which need not be built
 *     headers: include src
 *     flags: -O3 -march=native -isystem plugins/bitnet_ggml
 *
 * A GEMV is ggml_vec_dot_i2_i8_s() of each row and a GEMM that of each row and four tokens, as its configuration has it (gemm-config.h,
 * ACT_PARALLEL), the tokens beyond the last four one by one. It is compiled as its own build does, with -O3 for this CPU. Codes are w + 1;
 * what that adds is taken off each result, here as in its caller. bitnet_tl2.cpp has its TL2; its TL1, for
 * Arm, is left out.
 *
 * What the source needs of ggml, which is not used by its products, is declared in bitnet_ggml.
 */
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include <ggml-bitnet-mad.cpp>

#include "micro/plugin.h"

#if !defined(ACT_PARALLEL) || !defined(__AVX2__)
#error                                                                                                                 \
    "this plug-in is written for bitnet.cpp's products of one row and several tokens (ACT_PARALLEL in gemm-config.h), on AVX2"
#endif

namespace
{

void gemv(const gemv_slice *slice)
{
    for (std::size_t row = 0; row < slice->panels; row++) {
        float sum;
        ggml_vec_dot_i2_i8_s(static_cast<int>(slice->k), &sum, 0, slice->weights + row * slice->panel_bytes, 0,
                             slice->activations, 0, 1);
        slice->out[row] = add_wrapping(static_cast<std::int32_t>(sum), slice->correction);
    }
}

/** Of some tokens from one on; a multiple of four, or one. */
void multiply(const gemm_slice *slice, std::size_t row, std::size_t token, std::size_t tokens)
{
    float *out = slice->out + token * slice->out_stride + row;
    ggml_vec_dot_i2_i8_s(static_cast<int>(slice->k), out, slice->out_stride, slice->weights + row * slice->panel_bytes,
                         0, slice->activations + token * slice->activations_stride, slice->activations_stride,
                         static_cast<int>(tokens));
}

void gemm(const gemm_slice *slice)
{
    std::size_t together = slice->tokens / PARALLEL_SIZE * PARALLEL_SIZE;
    for (std::size_t row = 0; row < slice->panels; row++) {
        if (together)
            multiply(slice, row, 0, together);
        for (std::size_t token = together; token < slice->tokens; token++)
            multiply(slice, row, token, 1);
    }
    for (std::size_t token = 0; token < slice->tokens; token++) {
        float *out = slice->out + token * slice->out_stride;
        for (std::size_t row = 0; row < slice->panels; row++)
            out[row] = slice->scales[token] *
                       static_cast<float>(add_wrapping(static_cast<std::int32_t>(out[row]), slice->corrections[token]));
    }
}

format i2_s;
kernel i2_s_kernel;

kernel made()
{
    i2_s.name = "i2_s";
    kernel k = {};
    k.name = "i2_s.bitnet_cpp.reference";
    k.sequence = "bitnet_cpp";
    k.isa = "reference";
    k.format = &i2_s;
    k.gemv = gemv;
    k.gemm.run = gemm;
    k.k_most = 1 << 16;   /* sums pass through floats */
    k.wraps_beyond = 0.5; /* 64 bytes of a lane, twice, are added up in 16 bits */
    return k;
}

const kernel *const kernels[] = {&i2_s_kernel, nullptr};

int init(char *, std::size_t)
{
    i2_s_kernel = made();
    return 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .unused = 0,        .name = "bitnet_cpp", .version = PEER_VERSION,
                    .formats = nullptr,     .kernels = kernels, .sequences = nullptr, .init = init};
