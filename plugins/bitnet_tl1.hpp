/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLUGINS_BITNET_TL1_HPP
#define PLUGINS_BITNET_TL1_HPP

/**
 * What the plug-ins of bitnet.cpp's TL1 share, one for each model that its generator has a preset of. An adapter includes the preset's
 * bitnet-lut-kernels-tl1.h first, which may be in one plug-in once: each has functions of the same names.
 *
 * Kernels of one shape each: bitnet_tiles.hpp. The weights are those of our formats tl1_<BM>x<BK>x<bm>, and of a model file's tensor.
 *
 * GEMV: qgemm_lut() of each tile, as its ggml_qgemm_lut() calls it; it has no other. Making tables is its ggml_preprocessor(). The scale of
 * weights is 1.
 */
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "micro/families/lookup/tl1_tiles.h"
#include "plugins/bitnet_tiles.hpp"

namespace
{

constexpr std::size_t TABLE = 32; /* bytes of a pair: 16 high ones, 16 low ones */

/** What the numbers of a shape make: M is what their dispatch goes by. */
template <int M, int K, int BM, int BK, int ROWS> struct shape {
    static std::size_t operand_bytes(std::size_t)
    {
        return SCALE + K / 2 * TABLE;
    }

    static void prepare(const void *activations, std::size_t, void *prepared)
    {
        auto *bytes = static_cast<std::uint8_t *>(prepared);
        ggml_preprocessor(M, K, const_cast<void *>(activations), bytes, bytes + SCALE);
    }

    static void gemv(const gemv_slice *slice)
    {
        float one = 1;
        auto *operand = static_cast<std::uint8_t *>(const_cast<void *>(slice->prepared));
        for (std::size_t panel = 0; panel < slice->panels; panel++)
            ggml_qgemm_lut(M, K, const_cast<std::uint8_t *>(slice->weights) + panel * slice->panel_bytes,
                           operand + SCALE, &one, operand, slice->out_f32 + panel * BM);
    }

    static kernel_row row(const std::uint8_t *panel, std::size_t, std::uint32_t row, const void *prepared)
    {
        const auto *operand = static_cast<const std::uint8_t *>(prepared);
        float scale;
        std::memcpy(&scale, operand, sizeof scale);
        kernel_row sum = {};
        for (std::size_t column = 0; column < K; column += 2) {
            unsigned shift;
            std::size_t at = tl1_tiles_index_at(BK, ROWS, row, column % BK, &shift);
            unsigned index = panel[column / BK * (BM * BK / 4) + at] >> shift & 15;
            const std::uint8_t *table = operand + SCALE + column / 2 * TABLE;
            int term = table[16 + index] + 256 * static_cast<std::int8_t>(table[index]);
            sum.y += term;
            sum.magnitude += std::abs(term);
        }
        sum.y /= static_cast<double>(scale);
        sum.magnitude /= static_cast<double>(scale);
        return sum;
    }
};

template <int M, int K, int BM, int BK, int ROWS> kernel made(const char *name, const char *sequence, const format *of)
{
    return tiles_kernel<shape<M, K, BM, BK, ROWS>, K>(name, sequence, of);
}

} // namespace

#endif
