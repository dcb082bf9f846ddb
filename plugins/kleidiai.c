/* SPDX-License-Identifier: BSD-3-Clause
 *
 * KleidiAI, Arm's library, as a plug-in: its int4 micro-kernels for Neon, compiled out of a checkout, GEMV and GEMM.
 *
 *     needs: kai/kai_common.h
 *     machine: aarch64
 *     variable: KLEIDIAI
 *     checkout: KleidiAI, which need not be built
 *     headers: .
 *     compiles: kai/ukernels/matmul/matmul_clamp_f32_qsi8d32p_qsi4c32p/kai_*_neon_*.c
 *     compiles: kai/ukernels/matmul/matmul_clamp_f32_qsi8d32p_qsi4c32p/kai_*_neon_*.S
 *     compiles: kai/ukernels/matmul/matmul_clamp_f32_qai8dxp_qsi4cxp/kai_*_neon_*.c
 *     compiles: kai/ukernels/matmul/matmul_clamp_f32_qai8dxp_qsi4cxp/kai_*_neon_*.S
 *     compiles: kai/ukernels/matmul/pack/kai_lhs_quant_pack_qsi8d32p_f32.c
 *     compiles: kai/ukernels/matmul/pack/kai_lhs_quant_pack_qai8dxp_f32.c
 *     compiles: kai/ukernels/matmul/pack/kai_rhs_pack_nxk_qsi4c32pscalef16_qsu4c32s16s0.c
 *     compiles: kai/ukernels/matmul/pack/kai_rhs_pack_nxk_qsi4cxp_qs4cxs1s0.c
 *     compile-flags: -march=armv8.2-a+fp16+dotprod+i8mm
 *
 * A kernel is a micro-kernel, called after the tile that it makes at once: those of one token (1x…) are GEMVs, the others GEMMs. Activations
 * are quantized and packed by the library's functions, timed apart.
 *
 * qsi4c32p, a binary16 scale each 32 columns: its packed weights are, byte for byte, q4_0_4x4 and q4_0_4x8, which init() sees to with the
 * library's packing function, so that these kernels read the matrices of ours. qsi4cxp, a scale each row: formats of the plug-in, which the
 * library packs; the nibbles of their four or eight rows are followed by the sums, scales and biases of these.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kai/kai_common.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qai8dxp_qsi4cxp/kai_matmul_clamp_f32_qai8dxp1x4_qsi4cxp4x4_1x4_neon_dotprod.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qai8dxp_qsi4cxp/kai_matmul_clamp_f32_qai8dxp1x8_qsi4cxp4x8_1x4x32_neon_dotprod.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qai8dxp_qsi4cxp/kai_matmul_clamp_f32_qai8dxp1x8_qsi4cxp8x8_1x8x32_neon_dotprod.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qai8dxp_qsi4cxp/kai_matmul_clamp_f32_qai8dxp4x8_qsi4cxp4x4_16x4x32_neon_dotprod.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qai8dxp_qsi4cxp/kai_matmul_clamp_f32_qai8dxp4x8_qsi4cxp4x8_8x4x32_neon_i8mm.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qai8dxp_qsi4cxp/kai_matmul_clamp_f32_qai8dxp4x8_qsi4cxp8x8_8x8x32_neon_i8mm.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qai8dxp_qsi4cxp/kai_matmul_clamp_f32_qai8dxp_qsi4cxp_interface.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qsi8d32p_qsi4c32p/kai_matmul_clamp_f32_qsi8d32p1x4_qsi4c32p4x4_1x4_neon_dotprod.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qsi8d32p_qsi4c32p/kai_matmul_clamp_f32_qsi8d32p1x8_qsi4c32p4x8_1x4x32_neon_dotprod.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qsi8d32p_qsi4c32p/kai_matmul_clamp_f32_qsi8d32p4x4_qsi4c32p4x4_16x4_neon_dotprod.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qsi8d32p_qsi4c32p/kai_matmul_clamp_f32_qsi8d32p4x8_qsi4c32p4x8_16x4_neon_i8mm.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qsi8d32p_qsi4c32p/kai_matmul_clamp_f32_qsi8d32p4x8_qsi4c32p4x8_8x4x32_neon_i8mm.h>
#include <kai/ukernels/matmul/matmul_clamp_f32_qsi8d32p_qsi4c32p/kai_matmul_clamp_f32_qsi8d32p_qsi4c32p_interface.h>
#include <kai/ukernels/matmul/pack/kai_lhs_quant_pack_qai8dxp_f32.h>
#include <kai/ukernels/matmul/pack/kai_lhs_quant_pack_qsi8d32p_f32.h>
#include <kai/ukernels/matmul/pack/kai_rhs_pack_nxk_qsi4c32pscalef16_qsu4c32s16s0.h>
#include <kai/ukernels/matmul/pack/kai_rhs_pack_nxk_qsi4cxp_qs4cxs1s0.h>

#include "micro/isa/half.h"
#include "micro/isa/random.h"
#include "micro/plugin.h"

enum {
    BLOCK = 32,                     /* columns of a scale of qsi4c32p, and what qsi4cxp pads K to */
    SPLIT = 2,                      /* of a micro-kernel's columns, the library's sr */
    BLOCK_BYTES = 2 + BLOCK / 2,    /* of one row */
    OPERAND_BLOCK_BYTES = 2 + BLOCK /* of one token */
};

