/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of GEMVs of mixed24 with outliers: steps are those of mixed24.lanes, of the same instruction set; outliers multiply
 * the activations as they come, in float, since they are the largest weights. A row of kernels.def says OUTLIERS_AFTER if they are added in a
 * second pass over all panels of a slice, as a sparse matrix of its own would be, and not panel by panel, while the panel's are
 * being fetched with its steps.
 *
 *     operand = k / 64 blocks of mixed24_operand.h, then float[k]
 */
#ifndef MICRO_FAMILIES_MIXED24_MIXED24_OUTLIERS_LANES_H
#define MICRO_FAMILIES_MIXED24_MIXED24_OUTLIERS_LANES_H

#include "micro/families/mixed24/mixed24_operand_avx2.h"
#include "micro/families/mixed24/mixed24_outliers_row.h"
#include "micro/families/mixed24/mixed24_outliers_sums.h"

extern const struct format SELF_FORMAT;

#define MICROKERNEL_STEPS(slice) ((slice)->k / MIXED24_COLUMNS)

static const float *floats_of(const void *prepared, size_t k)
{
    return (const float *)(const void *)((const struct mixed24_operand *)prepared + k / MIXED24_COLUMNS);
}

static size_t prepared_bytes(size_t k)
{
    return k / MIXED24_COLUMNS * sizeof(struct mixed24_operand) + k * sizeof(float);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct mixed24_operand *blocks = prepared;
    mixed24_make(activations, k, blocks);
    memcpy(blocks + k / MIXED24_COLUMNS, activations, k * sizeof(float));
}

static double activation_at(const void *floats, size_t column)
{
    return (double)((const float *)floats)[column];
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    return mixed24_row_with(panel, k, row, OUTLIERS_PER_MILLE, prepared, activation_at, floats_of(prepared, k));
}

static void finish(const float *raw, float *out)
{
    _mm256_storeu_ps(out, _mm256_load_ps(raw));
    _mm256_storeu_ps(out + 8, _mm256_load_ps(raw + 8));
}

/** Where the outliers of a panel lie, or would lie: an address to fetch ahead from, which need not be memory. */
static uintptr_t outliers_at(const struct gemv_slice *slice, size_t panel)
{
    return (uintptr_t)slice->weights + panel * slice->panel_bytes + mixed24_outliers_place(slice->k);
}

/** Outliers of one panel, while the lines from `ahead` on are fetched. */
static void add_outliers(const struct gemv_slice *slice, size_t panel, uintptr_t ahead)
{
    struct mixed24_outliers outliers =
        mixed24_outliers_of(slice->weights + panel * slice->panel_bytes, slice->k, OUTLIERS_PER_MILLE);
    outliers_add_to_rows(&outliers, floats_of(slice->prepared, slice->k), ahead, slice->out_f32 + panel * MIXED24_ROWS);
}

/* A panel's steps fetch what is some distance ahead, so they leave out, after the next panel's first ones, as many bytes as the outliers
   are: add_rest() has them fetched. */
#ifdef OUTLIERS_AFTER
static void gemv(const struct gemv_slice *slice);

static size_t outliers_bytes(const struct gemv_slice *slice)
{
    return slice->panel_bytes - mixed24_outliers_place(slice->k);
}

static void add_rest(const struct gemv_slice *slice, size_t panel)
{
    uintptr_t ahead = outliers_at(slice, panel) + slice->prefetch_bytes;
    for (size_t i = 0; i < outliers_bytes(slice); i += 64)
        _mm_prefetch((const char *)(ahead + i), _MM_HINT_T0);
}

/** What is fetched ahead are the outliers of a panel as many bytes of outliers on. */
static void gemv_and_outliers(const struct gemv_slice *slice)
{
    size_t panels = (slice->prefetch_bytes + outliers_bytes(slice) - 1) / outliers_bytes(slice);
    gemv(slice);
    for (size_t panel = 0; panel < slice->panels; panel++)
        add_outliers(slice, panel, outliers_at(slice, panel + panels));
}
#define OUTLIERS_GEMV gemv_and_outliers
#else
static void add_rest(const struct gemv_slice *slice, size_t panel)
{
    add_outliers(slice, panel, outliers_at(slice, panel) + slice->prefetch_bytes);
}
#define OUTLIERS_GEMV gemv
#endif

/** Of 64 columns a float; a row may have all of its panel's outliers, which are up to 0.48 K. */
#define MIXED24_LANES_KERNEL                                                                                           \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = "mixed24.lanes." SELF_ISA, .prefetch_bytes = MIXED24_PREFETCH, .takes = KERNEL_TAKES_F32,             \
        .gives = KERNEL_GIVES_F32, .float_sums = 2 * OUTLIERS_LANES, .error_bound = Q8_ERROR_BOUND,                    \
        .gemv = OUTLIERS_GEMV, .prepared_bytes = prepared_bytes, .prepare = prepare, .row = row_of                     \
    }

#endif
