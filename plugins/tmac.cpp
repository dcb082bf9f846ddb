/* SPDX-License-Identifier: BSD-3-Clause
 *
 * T-MAC as a plug-in: its table lookups for weights of 2 to 4 bits with a scale each 128, and of 2 bits with one for the tensor, as it has
 * BitNet's models, compiled out of a checkout, GEMV and GEMM (of one scale for the tensor GEMV).
 *
 *     needs: tbl.cc
 *     variable: TMAC
 *     checkout: T-MAC, which need not be built
 *     headers: python/t_mac/intrins
 *     flags: -O3 -march=native
 *
 * Its build generates a loop over tiles for each matrix with TVM, and calls these functions in it: of a tile of bm = 128 * bits rows of
 * bits, and 4 * kfactor columns. The loop here is the one that it generates, for this bm and kfactor = 16, activations in groups of 64 and
 * sums of int16, as it has them by default; its tuner might choose another bm or kfactor for a matrix. It compiles them with clang,
 * as CXX=clang++ does here. Of several tokens up to eight meet a tile's columns (bn = 8). Scales lie after the weights
 * of their 128 rows, and not in a matrix of their own. Those of 2 bits are formats of the tool, whose renderings read the same bytes.
 *
 * A weight is (code - 2^(bits - 1)) * scale, and of the codes each bit looks up the sum of four activations, of which those with bit 1 are
 * added and the others subtracted. The tables are of 8 bits, with a scale each 64 activations: what row() gives. Of 1 bit its weights are
 * -1 and 0, unless a zero point comes to each scale, which is left out.
 */
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <lut_ctor.cc>
#include <tbl.cc>

#include "micro/isa/random.h"
#include "micro/plugin.h"

#ifndef __AVX2__
#error "this plug-in is written for T-MAC's lookups on AVX2: build it on a CPU that has it"
#endif

