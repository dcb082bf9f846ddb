/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See mixed_pack.h.
 */
#include "micro/mixed_pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "micro/kernels/half.h"
#include "micro/mixed24_outliers.h"

enum { ROWS = MIXED24_ROWS, GROUP = MIXED_GROUP, STEP_GROUPS = MIXED_STEP_GROUPS };

/** A matrix on its way into panels. */
struct packing {
    const struct mixed_matrix *matrix;
    size_t k; /* padded */
    const uint16_t *order;
    uint16_t *place;              /* of a group: the inverse of order */
    struct mixed24_outlier *list; /* of a panel */
};

size_t mixed_pack_groups(const struct mixed_matrix *matrix)
{
    return (matrix->groups + STEP_GROUPS - 1) / STEP_GROUPS * STEP_GROUPS;
}

static void put_tile(const struct mixed_tile *tile, uint32_t place, struct mixed24_step *step)
{
    for (size_t r = 0; r < ROWS; r++) {
        memcpy(step->code[r] + place * GROUP, tile->code[r], GROUP);
        if (place < MIXED24_GROUPS2) {
            step->zero[place][r] = tile->zero[r];
            step->scale[place][r] = tile->scale[r];
        }
    }
    step->scale2[place] = tile->scale2;
    step->zero2[place] = tile->zero2;
}

/** Padding stays zero: scale2 is. */
static void put_steps(const struct packing *packing, size_t panel, uint8_t *bytes)
{
    const struct mixed_matrix *matrix = packing->matrix;
    for (size_t i = 0; i < packing->k / MIXED24_COLUMNS; i++) {
        struct mixed24_step step;
        memset(&step, 0, sizeof step);
        for (uint32_t place = 0; place < STEP_GROUPS; place++) {
            const size_t group = packing->order[i * STEP_GROUPS + place];
            if (group < matrix->groups)
                put_tile(&matrix->tile[panel * matrix->groups + group], place, &step);
        }
        mixed24_put_step(&step, bytes + i * MIXED24_STEP_BYTES);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct mixed24_outlier *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/** @return 0, -EINVAL (one is of a 4-bit group) or -ENOSPC */
static int put_outliers(const struct packing *packing, size_t panel, uint32_t per_mille, uint8_t *bytes)
{
    const struct mixed_matrix *matrix = packing->matrix;
    const size_t first = panel * ROWS, end = first + ROWS < matrix->m ? first + ROWS : matrix->m;
    uint32_t from = first ? matrix->outlier_end[first - 1] : 0;
    size_t count = 0;
    if (matrix->outlier_end[end - 1] - from > mixed24_outliers_room(packing->k, per_mille))
        return -ENOSPC;
    for (size_t r = first; r < end; r++) {
        for (; from < matrix->outlier_end[r]; from++) {
            const struct mixed_outlier *outlier = &matrix->outlier[from];
            if (matrix->kind[outlier->column / GROUP] == MIXED_BITS4)
                return -EINVAL;
            packing->list[count++] = (struct mixed24_outlier){
                .row = (uint32_t)(r - first),
                .column = (uint32_t)packing->place[outlier->column / GROUP] * GROUP + outlier->column % GROUP,
                .value = half_to_float(outlier->value),
            };
        }
    }
    qsort(packing->list, count, sizeof *packing->list, by_place);
    mixed24_put_outliers(packing->list, count, packing->k, per_mille, bytes);
    return 0;
}

static int put_panels(const struct packing *packing, uint32_t per_mille, uint8_t *packed)
{
    const struct mixed_matrix *matrix = packing->matrix;
    const size_t panels = (matrix->m + ROWS - 1) / ROWS;
    const size_t panel_bytes = per_mille ? mixed24_outliers_panel_bytes(packing->k, per_mille)
                                         : packing->k / MIXED24_COLUMNS * MIXED24_STEP_BYTES;
    int error = 0;
    for (size_t i = 0; i < panels && !error; i++) {
        put_steps(packing, i, packed + i * panel_bytes);
        if (per_mille)
            error = put_outliers(packing, i, per_mille, packed + i * panel_bytes);
    }
    return error;
}

int mixed_pack(const struct mixed_matrix *matrix, uint32_t per_mille, uint16_t *order, uint8_t *packed)
{
    const size_t groups = mixed_pack_groups(matrix);
    struct packing packing = {.matrix = matrix, .k = groups * GROUP, .order = order};
    if (mixed_order(matrix->kind, matrix->groups, order) || (!per_mille && matrix->outlier_end[matrix->m - 1]))
        return -EINVAL;
    packing.place = malloc(groups * sizeof *packing.place);
    packing.list = malloc((mixed24_outliers_room(packing.k, per_mille) + 1) * sizeof *packing.list);
    int error = packing.place && packing.list ? 0 : -ENOMEM;
    for (size_t p = 0; p < groups && !error; p++)
        packing.place[order[p]] = (uint16_t)p;
    if (!error)
        error = put_panels(&packing, per_mille, packed);
    free(packing.place);
    free(packing.list);
    return error;
}
