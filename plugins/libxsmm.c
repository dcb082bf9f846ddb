/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libxsmm as a plug-in: what its JIT makes for this CPU of products with weights of 1, 2, 4 and 8 bits, bf16 and f32, GEMV and GEMM.
 *
 *     needs: libxsmm.h
 *     libraries: -lxsmm
 *     variable: LIBXSMM
 *     checkout: libxsmm 2 that is built with shared libraries, make STATIC=0
 *     headers: include
 *     built: libxsmm.so
 *
 * Its matrix A is a panel of the weights, 32 or 64 rows in its VNNI layouts, B the activations of one token or several: a call multiplies
 * one panel, as the envelope paper's do. int1_vnni4 and int8_vnni4 are Kneepoint's formats byte by byte, all others are its own.
 *
 * On AVX-512 its weights of 1, 2 and 4 bits are signed and meet unsigned activations, a + 128, so that 128 times the sum of a row's weights
 * is taken off each result: these sums follow a panel (_m64). Of 1 and 2 bits it makes this code, which is of AVX512-VNNI and VBMI, only
 * for a CPU that it takes for Sapphire Rapids: while it does it is told so, through its interface, where the CPU has both. Of 4 bits it
 * takes AMX tiles from Sapphire Rapids on, which read these panels as something else: it is told Cascade Lake there, whose code is theirs.
 *
 * Code is made when a thread first meets a shape, which is in the verification before any sample. It leaves the upper halves of
 * registers in use, so that they are cleared after each slice.
 */
#include <libxsmm.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/libxsmm_formats.h"

#if LIBXSMM_VERSION_MAJOR < 2
#error "this plug-in is written for libxsmm 2, which has products of low-bit integers"
#endif

/* ---- what is multiplied ---- */

/** Of the products: types of weights, activations and results, and the layout that the weights are in. */
struct product {
    libxsmm_datatype weights, activations, results;
    unsigned flags;
    unsigned rows;        /* of a panel */
    bool adds_correction; /* weights are unsigned, as the format stores them */
    unsigned bits;        /* of weights with unsigned activations, and sums after the panel; 0: others */
};

enum { INT1, INT2, INT1_M64, INT2_M64, INT4_M64, INT8, BF16, F32, PRODUCTS };

#define TYPES(a, b, c) LIBXSMM_DATATYPE_##a, LIBXSMM_DATATYPE_##b, LIBXSMM_DATATYPE_##c
#define VNNI           LIBXSMM_GEMM_FLAG_VNNI_A
#define INTERLEAVED    (LIBXSMM_GEMM_FLAG_VNNI_A | LIBXSMM_GEMM_FLAG_INTLV_A_FORMAT)

static const struct product products[PRODUCTS] = {
    [INT1] = {TYPES(I1X8, I8, I32), VNNI, 32, false, 0},
    [INT2] = {TYPES(I2X4, I8, I32), INTERLEAVED, 32, false, 0},
    [INT1_M64] = {TYPES(I1X8, U8, I32), VNNI, 64, false, 1},
    [INT2_M64] = {TYPES(I2X4, U8, I32), INTERLEAVED, 64, false, 2},
    [INT4_M64] = {TYPES(U4X2, U8, I32), INTERLEAVED | LIBXSMM_GEMM_FLAG_USE_COL_VEC_ZPT, 64, false, 4},
    [INT8] = {TYPES(U8, I8, I32), VNNI, 32, true, 0},
    [BF16] = {TYPES(BF16, BF16, F32), VNNI, 32, false, 0},
    [F32] = {TYPES(F32, F32, F32), 0, 32, false, 0},
};

/** Elements from one token to the next of activations and of results. */
struct shape {
    size_t tokens, k, activations_stride, out_stride;
};

static bool has_permutations(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vnni");
#else
    return false;
#endif
}

/** The CPU that the library is told it makes code for, in place of the one it found. */
static int target_of(const struct product *product, int found)
{
    bool has_tiles = found >= LIBXSMM_X86_AVX512_SPR && found < LIBXSMM_X86_ALLFEAT;
    if ((product->bits == 1 || product->bits == 2) && found >= LIBXSMM_X86_AVX512_CLX && !has_tiles &&
        has_permutations())
        return LIBXSMM_X86_AVX512_SPR;
    return product->bits == 4 && has_tiles ? LIBXSMM_X86_AVX512_CLX : found;
}