static float half_of(const uint8_t *bytes)
{
    uint16_t half;
    memcpy(&half, bytes, sizeof half);
    return half_to_float(half);
}

/** The four bits as a signed number. */
static int signed_nibble(unsigned byte, unsigned high)
{
    return (int)((byte >> 4 * high & 15) ^ 8) - 8;
}

/* ---- both: rows take turns in chunks of some bytes, whose low nibbles are 16 columns before their high ones ---- */

/** Within 32 columns of `rows` rows: the byte of a column, and in *high which of its nibbles. */
static size_t nibble_at(size_t rows, size_t chunk, uint32_t row, uint32_t column, unsigned *high)
{
    size_t byte = column % 16;
    *high = column % 32 / 16;
    return byte / chunk * rows * chunk + row * chunk + byte % chunk;
}

/* ---- qsi4c32p: [K / 32] [rows] binary16 scales, [16 * rows] bytes; the operand: [K / 32] a binary16 scale, 32 bytes ---- */

static struct kernel_row c32_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared, size_t chunk)
{
    enum { ROWS = 4 };
    const uint8_t *operand = prepared;
    struct kernel_row sum = {0, 0};
    for (uint32_t column = 0; column < k; column++) {
        const uint8_t *block = panel + column / BLOCK * ROWS * BLOCK_BYTES;
        const uint8_t *from = operand + column / BLOCK * OPERAND_BLOCK_BYTES;
        unsigned high;
        size_t at = nibble_at(ROWS, chunk, row, column, &high);
        double w = (double)half_of(block + 2 * row) * signed_nibble(block[2 * ROWS + at], high);
        double term = w * (double)half_of(from) * (int8_t)from[2 + column % BLOCK];
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

static struct kernel_row c32_row4(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    return c32_row(panel, k, row, prepared, 4);
}

static struct kernel_row c32_row8(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    return c32_row(panel, k, row, prepared, 8);
}

static size_t c32_operand_bytes(size_t k)
{
    return k / BLOCK * OPERAND_BLOCK_BYTES;
}

/* ---- qsi4cxp: [K / 32] [16 * rows] bytes, then of each row 16 times its sum, its scale / 16, its bias ---- */

static size_t cx_panel_bytes(size_t k, size_t rows)
{
    return rows * (k / 2 + 2 * sizeof(float) + sizeof(int32_t));
}

static float cx_scale(const uint8_t *panel, size_t k, size_t rows, uint32_t row)
{
    float scale;
    memcpy(&scale, panel + rows * (k / 2 + sizeof(int32_t)) + row * sizeof scale, sizeof scale);
    return scale;
}

static int cx_code(const uint8_t *panel, size_t rows, size_t chunk, uint32_t row, uint32_t column)
{
    unsigned high;
    size_t at = nibble_at(rows, chunk, row, column, &high);
    return signed_nibble(panel[column / 32 * 16 * rows + at], high);
}

static double cx_weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column, size_t rows, size_t chunk)
{
    return 16 * (double)cx_scale(panel, k, rows, row) * cx_code(panel, rows, chunk, row, column);
}

/** Codes of -7 to 7, which the library's function packs. */
static void cx_pack(const float *w, size_t k, uint8_t *panel, size_t rows, size_t chunk)
{
    uint8_t *codes = calloc(rows, k / 2);
    float scales[8];
    if (!codes)
        abort();
    for (size_t row = 0; row < rows; row++) {
        float largest = 0;
        for (size_t i = 0; i < k; i++)
            largest = fmaxf(largest, fabsf(w[row * k + i]));
        scales[row] = largest / 7;
        for (size_t i = 0; i < k; i++) {
            float ratio = scales[row] > 0 ? w[row * k + i] / scales[row] : 0;
            int code = (int)(ratio + copysignf(0.5f, ratio));
            uint8_t *byte = &codes[row * k / 2 + i / 2];
            *byte = (uint8_t)(*byte | (unsigned)(code + 8) << 4 * (i % 2));
        }
    }
    const struct kai_rhs_pack_nxk_qsi4cxp_qs4cxs1s0_params zero_points = {.lhs_zero_point = 1, .rhs_zero_point = 8};
    kai_run_rhs_pack_nxk_qsi4cxp_qs4cxs1s0(1, rows, k, rows, SPLIT * chunk, SPLIT, codes, NULL, scales, panel, 0,
                                           &zero_points);
    free(codes);
}

/** Any codes, and what comes of them; scales of 1/32 to 1/16 of either sign. */
static void cx_fill(uint8_t *panel, size_t k, uint64_t *random, size_t rows, size_t chunk)
{
    uint8_t *behind = panel + rows * k / 2;
    random_bytes(panel, rows * k / 2, random);
    memset(behind, 0, rows * 12);
    for (uint32_t row = 0; row < rows; row++) {
        int32_t sum = 0;
        for (uint32_t column = 0; column < k; column++)
            sum += 16 * cx_code(panel, rows, chunk, row, column);
        float drawn = random_float(random), scale = copysignf(0x1p-5f + fabsf(drawn) * 0x1p-5f, drawn) / 16;
        memcpy(behind + row * sizeof sum, &sum, sizeof sum);
        memcpy(behind + rows * sizeof sum + row * sizeof scale, &scale, sizeof scale);
    }
}

/** The operand: [K] bytes, what is added to each, and their scale. */
static struct kernel_row cx_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared, size_t rows,
                                size_t chunk)
{
    const int8_t *operand = prepared;
    int32_t added;
    float scale;
    memcpy(&added, operand + k, sizeof added);
    memcpy(&scale, operand + k + sizeof added, sizeof scale);
    struct kernel_row sum = {0, 0};
    for (uint32_t column = 0; column < k; column++) {
        double term = cx_weight(panel, k, row, column, rows, chunk) * (operand[column] + added) * (double)scale;
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

static size_t cx_operand_bytes(size_t k)
{
    return k + sizeof(int32_t) + sizeof(float);
}

#define CX_FORMAT(rows, chunk)                                                                                         \
    static size_t cx_bytes_##rows##x##chunk(size_t k)                                                                  \
    {                                                                                                                  \
        return cx_panel_bytes(k, rows);                                                                                \
    }                                                                                                                  \
    static double cx_weight_##rows##x##chunk(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)            \
    {                                                                                                                  \
        return cx_weight(panel, k, row, column, rows, chunk);                                                          \
    }                                                                                                                  \
    static void cx_pack_##rows##x##chunk(const float *w, size_t k, uint8_t *panel)                                     \
    {                                                                                                                  \
        cx_pack(w, k, panel, rows, chunk);                                                                             \
    }                                                                                                                  \
    static void cx_fill_##rows##x##chunk(uint8_t *panel, size_t k, uint64_t *random)                                   \
    {                                                                                                                  \
        cx_fill(panel, k, random, rows, chunk);                                                                        \
    }                                                                                                                  \
    static struct kernel_row cx_row_##rows##x##chunk(const uint8_t *panel, size_t k, uint32_t row,                     \
                                                     const void *prepared)                                             \
    {                                                                                                                  \
        return cx_row(panel, k, row, prepared, rows, chunk);                                                           \
    }                                                                                                                  \
    static const struct format qsi4cxp_##rows##x##chunk = {                                                            \
        .name = "qsi4cxp_" #rows "x" #chunk,                                                                           \
        .bits = 4,                                                                                                     \
        .rows_per_panel = rows,                                                                                        \
        .k_per_step = 32,                                                                                              \
        .max_k = 1 << 16,                                                                                              \
        .panel_bytes = cx_bytes_##rows##x##chunk,                                                                      \
        .pack = cx_pack_##rows##x##chunk,                                                                              \
        .weight = cx_weight_##rows##x##chunk,                                                                          \
        .fill = cx_fill_##rows##x##chunk,                                                                              \
    }