namespace
{

constexpr std::size_t ROWS = 128;       /* of weights, of a tile */
constexpr std::size_t GROUP = 128;      /* columns of a scale */
constexpr std::size_t ACTIVATIONS = 64; /* of a scale of tables, and of a call: 4 * kfactor */
constexpr std::size_t KFACTOR = 16;
constexpr std::size_t LANES = 8; /* rows of a bit that lie together */
constexpr std::size_t TOKENS = 8;
constexpr std::size_t TABLE = 16;

/* ---- weights: of each 64 columns [bm / 32][16][16] bytes, and after all of them of each 128 columns [128] scales ---- */

template <unsigned BITS> constexpr std::size_t TILE = ROWS *BITS;
template <unsigned BITS> constexpr std::size_t CALL_BYTES = KFACTOR *TILE<BITS> / 2;

/** Of one bit of a row's four columns: its byte within a panel, and of that the low or the high half. */
template <unsigned BITS> std::size_t place(std::size_t row, unsigned bit, std::size_t column, unsigned *shift)
{
    std::size_t m = row / LANES * LANES * BITS + bit * LANES + row % LANES;
    std::size_t quad = column % ACTIVATIONS / 4;
    *shift = static_cast<unsigned>(m % 32 / 16 * 4 + column % 4);
    return column / ACTIVATIONS * CALL_BYTES<BITS> + m / 32 * KFACTOR * 16 + quad * 16 + m % 16;
}

/** Where the scales of 128 rows and of the group of a column begin. */
template <unsigned BITS> std::size_t scales_at(std::size_t k, std::size_t column)
{
    return k / ACTIVATIONS * CALL_BYTES<BITS> + column / GROUP * ROWS * sizeof(float);
}

template <unsigned BITS> std::size_t panel_bytes(std::size_t k)
{
    return scales_at<BITS>(k, k);
}

template <unsigned BITS>
float scale_of(const std::uint8_t *panel, std::size_t k, std::size_t row, std::size_t column)
{
    float scale;
    std::memcpy(&scale, panel + scales_at<BITS>(k, column) + row * sizeof scale, sizeof scale);
    return scale;
}

template <unsigned BITS>
double weight(const std::uint8_t *panel, std::size_t k, std::uint32_t row, std::uint32_t column)
{
    int code = 0;
    for (unsigned bit = 0; bit < BITS; bit++) {
        unsigned shift;
        std::size_t at = place<BITS>(row, bit, column, &shift);
        code |= (panel[at] >> shift & 1) << bit;
    }
    return static_cast<double>(code - (1 << (BITS - 1))) * static_cast<double>(scale_of<BITS>(panel, k, row, column));
}

/** The weight of largest magnitude becomes the least code, which has no equal of the other sign. */
template <unsigned BITS> void pack(const float *w, std::size_t k, std::uint8_t *panel)
{
    constexpr int least = -(1 << (BITS - 1));
    std::memset(panel, 0, panel_bytes<BITS>(k));
    for (std::size_t first = 0; first < k; first += GROUP) {
        for (std::size_t row = 0; row < ROWS; row++) {
            const float *of = w + row * k + first;
            float largest =
                *std::max_element(of, of + GROUP, [](float a, float b) { return std::fabs(a) < std::fabs(b); });
            float scale = largest / static_cast<float>(least);
            std::memcpy(panel + scales_at<BITS>(k, first) + row * sizeof scale, &scale, sizeof scale);
            for (std::size_t column = 0; column < GROUP; column++) {
                int code = scale != 0 ? static_cast<int>(std::lrint(of[column] / scale)) - least : -least;
                code = std::clamp(code, 0, (1 << BITS) - 1);
                for (unsigned bit = 0; bit < BITS; bit++) {
                    unsigned shift;
                    std::size_t at = place<BITS>(row, bit, first + column, &shift);
                    panel[at] = static_cast<std::uint8_t>(panel[at] | (code >> bit & 1) << shift);
                }
            }
        }
    }
}

/** Any codes; scales of 1/32 to 1/16 of either sign. */
template <unsigned BITS> void fill(std::uint8_t *panel, std::size_t k, std::uint64_t *random)
{
    random_bytes(panel, scales_at<BITS>(k, 0), random);
    for (std::size_t at = scales_at<BITS>(k, 0); at < panel_bytes<BITS>(k); at += sizeof(float)) {
        float drawn = random_float(random), scale = std::copysign(0x1p-5f + std::fabs(drawn) * 0x1p-5f, drawn);
        std::memcpy(panel + at, &scale, sizeof scale);
    }
}

/* ---- the operand: [K / 4][16] tables, then of each 64 activations a scale, and then of each their sum, negative ---- */

std::size_t operand_bytes(std::size_t k)
{
    return k / 4 * TABLE + k / ACTIVATIONS * 2 * sizeof(float);
}

struct operand {
    std::int8_t *tables;
    float *scales, *biases;
};

operand operand_at(const void *prepared, std::size_t token, std::size_t k)
{
    auto *bytes = static_cast<std::int8_t *>(const_cast<void *>(prepared)) + token * operand_bytes(k);
    auto *scales = reinterpret_cast<float *>(bytes + k / 4 * TABLE);
    return {bytes, scales, scales + k / ACTIVATIONS};
}

void prepare_token(const float *activations, std::size_t k, std::size_t token, void *prepared)
{
    operand made = operand_at(prepared, token, k);
    for (std::size_t at = 0; at < k / ACTIVATIONS; at++) {
        auto *of = const_cast<float *>(activations) + at * ACTIVATIONS;
        partial_max_reset(&made.scales[at]);
        for (std::size_t part = 0; part < ACTIVATIONS; part += 32)
            partial_max_g4_int8_k8(&made.scales[at], of + part);
        lut_ctor_g4_int8_impl<KFACTOR, 4>(ACTIVATIONS, made.tables + at * ACTIVATIONS / 4 * TABLE, of, &made.scales[at],
                                          &made.biases[at]);
    }
}

void prepare(const void *activations, std::size_t k, void *prepared)
{
    prepare_token(static_cast<const float *>(activations), k, 0, prepared);
}

void prepare_many(const void *activations, std::size_t stride, std::size_t k, std::size_t tokens, void *prepared)
{
    for (std::size_t token = 0; token < tokens; token++)
        prepare_token(static_cast<const float *>(activations) + token * stride, k, token, prepared);
}

std::size_t operands_bytes(std::size_t k)
{
    return TOKENS * operand_bytes(k);
}

/* ---- products ---- */

/** What a bit counts: the first is of +1 and -1 with the sum of activations beside it, which is the weights' zero point. */
constexpr float share_of(unsigned bit)
{
    return bit ? static_cast<float>(1 << (bit - 1)) : 0.5f;
}

/** One tile and up to eight tokens, whose results are out_stride apart. */
template <unsigned BITS>
void multiply(const std::uint8_t *panel, std::size_t k, const void *prepared, std::size_t tokens, float *out,
              std::size_t out_stride)
{
    alignas(64) float sums[TOKENS][TILE<BITS>];
    std::memset(sums, 0, tokens * sizeof sums[0]);
    for (std::size_t at = 0; at < k / ACTIVATIONS; at++) {
        auto *codes = const_cast<std::uint8_t *>(panel) + at * CALL_BYTES<BITS>;
        auto *scales =
            reinterpret_cast<float *>(const_cast<std::uint8_t *>(panel) + scales_at<BITS>(k, at * ACTIVATIONS));
        for (std::size_t token = 0; token < tokens; token++) {
            operand of = operand_at(prepared, token, k);
            tbl_g4_int8_float_update_impl<true, KFACTOR, BITS, KFACTOR, false, false, false>(
                TILE<BITS>, sums[token], of.tables + at * KFACTOR * TABLE, codes, scales, &of.scales[at],
                &of.biases[at]);
        }
    }
    for (std::size_t token = 0; token < tokens; token++, out += out_stride) {
        for (std::size_t row = 0; row < ROWS; row++) {
            float sum = 0;
            for (unsigned bit = 0; bit < BITS; bit++)
                sum += share_of(bit) * sums[token][row / LANES * LANES * BITS + bit * LANES + row % LANES];
            out[row] = sum;
        }
    }
}

template <unsigned BITS> void gemv(const gemv_slice *slice)
{
    for (std::size_t panel = 0; panel < slice->panels; panel++)
        multiply<BITS>(slice->weights + panel * slice->panel_bytes, slice->k, slice->prepared, 1,
                       slice->out_f32 + panel * ROWS, 0);
}

template <unsigned BITS> void gemm(const gemm_slice *slice)
{
    for (std::size_t first = 0; first < slice->tokens; first += TOKENS) {
        const auto *prepared =
            static_cast<const std::uint8_t *>(slice->prepared) + first / TOKENS * operands_bytes(slice->k);
        for (std::size_t panel = 0; panel < slice->panels; panel++)
            multiply<BITS>(slice->weights + panel * slice->panel_bytes, slice->k, prepared,
                           std::min(TOKENS, slice->tokens - first),
                           slice->out + first * slice->out_stride + panel * ROWS, slice->out_stride);
    }
}

/** What the tables give, in double. */
template <unsigned BITS>
kernel_row row_of(const std::uint8_t *panel, std::size_t k, std::uint32_t row, const void *prepared)
{
    operand of = operand_at(prepared, 0, k);
    kernel_row sum = {};
    for (std::size_t quad = 0; quad < k / 4; quad++) {
        std::size_t column = quad * 4, at = column / ACTIVATIONS;
        double scale = static_cast<double>(scale_of<BITS>(panel, k, row, column));
        for (unsigned bit = 0; bit < BITS; bit++) {
            unsigned shift;
            std::size_t byte = place<BITS>(row, bit, column, &shift);
            double entry = of.tables[quad * TABLE + (panel[byte] >> shift & 15)] * static_cast<double>(of.scales[at]);
            double term = scale * static_cast<double>(share_of(bit)) * entry;
            sum.y += term;
            sum.magnitude += std::fabs(term);
        }
        if (column % ACTIVATIONS == 0) {
            double term = scale * 0.5 * static_cast<double>(of.biases[at]);
            sum.y += term;
            sum.magnitude += std::fabs(term);
        }
    }
    return sum;
}

/* ---- 2 bits with one scale for the tensor: a scale for all tables, sums of 32 bits, and the scale at the end ---- */

std::size_t whole_operand_bytes(std::size_t k)
{
    return 64 + k / 4 * TABLE;
}

void prepare_whole(const void *activations, std::size_t k, void *prepared)
{
    auto *of = const_cast<float *>(static_cast<const float *>(activations));
    auto *header = static_cast<float *>(prepared); /* the scale of an entry, and all activations' sum, negative */
    partial_max_reset(&header[0]);
    for (std::size_t part = 0; part < k; part += 32)
        partial_max_g4_int8_k8(&header[0], of + part);
    lut_ctor_g4_int8_impl<KFACTOR, 4>(static_cast<std::int32_t>(k), static_cast<std::int8_t *>(prepared) + 64, of,
                                      &header[0], &header[1]);
}

void gemv_whole(const gemv_slice *slice)
{
    const auto *header = static_cast<const float *>(slice->prepared);
    for (std::size_t panel = 0; panel < slice->panels; panel++) {
        alignas(64) std::int32_t sums[TILE<2>] = {};
        auto *codes = const_cast<std::uint8_t *>(slice->weights) + panel * slice->panel_bytes;
        auto *tables = const_cast<std::int8_t *>(static_cast<const std::int8_t *>(slice->prepared)) + 64;
        for (std::size_t at = 0; at < slice->steps; at++, codes += CALL_BYTES<2>, tables += KFACTOR * TABLE)
            tbl_g4_int8_int32_update_impl<KFACTOR, 2>(TILE<2>, sums, tables, codes);
        for (std::size_t row = 0; row < ROWS; row++) {
            const std::int32_t *of = sums + row / LANES * LANES * 2 + row % LANES;
            float sum = share_of(0) * static_cast<float>(of[0]) + share_of(1) * static_cast<float>(of[LANES]);
            slice->out_f32[panel * ROWS + row] = sum * header[0] + header[1] * share_of(0);
        }
    }
}

kernel_row row_of_whole(const std::uint8_t *panel, std::size_t k, std::uint32_t row, const void *prepared)
{
    const auto *header = static_cast<const float *>(prepared);
    const auto *tables = static_cast<const std::int8_t *>(prepared) + 64;
    double bias = static_cast<double>(header[1]) * static_cast<double>(share_of(0));
    kernel_row sum = {bias, std::fabs(bias)};
    for (std::size_t column = 0; column < k; column += 4) {
        for (unsigned bit = 0; bit < 2; bit++) {
            unsigned shift;
            std::size_t in = place<2>(row, bit, column % ACTIVATIONS, &shift);
            unsigned nibble = panel[column / ACTIVATIONS * CALL_BYTES<2> + in] >> shift & 15;
            double term = static_cast<double>(share_of(bit)) * static_cast<double>(header[0]) *
                          tables[column / 4 * TABLE + nibble];
            sum.y += term;
            sum.magnitude += std::fabs(term);
        }
    }
    return sum;
}

/* ---- what there is ---- */

constexpr unsigned LEAST_BITS = 2;
format formats_made[3]; /* the first is the tool's, by its name */
kernel kernels_made[3];
format tiles; /* the tool's, too */
kernel tiles_kernel;
const format *const formats[] = {&formats_made[1], &formats_made[2], nullptr};
const kernel *const kernels[] = {&kernels_made[0], &kernels_made[1], &kernels_made[2], &tiles_kernel, nullptr};

template <unsigned BITS> void make_format(const char *name)
{
    format &f = formats_made[BITS - LEAST_BITS];
    f.name = name;
    f.bits = BITS + 32.0 / GROUP;
    f.rows_per_panel = ROWS;
    f.k_per_step = GROUP;
    f.panel_bytes = panel_bytes<BITS>;
    f.k_multiple = GROUP;
    f.max_k = 1 << 20;
    f.pack = pack<BITS>;
    f.weight = weight<BITS>;
    f.fill = fill<BITS>;
}

template <unsigned BITS> void make_kernel(const char *name)
{
    kernel &k = kernels_made[BITS - LEAST_BITS] = {};
    k.name = name;
    k.sequence = "t_mac";
    k.isa = "reference";
    k.format = &formats_made[BITS - LEAST_BITS];
    k.takes = KERNEL_TAKES_F32;
    k.gives = KERNEL_GIVES_F32;
    k.whole_panels = true;
    /* each of K / 4 entries of each bit is off by half of 4 / 127 of the largest activation */
    k.error_bound = ((1 << BITS) - 1) / (4.0 * 127 * (1 << (BITS - 1)));
    k.gemv = gemv<BITS>;
    k.prepared_bytes = operand_bytes;
    k.prepare = prepare;
    k.row = row_of<BITS>;
    k.gemm.run = gemm<BITS>;
    k.gemm.prepare_many = prepare_many;
    k.gemm.tokens_per_group = TOKENS;
    k.gemm.prepared_bytes = operands_bytes;
}

void make_tiles()
{
    tiles.name = "tmac2_tiles";
    kernel &k = tiles_kernel = {};
    k.name = "tmac2_tiles.t_mac.reference";
    k.sequence = "t_mac";
    k.isa = "reference";
    k.format = &tiles;
    k.takes = KERNEL_TAKES_F32;
    k.gives = KERNEL_GIVES_F32;
    k.whole_panels = true;
    k.error_bound = 0.6 / 127 * 1.001; /* K = 5: two look-ups of each bit, off by half of 4 / 127 of the largest */
    k.gemv = gemv_whole;
    k.prepared_bytes = whole_operand_bytes;
    k.prepare = prepare_whole;
    k.row = row_of_whole;
}

int init(char *, std::size_t)
{
    make_tiles();
    formats_made[0].name = "tmac2_g128";
    make_kernel<2>("tmac2_g128.t_mac.reference");
    make_format<3>("tmac3_g128");
    make_kernel<3>("tmac3_g128.t_mac.reference");
    make_format<4>("tmac4_g128");
    make_kernel<4>("tmac4_g128.t_mac.reference");
    return 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .unused = 0,        .name = "tmac",       .version = PEER_VERSION,
                    .formats = formats,     .kernels = kernels, .sequences = nullptr, .init = init};
