/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int2 x BF16 -> BF16 as the paper's kernel for Xe2 GPUs computes it [envelope, III-E, Fig. 3], on a CPU: an executable form of the
 * algorithm, not the fastest way to multiply 2-bit weights here.
 *
 *   work-group tile   what a slice is: its panels times its tokens. Where SCALES_ARE_FUSED (fused) it computes the scales of its
 *                     tokens itself, into scratch, which stands for Shared Local Memory: no second launch, but every slice does so
 *                     again. Else (separate) prepare_many() has, once for all slices, the kernel of its own that the paper launches before
 *   subgroup tile     TILE_PANELS panels of 16 rows times TILE_TOKENS tokens, sums in registers
 *   microkernel       16 columns: BF16 activations of each token are widened, multiplied with 127 / max|a|, rounded to int8 in
 *                     registers, and meet the rows of all panels of the tile. Weights are VNNI16; a DPAS takes them as they are, here they are taken
 *                     apart to bytes once for all tokens of the tile
 *   K split           K is cut in pieces of K_PIECE columns, whose int32 sums are added before they are scaled
 *   result            float(sum) times max|a| / 127, rounded to BF16
 *
 * bf16_operand.h has the equations; row() gives the same bits.
 */
#include <immintrin.h>

#include "micro/formats/int2_vnni16/bf16_operand.h"

enum { TILE_PANELS = 4, TILE_TOKENS = 4, K_PIECE = 2048, HEADER = BF16_OPERAND_HEADER, LINE = 64 };

#define VNNI16_INLINE static inline __attribute__((always_inline))
/* at -O2 the compiler leaves these loops, and the sums in memory */
#define VNNI16_UNROLL _Pragma("GCC unroll 4")

/* ---- activations: BF16, after a header with max|a| ---- */

static const uint16_t *values_of(const void *prepared, size_t k, size_t token)
{
    return (const uint16_t *)(const void *)((const uint8_t *)prepared + token * bf16_operand_bytes(k) + HEADER);
}

VNNI16_INLINE __m512 widen(const uint16_t *values)
{
    __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)values);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(words), 16));
}

/** Floats rounded to BF16, to nearest even, in the upper halves. */
VNNI16_INLINE __m512i round_to_bf16(__m512 values)
{
    __m512i bits = _mm512_castps_si512(values);
    __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    return _mm512_add_epi32(_mm512_add_epi32(bits, odd), _mm512_set1_epi32(0x7fff));
}

/** max|a| of k values, a multiple of 16. */
static float largest(const uint16_t *values, size_t k)
{
    __m512 most = _mm512_setzero_ps();
    for (size_t column = 0; column < k; column += STEP_COLUMNS)
        most = _mm512_max_ps(most, _mm512_abs_ps(widen(values + column)));
    return _mm512_reduce_max_ps(most);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *from = activations;
    uint16_t *values = (uint16_t *)(void *)((uint8_t *)prepared + HEADER);
    float most = 0;
    for (size_t column = 0; column < k; column += STEP_COLUMNS) {
        __m512i rounded = round_to_bf16(_mm512_loadu_ps(from + column));
        _mm256_storeu_si256((__m256i *)(void *)(values + column),
                            _mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded, 16)));
    }
    if (!SCALES_ARE_FUSED)
        most = largest(values, k);
    memcpy(prepared, &most, sizeof most);
}

static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    for (size_t token = 0; token < tokens; token++)
        prepare((const float *)activations + token * stride, k, (uint8_t *)prepared + token * bf16_operand_bytes(k));
}

/* ---- scales ---- */

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)k;
    return (tokens * sizeof(float) + LINE - 1) / LINE * LINE;
}

/** max|a| of every token of the slice: of a kernel before it, or computed here. */
static void find_largest(const struct gemm_slice *slice, float *most)
{
    for (size_t token = 0; token < slice->tokens; token++) {
        const uint16_t *values = values_of(slice->prepared, slice->k, token);
        if (SCALES_ARE_FUSED)
            most[token] = largest(values, slice->k);
        else
            memcpy(&most[token], (const uint8_t *)(const void *)values - HEADER, sizeof *most);
    }
}