static libxsmm_gemmfunction make(const struct product *product, const struct shape *shape)
{
    static pthread_mutex_t target = PTHREAD_MUTEX_INITIALIZER;
    const libxsmm_blasint rows = (libxsmm_blasint)product->rows;
    libxsmm_gemm_shape wanted =
        libxsmm_create_gemm_shape(rows, (libxsmm_blasint)shape->tokens, (libxsmm_blasint)shape->k, rows,
                                  (libxsmm_blasint)shape->activations_stride, (libxsmm_blasint)shape->out_stride,
                                  product->weights, product->activations, product->results, product->results);
    pthread_mutex_lock(&target);
    int found = libxsmm_get_target_archid(), wanted_target = target_of(product, found);
    if (wanted_target != found)
        libxsmm_set_target_archid(wanted_target);
    libxsmm_gemmfunction function =
        libxsmm_dispatch_gemm(wanted, product->flags | LIBXSMM_GEMM_FLAG_BETA_0, LIBXSMM_GEMM_PREFETCH_NONE);
    if (wanted_target != found)
        libxsmm_set_target_archid(found);
    pthread_mutex_unlock(&target);
    return function;
}

/** What a thread has made, so that the library's own table, which others look into, is left alone while there are timings. */
enum { SHAPES_KEPT = 16 };
struct made {
    const struct product *product;
    struct shape shape;
    libxsmm_gemmfunction function;
};
static _Thread_local struct made kept[SHAPES_KEPT];
static _Thread_local unsigned next; /* to be replaced */

/** A failure here is no result that could be compared: the process that checks ends, and says so. */
static libxsmm_gemmfunction function_of(const struct product *product, const struct shape *shape)
{
    for (int i = 0; i < SHAPES_KEPT; i++) {
        if (kept[i].product == product && memcmp(&kept[i].shape, shape, sizeof *shape) == 0)
            return kept[i].function;
    }
    struct made *made = &kept[next++ % SHAPES_KEPT];
    *made = (struct made){.product = product, .shape = *shape, .function = make(product, shape)};
    if (!made->function)
        abort();
    return made->function;
}

static void clear_upper_halves(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper" ::: "memory");
#endif
}

/** Of each row of INT4_M64, added to its weights to make them unsigned. */
enum { EIGHT = 0x08080808 };
static uint32_t eights[16] = {EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT,
                              EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT};

static void call(libxsmm_gemmfunction function, const uint8_t *panel, const void *activations, void *out)
{
    libxsmm_gemm_param operands;
    memset(&operands, 0, sizeof operands);
    operands.a.primary = (void *)(uintptr_t)panel;
    operands.a.quaternary = eights;
    operands.b.primary = (void *)(uintptr_t)activations;
    operands.c.primary = out;
    function(&operands);
}

/** What each result of a panel has too much, 128 times over. */
static void take_off(const struct product *product, const uint8_t *panel, size_t k, int32_t *out)
{
    int32_t sums[64];
    memcpy(sums, panel + sums_at(product->bits, k), sizeof sums);
    for (int row = 0; row < 64; row++)
        out[row] = (int32_t)((uint32_t)out[row] - 128 * (uint32_t)sums[row]);
}

/* ---- one token ---- */

static void multiply_one(const struct product *product, const struct gemv_slice *slice, const void *activations)
{
    const struct shape shape = {1, slice->k, slice->k, product->rows};
    libxsmm_gemmfunction function = function_of(product, &shape);
    for (size_t panel = 0; panel < slice->panels; panel++)
        call(function, slice->weights + panel * slice->panel_bytes, activations, slice->out + panel * product->rows);
    clear_upper_halves();
    for (size_t panel = 0; product->bits && panel < slice->panels; panel++)
        take_off(product, slice->weights + panel * slice->panel_bytes, slice->k, slice->out + panel * 64);
    for (size_t i = 0; product->adds_correction && i < slice->panels * product->rows; i++)
        slice->out[i] = add_wrapping(slice->out[i], slice->correction);
}

