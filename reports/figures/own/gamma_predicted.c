/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"

/*
 * Only gammas whose source says that they are predicted: they are of cores that were not measured, and are beside no mark that
 * was.
 */
enum { ROWS = 512, ROW_HEIGHT = 17, NARROW_ROW_HEIGHT = 15, LEGEND_HEIGHT = 22, CORES = 8 };

struct row {
    const char *name;
    double bits, least; /* the lowest gamma of all cores */
};

struct core {
    const struct described_platform *platform;
    const struct described_kind *kind;
};

static bool is_predicted(const struct described_gamma *gamma)
{
    return strstr(gamma->source, "predicted") && gamma->cycles > 0;
}

static void take(struct row *rows, size_t *count, const struct described_gamma *gamma)
{
    size_t at = 0;
    while (at < *count && strcmp(rows[at].name, gamma->name) != 0)
        at++;
    if (at == ROWS)
        return;
    if (at == *count)
        rows[(*count)++] = (struct row){gamma->name, gamma->bits_per_weight, gamma->cycles};
    rows[at].least = fmin(rows[at].least, gamma->cycles);
}

/* Wide weights last; of one width the fastest first. */
static int by_width_and_gamma(const void *a, const void *b)
{
    const struct row *left = a, *right = b;
    if (left->bits != right->bits)
        return left->bits > right->bits ? 1 : -1;
    if (left->least != right->least)
        return left->least > right->least ? 1 : -1;
    return strcmp(left->name, right->name);
}

static size_t select_cores(const struct view *view, struct core *cores, struct row *rows, size_t *row_count)
{
    size_t count = 0;
    for (size_t p = 0; p < view->platform_count; p++) {
        for (size_t k = 0; k < view->platforms[p].kind_count && count < CORES; k++) {
            const struct described_kind *kind = &view->platforms[p].kinds[k];
            bool any = false;
            for (size_t g = 0; g < kind->gamma_count; g++) {
                if (!is_predicted(&kind->gammas[g]))
                    continue;
                take(rows, row_count, &kind->gammas[g]);
                any = true;
            }
            if (any)
                cores[count++] = (struct core){&view->platforms[p], kind};
        }
    }
    qsort(rows, *row_count, sizeof *rows, by_width_and_gamma);
    return count;
}

/* One block: a core's gammas by row. @return the highest */
static double write_core(const struct core *core, const struct row *rows, size_t count, FILE *data)
{
    double most = 0;
    fprintf(data, "# predicted for %s: row, core cycles per vector, sequence, source\n", core->platform->name);
    for (size_t i = 0; i < count; i++) {
        for (size_t g = 0; g < core->kind->gamma_count; g++) {
            const struct described_gamma *gamma = &core->kind->gammas[g];
            if (!is_predicted(gamma) || strcmp(gamma->name, rows[i].name) != 0)
                continue;
            fprintf(data, "%zu %.6g ", i + 1, gamma->cycles);
            gnuplot_write_field(data, gamma->name);
            gnuplot_write_row(data, gamma->source, " ");
            most = fmax(most, gamma->cycles);
        }
    }
    fputs("\n\n", data);
    return most;
}

static void write_settings(const struct core *cores, size_t core_count, const struct row *rows, size_t count,
                           double most, FILE *settings)
{
    static const unsigned colours[CORES] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                            0xe69f00, 0x56b4e9, 0x7f7f7f, 0xc7b700};
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, rows[i].least);
    fprintf(settings, "rows = %zu\ncores = %zu\nx_min = %.4g\nx_max = %.4g\n", count, core_count, 0.8 * least,
            1.25 * most);
    fprintf(settings, "width = 1080\nheight = %zu\nnarrow_height = %zu\n",
            158 + LEGEND_HEIGHT * ((core_count + 1) / 2) + ROW_HEIGHT * count,
            84 + LEGEND_HEIGHT * core_count + NARROW_ROW_HEIGHT * count);
    set_texts(settings, "core_title", core_count, i, "%s", cores[i].platform->title);
    set_colours(settings, "core_colour", core_count, i, colours[i]);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct row rows[ROWS];
    struct core cores[CORES];
    size_t count = 0, core_count = select_cores(view, cores, rows, &count);
    double most = 0;
    if (!count)
        return -ENODATA;
    fputs("# row, sequence, bits a weight\n", data);
    for (size_t i = 0; i < count; i++) {
        fprintf(data, "%zu ", i + 1);
        gnuplot_write_field(data, rows[i].name);
        fprintf(data, " %g\n", rows[i].bits);
    }
    fputs("\n\n", data);
    for (size_t i = 0; i < core_count; i++)
        most = fmax(most, write_core(&cores[i], rows, count, data));
    write_settings(cores, core_count, rows, count, most, settings);
    return 0;
}

const struct figure figure_gamma_predicted = {
    .name = "gamma_predicted",
    .title = "γ predicted by llvm-mca for cores that were not measured",
    .caption =
        "Nothing here was measured: hollow marks are what llvm-mca's model of a core predicts for the instructions of "
        "a sequence, with its best number of accumulators, loads excluded; the platform file names the LLVM version. "
        "Narrow weights come first, and within a width the lowest γ. A model can be wrong by a factor: that of LLVM "
        "19 for cortex-x4 has two vector pipes where the core has four, and what it has for 256-bit SVE on "
        "neoverse-v1 is left out, since it counts four pipes where there are two.",
    .units = "core cycles per output vector of 32 weights, predicted, logarithmic",
    .rank = 42,
    .section = FIGURE_SEQUENCES,
    .platforms = "",
    .platforms_alone = true,
    .measured_by = "scripts/measuring/predicted_platform neoverse-v1 203 64 2.6 >FILE",
    .write = write,
};