CX_FORMAT(4, 4);
CX_FORMAT(4, 8);
CX_FORMAT(8, 8);
static const struct format q4_0_4x4 = {.name = "q4_0_4x4"}, q4_0_4x8 = {.name = "q4_0_4x8"};

/* ---- micro-kernels ---- */

/* clang-format off */
#define RUN_C32(name, tokens, packed, out, stride)                                                                     \
    kai_run_matmul_clamp_f32_##name(tokens, slice->panels * kai_get_nr_matmul_clamp_f32_##name(), slice->k, BLOCK,     \
                                    packed, slice->weights, out, stride, sizeof(float), -FLT_MAX, FLT_MAX)
#define RUN_CX(name, tokens, packed, out, stride)                                                                      \
    kai_run_matmul_clamp_f32_##name(tokens, slice->panels * kai_get_nr_matmul_clamp_f32_##name(), slice->k,            \
                                    packed, slice->weights, out, stride, sizeof(float), -FLT_MAX, FLT_MAX)
#define PACK_C32(tokens, k, mr, kr, from, stride, to)                                                                  \
    kai_run_lhs_quant_pack_qsi8d32p_f32(tokens, k, BLOCK, mr, kr, SPLIT, 0, from, stride, to)
#define PACK_CX(tokens, k, mr, kr, from, stride, to)                                                                   \
    kai_run_lhs_quant_pack_qai8dxp_f32(tokens, k, mr, kr, SPLIT, 0, from, stride, to)