/* ---- several ---- */

/** Of a panel's integers. */
static size_t scratch_bytes_32(size_t k, size_t tokens)
{
    (void)k;
    return tokens * 32 * sizeof(int32_t);
}

static size_t scratch_bytes_64(size_t k, size_t tokens)
{
    return 2 * scratch_bytes_32(k, tokens);
}

static void scale(const struct product *product, const struct gemm_slice *slice, const int32_t *sums, float *out)
{
    for (size_t token = 0; token < slice->tokens; token++, sums += product->rows, out += slice->out_stride) {
        int32_t correction = product->adds_correction ? slice->corrections[token] : 0;
        for (size_t row = 0; row < product->rows; row++)
            out[row] = slice->scales[token] * (float)add_wrapping(sums[row], correction);
    }
}

static void multiply_integers(const struct product *product, const struct gemm_slice *slice)
{
    size_t stride = product->bits ? slice->k : slice->activations_stride;
    const void *activations = product->bits ? slice->prepared : (const void *)slice->activations;
    const struct shape shape = {slice->tokens, slice->k, stride, product->rows};
    libxsmm_gemmfunction function = function_of(product, &shape);
    for (size_t i = 0; i < slice->panels; i++) {
        const uint8_t *panel = slice->weights + i * slice->panel_bytes;
        int32_t *sums = slice->scratch;
        call(function, panel, activations, sums);
        clear_upper_halves();
        for (size_t token = 0; product->bits && token < slice->tokens; token++)
            take_off(product, panel, slice->k, sums + token * 64);
        scale(product, slice, sums, slice->out + i * product->rows);
    }
}

static void multiply_floats(const struct product *product, const struct gemm_slice *slice, const void *activations,
                            size_t stride)
{
    const struct shape shape = {slice->tokens, slice->k, stride, slice->out_stride};
    libxsmm_gemmfunction function = function_of(product, &shape);
    for (size_t panel = 0; panel < slice->panels; panel++)
        call(function, slice->weights + panel * slice->panel_bytes, activations, slice->out + panel * product->rows);
    clear_upper_halves();
}

/* ---- integers ---- */

#define INTEGER_PRODUCT(which)                                                                                         \
    static void gemv_##which(const struct gemv_slice *slice)                                                           \
    {                                                                                                                  \
        multiply_one(&products[which], slice, products[which].bits ? slice->prepared : slice->activations);            \
    }                                                                                                                  \
    static void gemm_##which(const struct gemm_slice *slice)                                                           \
    {                                                                                                                  \
        multiply_integers(&products[which], slice);                                                                    \
    }
INTEGER_PRODUCT(INT1)
INTEGER_PRODUCT(INT2)
INTEGER_PRODUCT(INT1_M64)
INTEGER_PRODUCT(INT2_M64)
INTEGER_PRODUCT(INT4_M64)
INTEGER_PRODUCT(INT8)

/** a + 128, which products of unsigned activations take. */
static void make_unsigned(const void *activations, size_t k, void *prepared)
{
    for (size_t i = 0; i < k; i++)
        ((uint8_t *)prepared)[i] = (uint8_t)(((const uint8_t *)activations)[i] ^ 128);
}

static void make_many_unsigned(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    (void)stride, (void)tokens; /* a group is one token */
    make_unsigned(activations, k, prepared);
}

static size_t unsigned_bytes(size_t k)
{
    return k;
}

/* ---- floats: of bf16 the activations, too ---- */

static void prepare_bf16(const void *activations, size_t k, void *prepared)
{
    for (size_t i = 0; i < k; i++)
        ((uint16_t *)prepared)[i] = bfloat_from_float(((const float *)activations)[i]);
}

static void prepare_many_bf16(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    (void)stride, (void)tokens; /* a group is one token */
    prepare_bf16(activations, k, prepared);
}

static size_t bf16_bytes(size_t k)
{
    return k * sizeof(uint16_t);
}

static struct kernel_row row_bf16(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    for (uint32_t i = 0; i < k; i++) {
        double term = weight_bf16(panel, k, row, i) * (double)bfloat_to_float(half_at(prepared, i));
        sum.y += term;
        sum.magnitude += term < 0 ? -term : term;
    }
    return sum;
}