/* ---- a subgroup tile ---- */

struct tile {
    const uint8_t *weights; /* of its first panel */
    size_t panel_bytes;
    const uint16_t *values[TILE_TOKENS];
    float factor[TILE_TOKENS];
    __m512i sum[TILE_PANELS][TILE_TOKENS]; /* of u q; only of the K pieces so far */
    __m128i activations[TILE_TOKENS];      /* sums of q, in four lanes */
    size_t prefetch_bytes;
};

/** 16 activations to int8, in the order in which fields 0 of four bytes come first, then fields 1. */
VNNI16_INLINE __m128i quantize(const uint16_t *values, __m512 factor)
{
    const __m128i fields = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i most = _mm512_set1_epi32(127), least = _mm512_set1_epi32(-127);
    __m512i q = _mm512_cvtps_epi32(_mm512_mul_ps(widen(values), factor));
    q = _mm512_max_epi32(_mm512_min_epi32(q, most), least);
    return _mm_shuffle_epi8(_mm512_cvtepi32_epi8(q), fields);
}

/** Columns first … last - 1 of some panels and tokens, constants where this is inlined. */
VNNI16_INLINE void multiply(struct tile *tile, size_t first, size_t last, int panels, int tokens)
{
    const __m512i low = _mm512_set1_epi8(3), flip = _mm512_set1_epi8((char)0xaa);
    const __m128i ones = _mm_set1_epi8(1);
    __m512i sum[TILE_PANELS][TILE_TOKENS], factor[TILE_TOKENS];
    __m128i activations[TILE_TOKENS];
    VNNI16_UNROLL
    for (int t = 0; t < tokens; t++) {
        factor[t] = _mm512_castps_si512(_mm512_set1_ps(tile->factor[t]));
        activations[t] = tile->activations[t];
        VNNI16_UNROLL
        for (int p = 0; p < panels; p++)
            sum[p][t] = tile->sum[p][t];
    }
    for (size_t column = first; column < last; column += STEP_COLUMNS) {
        __m512i field[TILE_TOKENS][4];
        VNNI16_UNROLL
        for (int t = 0; t < tokens; t++) {
            __m128i q = quantize(tile->values[t] + column, _mm512_castsi512_ps(factor[t]));
            activations[t] = _mm_dpbusd_epi32(activations[t], ones, q);
            field[t][0] = _mm512_broadcastd_epi32(q);
            field[t][1] = _mm512_broadcastd_epi32(_mm_shuffle_epi32(q, 0x55));
            field[t][2] = _mm512_broadcastd_epi32(_mm_shuffle_epi32(q, 0xaa));
            field[t][3] = _mm512_broadcastd_epi32(_mm_shuffle_epi32(q, 0xff));
        }
        VNNI16_UNROLL
        for (int p = 0; p < panels; p++) {
            const uint8_t *step = tile->weights + (size_t)p * tile->panel_bytes + column / STEP_COLUMNS * STEP_BYTES;
            _mm_prefetch((const char *)step + tile->prefetch_bytes, _MM_HINT_T0);
            __m512i packed = _mm512_xor_si512(_mm512_load_si512(step), flip); /* u = w + 2 */
            VNNI16_UNROLL
            for (int f = 0; f < 4; f++) {
                __m512i u = _mm512_and_si512(f ? _mm512_srli_epi32(packed, 2 * (unsigned)f) : packed, low);
                VNNI16_UNROLL
                for (int t = 0; t < tokens; t++)
                    sum[p][t] = _mm512_dpbusd_epi32(sum[p][t], u, field[t][f]);
            }
        }
    }
    VNNI16_UNROLL
    for (int t = 0; t < tokens; t++) {
        tile->activations[t] = activations[t];
        VNNI16_UNROLL
        for (int p = 0; p < panels; p++)
            tile->sum[p][t] = sum[p][t];
    }
}

