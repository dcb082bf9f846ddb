/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLUGINS_BITNET_TL2_HPP
#define PLUGINS_BITNET_TL2_HPP

/**
 * What the plug-ins of bitnet.cpp's TL2 share, one for each model that its generator has a preset of. An adapter includes the preset's
 * bitnet-lut-kernels-tl2.h first, which may be in one plug-in once: each has functions of the same names.
 *
 * Kernels of one shape each: bitnet_tiles.hpp. The weights of a tile are those of our formats tl2_<BM>x<BK>, in which the three parts of a
 * tile follow each other.
 *
 * GEMV: three_qgemm_lut() and, where K is no multiple of BK, two_qgemm_lut() of each tile, with a batch of 1, as its ggml_qgemm_lut() calls
 * them. Its batches of more write the results of all tokens to one place (C is not advanced), so there is no GEMM. Making tables is
 * its ggml_preprocessor(). The scale of weights is 1.
 */
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "micro/families/lookup/tl2_tiles.h"
#include "plugins/bitnet_tiles.hpp"

namespace
{

constexpr std::size_t TABLE = 32; /* bytes of a group: 16 low ones, 16 high ones */

constexpr int triples_k(int k, int bk)
{
    return k / bk * bk;
}

/** What the numbers of a shape make: M is what their dispatch goes by. */
template <int M, int K, int BM, int BK> struct shape {
    static constexpr int triples = triples_k(K, BK), pairs = K - triples;
    static constexpr std::size_t pairs_at = SCALE + triples / 3 * TABLE;

    static std::size_t operand_bytes(std::size_t)
    {
        return pairs_at + pairs / 2 * TABLE;
    }

    static void prepare(const void *activations, std::size_t, void *prepared)
    {
        auto *bytes = static_cast<std::uint8_t *>(prepared);
        ggml_preprocessor(1, M, triples, pairs, const_cast<void *>(activations), bytes, bytes + SCALE,
                          bytes + pairs_at);
    }

    static void gemv(const gemv_slice *slice)
    {
        float one = 1;
        auto *operand = static_cast<std::uint8_t *>(const_cast<void *>(slice->prepared));
        for (std::size_t panel = 0; panel < slice->panels; panel++) {
            auto *tile = const_cast<std::uint8_t *>(slice->weights) + panel * slice->panel_bytes;
            auto *out = slice->out_f32 + panel * BM;
            ggml_qgemm_lut(1, M, K, triples, tile, tile + tl2_tiles_part_at(TL2_TILE_SIGNS, BM, BK, K), operand + SCALE,
                           &one, operand, out);
            ggml_qgemm_lut(1, M, K, pairs, tile + tl2_tiles_part_at(TL2_PAIRS, BM, BK, K), nullptr, operand + pairs_at,
                           &one, operand, out);
        }
    }

    /** An entry of a table: its low byte and its high one. */
    static int entry(const std::uint8_t *table, int index)
    {
        return table[index] + 256 * static_cast<std::int8_t>(table[16 + index]);
    }

    static kernel_row row(const std::uint8_t *panel, std::size_t, std::uint32_t row, const void *prepared)
    {
        const auto *operand = static_cast<const std::uint8_t *>(prepared);
        const std::uint8_t *signs = panel + tl2_tiles_part_at(TL2_TILE_SIGNS, BM, BK, K);
        const std::uint8_t *last = panel + tl2_tiles_part_at(TL2_PAIRS, BM, BK, K);
        float scale;
        std::memcpy(&scale, operand, sizeof scale);
        kernel_row sum = {};
        for (std::size_t triple = 0; triple < triples / 3; triple++) {
            unsigned bit, shift = triple % 2 ? 0 : 4;
            std::size_t at = tl2_tiles_sign_at(BM, BK, row, triple, &bit);
            int term =
                entry(operand + SCALE + triple * TABLE, panel[tl2_tiles_index_at(BM, BK, row, triple)] >> shift & 15);
            sum.y += signs[at] >> bit & 1 ? -term : term;
            sum.magnitude += std::abs(term);
        }
        for (std::size_t pair = 0; pair < pairs / 2; pair++) {
            unsigned shift = pair % 2 ? 0 : 4;
            int term = entry(operand + pairs_at + pair * TABLE, last[tl2_tiles_pair_at(BM, row, pair)] >> shift & 15);
            sum.y += term;
            sum.magnitude += std::abs(term);
        }
        sum.y /= static_cast<double>(scale);
        sum.magnitude /= static_cast<double>(scale);
        return sum;
    }
};

template <int M, int K, int BM, int BK> kernel made(const char *name, const char *sequence, const format *of)
{
    return tiles_kernel<shape<M, K, BM, BK>, K>(name, sequence, of);
}

} // namespace

#endif