/* clang-format on */
#define OPERAND_C32                                                                                                    \
    {                                                                                                                  \
        .bits = 8, .columns = BLOCK                                                                                    \
    }
#define OPERAND_CX                                                                                                     \
    {                                                                                                                  \
        .bits = 8, .zero_point = 1                                                                                     \
    }
#define BYTES_C32 c32_operand_bytes
#define BYTES_CX  cx_operand_bytes
#define SUMS_C32  BLOCK /* a float of each block, one after the other */
#define SUMS_CX   KERNEL_FLOAT_SUMS_ALL

/** What GEMVs and GEMMs of a micro-kernel have in common; one token alone is packed as row() reads it. */
#define PREPARE(micro, TYPE)                                                                                           \
    static void prepare_##micro(const void *activations, size_t k, void *prepared)                                     \
    {                                                                                                                  \
        PACK_##TYPE(1, k, 1, kai_get_kr_matmul_clamp_f32_##micro(), activations, k * sizeof(float), prepared);         \
    }
#define DESCRIPTION(micro, TYPE, of, tile, on, row_of)                                                                 \
    .name = #of ".kleidiai_" #tile "." #on, .sequence = "kleidiai_" #tile, .isa = #on, .format = &(of),                \
    .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = SUMS_##TYPE, .operand = OPERAND_##TYPE,        \
    .k_most = 1 << 16, .prepared_bytes = BYTES_##TYPE, .prepare = prepare_##micro, .row = (row_of)

#define GEMV(micro, TYPE, of, tile, on, row_of)                                                                        \
    PREPARE(micro, TYPE)                                                                                               \
    static void gemv_##micro(const struct gemv_slice *slice)                                                           \
    {                                                                                                                  \
        RUN_##TYPE(micro, 1, slice->prepared, slice->out_f32, 0);                                                      \
    }                                                                                                                  \
    static const struct kernel kernel_##micro = {DESCRIPTION(micro, TYPE, of, tile, on, row_of), .gemv = gemv_##micro}