/** One piece of K. A tile at an edge is done a panel and a token at a time. */
static void multiply_piece(struct tile *tile, size_t first, size_t last, size_t panels, size_t tokens)
{
    if (panels == TILE_PANELS && tokens == TILE_TOKENS) {
        multiply(tile, first, last, TILE_PANELS, TILE_TOKENS);
    } else if (panels == TILE_PANELS && tokens == 1) {
        multiply(tile, first, last, TILE_PANELS, 1);
    } else {
        for (size_t t = 0; t < tokens; t++) {
            struct tile one = {.panel_bytes = tile->panel_bytes,
                               .values = {tile->values[t]},
                               .factor = {tile->factor[t]},
                               .prefetch_bytes = tile->prefetch_bytes};
            for (size_t p = 0; p < panels; p++) {
                one.weights = tile->weights + p * tile->panel_bytes;
                one.sum[0][0] = tile->sum[p][t];
                one.activations[0] = tile->activations[t];
                multiply(&one, first, last, 1, 1);
                tile->sum[p][t] = one.sum[0][0];
            }
            tile->activations[t] = one.activations[0];
        }
    }
}

/** int32 to BF16 with the scale. */
static void scale_tile(const struct tile *tile, size_t panels, size_t tokens, const float *most, float *out,
                       size_t stride)
{
    for (size_t t = 0; t < tokens; t++) {
        int32_t lanes[4];
        _mm_storeu_si128((__m128i *)(void *)lanes, tile->activations[t]);
        int32_t offset = 2 * (lanes[0] + lanes[1] + lanes[2] + lanes[3]);
        for (size_t p = 0; p < panels; p++) {
            __m512 y = _mm512_cvtepi32_ps(_mm512_sub_epi32(tile->sum[p][t], _mm512_set1_epi32(offset)));
            __m512i rounded = round_to_bf16(_mm512_mul_ps(y, _mm512_set1_ps(bf16_operand_scale(most[t]))));
            _mm512_store_si512(out + t * stride + p * ROWS, _mm512_and_si512(rounded, _mm512_set1_epi32(-0x10000)));
        }
    }
}

static void run(const struct gemm_slice *slice)
{
    float *most = slice->scratch;
    find_largest(slice, most);
    for (size_t panel = 0; panel < slice->panels; panel += TILE_PANELS) {
        size_t panels = slice->panels - panel < TILE_PANELS ? slice->panels - panel : TILE_PANELS;
        for (size_t token = 0, tokens; token < slice->tokens; token += tokens) {
            tokens = slice->tokens - token < TILE_TOKENS ? 1 : TILE_TOKENS;
            struct tile tile = {.weights = slice->weights + panel * slice->panel_bytes,
                                .panel_bytes = slice->panel_bytes,
                                .prefetch_bytes = slice->prefetch_bytes};
            for (size_t t = 0; t < tokens; t++) {
                tile.values[t] = values_of(slice->prepared, slice->k, token + t);
                tile.factor[t] = bf16_operand_factor(most[token + t]);
            }
            for (size_t first = 0; first < slice->k; first += K_PIECE)
                multiply_piece(&tile, first, slice->k - first < K_PIECE ? slice->k : first + K_PIECE, panels, tokens);
            scale_tile(&tile, panels, tokens, most + token, slice->out + token * slice->out_stride + panel * ROWS,
                       slice->out_stride);
        }
    }
}

extern const struct format SELF_FORMAT;

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    float scale;
    return bf16_operand_row(&SELF_FORMAT, panel, k, row, prepared, &scale);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .gamma = "int2_vnni4.mask.avx512_vnni",
    .differs =
        "for GPUs, with pieces of K side by side; here by vpdpbusd, one piece after the other, and with our prefetch",
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = KERNEL_FLOAT_SUMS_ALL, /* BF16 of activations and result, and int8 */
    .error_bound = 2 * 0x1p-8 + 1.0 / 250,
    .prepared_bytes = bf16_operand_bytes,
    .prepare = prepare,
    .row = row_of,
    .gemm = {.run = run,
             .prepare_many = prepare_many,
             .tokens_per_group = 1,
             .prepared_bytes = bf16_operand_bytes,
             .scratch_bytes = scratch_bytes},
};