static void gemv_BF16(const struct gemv_slice *slice)
{
    multiply_one(&products[BF16], slice, slice->prepared);
}

static void gemm_BF16(const struct gemm_slice *slice)
{
    multiply_floats(&products[BF16], slice, slice->prepared, slice->k);
}

static void gemv_F32(const struct gemv_slice *slice)
{
    multiply_one(&products[F32], slice, slice->activations_f32);
}

static void gemm_F32(const struct gemm_slice *slice)
{
    multiply_floats(&products[F32], slice, slice->activations_f32, slice->activations_stride);
}

/* ---- what there is ---- */

#define OF(weights)                                                                                                    \
    .name = #weights ".libxsmm.reference", .sequence = "libxsmm", .isa = "reference", .format = &(weights)
#define INTEGERS(which)                                                                                                \
    .lossless = true, .gemv = gemv_##which, .gemm = {.run = gemm_##which, .scratch_bytes = scratch_bytes_32}
#define UNSIGNED(which)                                                                                                \
    .lossless = true, .gemv = gemv_##which, .prepared_bytes = unsigned_bytes, .prepare = make_unsigned,                \
    .gemm = {.run = gemm_##which,                                                                                      \
             .scratch_bytes = scratch_bytes_64,                                                                        \
             .prepare_many = make_many_unsigned,                                                                       \
             .tokens_per_group = 1,                                                                                    \
             .prepared_bytes = unsigned_bytes}
#define FLOATS .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32

static const struct kernel kernels_of[PRODUCTS] = {
    [INT1] = {OF(int1_vnni4), INTEGERS(INT1)},
    [INT2] = {OF(int2_xsmm_m32), INTEGERS(INT2)},
    [INT1_M64] = {OF(int1_xsmm_m64), UNSIGNED(INT1_M64)},
    [INT2_M64] = {OF(int2_xsmm_m64), UNSIGNED(INT2_M64)},
    [INT4_M64] = {OF(int4_xsmm_m64), UNSIGNED(INT4_M64)},
    [INT8] = {OF(int8_vnni4), INTEGERS(INT8)},
    [BF16] = {OF(bf16_vnni2), FLOATS, .error_bound = 0x1p-8, /* half of the last of 7 fraction bits */
              .gemv = gemv_BF16, .prepared_bytes_per_step = BF16_STEP * sizeof(uint16_t), .prepare = prepare_bf16,
              .row = row_bf16,
              .gemm = {.run = gemm_BF16,
                       .prepare_many = prepare_many_bf16,
                       .tokens_per_group = 1,
                       .prepared_bytes = bf16_bytes}},
    [F32] = {OF(f32_columns), FLOATS, .gemv = gemv_F32, .gemm = {.run = gemm_F32}},
};

static const struct format *formats[PRODUCTS + 1];
static const struct kernel *kernels[PRODUCTS + 1];

/** Whether code is made of it: tried, since for what it has none the library may answer with its plain C. */
static bool is_made(const struct product *product)
{
    const struct shape shape = {1, 256, 256, product->rows};
    libxsmm_gemmfunction function = make(product, &shape);
    libxsmm_kernel_info info;
    memset(&info, 0, sizeof info);
    return function && libxsmm_get_kernel_info((const void *)(uintptr_t)function, &info) == 0 &&
           !info.is_reference_kernel;
}

static int init(char *why, size_t size)
{
    size_t kernel_count = 0, format_count = 0;
    libxsmm_init();
    for (int i = 0; i < PRODUCTS; i++) {
        if (!is_made(&products[i]))
            continue;
        kernels[kernel_count++] = &kernels_of[i];
        if (kernels_of[i].format->rows_per_panel)
            formats[format_count++] = kernels_of[i].format;
    }
    if (kernel_count == 0)
        snprintf(why, size, "libxsmm makes no code for this CPU (it takes it for %s)", libxsmm_get_target_arch());
    return kernel_count == 0;
}

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .name = "libxsmm",  .version = LIBXSMM_VERSION "; " PEER_VERSION,
                    .formats = formats,     .kernels = kernels, .init = init};