/** Groups are the tokens that a micro-kernel steps by, so that every slice begins where one may. */
#define GEMM(micro, TYPE, of, tile, on, row_of, step)                                                                  \
    PREPARE(micro, TYPE)                                                                                               \
    static size_t group_bytes_##micro(size_t k)                                                                        \
    {                                                                                                                  \
        return (step)*BYTES_##TYPE(k);                                                                                 \
    }                                                                                                                  \
    static void prepare_many_##micro(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)  \
    {                                                                                                                  \
        PACK_##TYPE(tokens, k, kai_get_mr_matmul_clamp_f32_##micro(), kai_get_kr_matmul_clamp_f32_##micro(),           \
                    activations, stride * sizeof(float), prepared);                                                    \
    }                                                                                                                  \
    static void gemm_##micro(const struct gemm_slice *slice)                                                           \
    {                                                                                                                  \
        RUN_##TYPE(micro, slice->tokens, slice->prepared, slice->out, slice->out_stride * sizeof(float));              \
    }                                                                                                                  \
    static const struct kernel kernel_##micro = {DESCRIPTION(micro, TYPE, of, tile, on, row_of),                       \
                                                 .gemm = {.run = gemm_##micro,                                         \
                                                          .prepare_many = prepare_many_##micro,                        \
                                                          .tokens_per_group = (step),                                  \
                                                          .prepared_bytes = group_bytes_##micro}}

/* clang-format off */
GEMV(qsi8d32p1x4_qsi4c32p4x4_1x4_neon_dotprod,    C32, q4_0_4x4, 1x4,    neon_dotprod, c32_row4);
GEMM(qsi8d32p4x4_qsi4c32p4x4_16x4_neon_dotprod,   C32, q4_0_4x4, 16x4,   neon_dotprod, c32_row4, 16);
GEMV(qsi8d32p1x8_qsi4c32p4x8_1x4x32_neon_dotprod, C32, q4_0_4x8, 1x4x32, neon_dotprod, c32_row8);
GEMM(qsi8d32p4x8_qsi4c32p4x8_16x4_neon_i8mm,      C32, q4_0_4x8, 16x4,   neon_i8mm,    c32_row8, 16);
GEMM(qsi8d32p4x8_qsi4c32p4x8_8x4x32_neon_i8mm,    C32, q4_0_4x8, 8x4x32, neon_i8mm,    c32_row8, 8);
GEMV(qai8dxp1x4_qsi4cxp4x4_1x4_neon_dotprod,      CX, qsi4cxp_4x4, 1x4,     neon_dotprod, cx_row_4x4);
GEMM(qai8dxp4x8_qsi4cxp4x4_16x4x32_neon_dotprod,  CX, qsi4cxp_4x4, 16x4x32, neon_dotprod, cx_row_4x4, 16);
GEMV(qai8dxp1x8_qsi4cxp4x8_1x4x32_neon_dotprod,   CX, qsi4cxp_4x8, 1x4x32,  neon_dotprod, cx_row_4x8);
GEMM(qai8dxp4x8_qsi4cxp4x8_8x4x32_neon_i8mm,      CX, qsi4cxp_4x8, 8x4x32,  neon_i8mm,    cx_row_4x8, 8);
GEMV(qai8dxp1x8_qsi4cxp8x8_1x8x32_neon_dotprod,   CX, qsi4cxp_8x8, 1x8x32,  neon_dotprod, cx_row_8x8);
GEMM(qai8dxp4x8_qsi4cxp8x8_8x8x32_neon_i8mm,      CX, qsi4cxp_8x8, 8x8x32,  neon_i8mm,    cx_row_8x8, 8);
/* clang-format on */

/* ---- what this adapter knows of them, held against what they say ---- */

struct packing {
    const char *name;
    size_t m_step, nr, kr, sr, step, rows, chunk;
};

#define PACKING(name, step, rows, chunk)                                                                               \
    {                                                                                                                  \
#name, kai_get_m_step_matmul_clamp_f32_##name(), kai_get_nr_matmul_clamp_f32_##name(),                         \
            kai_get_kr_matmul_clamp_f32_##name(), kai_get_sr_matmul_clamp_f32_##name(), step, rows, chunk              \
    }

static const char *otherwise_packed(void)
{
    const struct packing packings[] = {
        PACKING(qsi8d32p1x4_qsi4c32p4x4_1x4_neon_dotprod, 1, 4, 4),
        PACKING(qsi8d32p4x4_qsi4c32p4x4_16x4_neon_dotprod, 16, 4, 4),
        PACKING(qsi8d32p1x8_qsi4c32p4x8_1x4x32_neon_dotprod, 1, 4, 8),
        PACKING(qsi8d32p4x8_qsi4c32p4x8_16x4_neon_i8mm, 16, 4, 8),
        PACKING(qsi8d32p4x8_qsi4c32p4x8_8x4x32_neon_i8mm, 8, 4, 8),
        PACKING(qai8dxp1x4_qsi4cxp4x4_1x4_neon_dotprod, 1, 4, 4),
        PACKING(qai8dxp4x8_qsi4cxp4x4_16x4x32_neon_dotprod, 16, 4, 4),
        PACKING(qai8dxp1x8_qsi4cxp4x8_1x4x32_neon_dotprod, 1, 4, 8),
        PACKING(qai8dxp4x8_qsi4cxp4x8_8x4x32_neon_i8mm, 8, 4, 8),
        PACKING(qai8dxp1x8_qsi4cxp8x8_1x8x32_neon_dotprod, 1, 8, 8),
        PACKING(qai8dxp4x8_qsi4cxp8x8_8x8x32_neon_i8mm, 8, 8, 8),
    };
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++) {
        const struct packing *p = &packings[i];
        if (p->m_step != p->step || p->nr != p->rows || p->kr != SPLIT * p->chunk || p->sr != SPLIT)
            return p->name;
    }
    return NULL;
}

/** The library's packing of one block of four rows of Q4_0 is ours. */
static bool packs_as_ours(size_t chunk)
{
    enum { ROWS = 4 };
    uint8_t blocks[ROWS][BLOCK_BYTES], packed[ROWS * BLOCK_BYTES];
    uint64_t random = 1;
    random_bytes(&blocks[0][0], sizeof blocks, &random);
    const struct kai_rhs_pack_qs4cxs1s0_param zero_points = {.lhs_zero_point = 1, .rhs_zero_point = 8};
    kai_run_rhs_pack_nxk_qsi4c32pscalef16_qsu4c32s16s0(1, ROWS, BLOCK, ROWS, SPLIT * chunk, SPLIT, BLOCK, &blocks[0][0],
                                                       NULL, packed, 0, &zero_points);
    for (uint32_t row = 0; row < ROWS; row++) {
        if (memcmp(packed + 2 * row, blocks[row], 2) != 0)
            return false;
        for (uint32_t column = 0; column < BLOCK; column++) {
            unsigned high;
            size_t at = nibble_at(ROWS, chunk, row, column, &high);
            int code = blocks[row][2 + column % 16] >> 4 * (column / 16) & 15;
            if (signed_nibble(packed[2 * ROWS + at], high) != code - 8)
                return false;
        }
    }
    return true;
}

static int init(char *why, size_t size)
{
    const char *name = otherwise_packed();
    if (name)
        snprintf(why, size, "%s packs its operands otherwise than this adapter knows", name);
    else if (!packs_as_ours(4) || !packs_as_ours(8))
        snprintf(why, size, "its qsi4c32p is no longer packed as q4_0_4x4 and q4_0_4x8");
    else
        return 0;
    return -1;
}

static const struct format *const formats[] = {&qsi4cxp_4x4, &qsi4cxp_4x8, &qsi4cxp_8x8, NULL};
static const struct kernel *const kernels[] = {
    &kernel_qsi8d32p1x4_qsi4c32p4x4_1x4_neon_dotprod,    &kernel_qsi8d32p4x4_qsi4c32p4x4_16x4_neon_dotprod,
    &kernel_qsi8d32p1x8_qsi4c32p4x8_1x4x32_neon_dotprod, &kernel_qsi8d32p4x8_qsi4c32p4x8_16x4_neon_i8mm,
    &kernel_qsi8d32p4x8_qsi4c32p4x8_8x4x32_neon_i8mm,    &kernel_qai8dxp1x4_qsi4cxp4x4_1x4_neon_dotprod,
    &kernel_qai8dxp4x8_qsi4cxp4x4_16x4x32_neon_dotprod,  &kernel_qai8dxp1x8_qsi4cxp4x8_1x4x32_neon_dotprod,
    &kernel_qai8dxp4x8_qsi4cxp4x8_8x4x32_neon_i8mm,      &kernel_qai8dxp1x8_qsi4cxp8x8_1x8x32_neon_dotprod,
    &kernel_qai8dxp4x8_qsi4cxp8x8_8x8x32_neon_i8mm,      NULL,
};

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .name = "kleidiai", .version = PEER_VERSION,
                    .formats = formats,     .kernels = kernels, .init = init};
