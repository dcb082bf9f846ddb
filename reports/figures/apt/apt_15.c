/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/papers/schemes.h"

enum { STAGES = 3, ISAS = 4, TOKENS = 64 };

static const char paper[] = "apt-llm";
static const unsigned colours[ISAS] = {0x009e73, 0x0072b2, 0xe69f00, 0xcc79a7};

/* A stage of the ablation: of which kernels, and its place in the paper's column of speed-ups. */
static const struct stage {
    const char *title, *sequence; /* NULL: the fastest W1A2 */
    size_t stated;                /* SIZE_MAX: it is the base */
} stages[STAGES] = {
    {"basic", "a2_basic", SIZE_MAX},
    {"+ scheduling", "a2_scheduling", 0},
    {"+ mapping", NULL, 2},
};

/* Bars of an instruction set. */
struct bars {
    const char *isa;
    const json_t *row[STAGES];
};

static const json_t *row_of(const struct view *view, const struct scheme_query *query, const char *isa,
                            const char *sequence)
{
    const json_t *least = NULL;
    for (size_t i = 0; i < view->of[VIEW_GEMM].count; i++) {
        const json_t *row = view->of[VIEW_GEMM].rows[i];
        struct scheme_bits bits;
        bool is_stage =
            !strcmp(view_text(row, "sequence"), "a2_basic") || !strcmp(view_text(row, "sequence"), "a2_scheduling");
        if (!scheme_bits_of(row, &bits) || bits.weights != 1 || bits.activations != 2 || !cells_is_valid(row) ||
            !view_is_cold(row) || strcmp(view_text(row, "isa"), isa) != 0 || view_number(row, "m") != query->m ||
            view_number(row, "k") != query->k || view_number(row, "n") != query->n ||
            view_number(row, "threads") != query->threads)
            continue;
        if (sequence ? strcmp(view_text(row, "sequence"), sequence) != 0 : is_stage)
            continue;
        if (!least || view_median(row, "time_s") < view_median(least, "time_s"))
            least = row;
    }
    return least;
}

/* The instruction sets whose first stage was measured. */
static size_t bars_of(const struct view *view, const struct scheme_query *query, struct bars bars[ISAS])
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMM].count && count < ISAS; i++) {
        const char *isa = view_text(view->of[VIEW_GEMM].rows[i], "isa");
        bool is_there = false;
        for (size_t b = 0; b < count; b++)
            is_there |= strcmp(bars[b].isa, isa) == 0;
        if (is_there || !row_of(view, query, isa, stages[0].sequence))
            continue;
        bars[count].isa = isa;
        for (size_t s = 0; s < STAGES; s++)
            bars[count].row[s] = row_of(view, query, isa, stages[s].sequence);
        count++;
    }
    return count;
}

static void write_bar(double place, double ratio, double time_s, unsigned colour, const char *what, FILE *data)
{
    char text[192];
    snprintf(text, sizeof text, "%s: %.2f times as fast as basic", what, ratio);
    if (time_s > 0)
        snprintf(text, sizeof text, "%s: %.4g us, %.2f times as fast as basic", what, 1e6 * time_s, ratio);
    fprintf(data, "%g %.4g %.5g 0x%06x ", place, ratio, 1e6 * time_s, colour);
    gnuplot_write_field(data, text);
    fputc('\n', data);
}

static int write_bars(const struct bars *bars, size_t count, FILE *data, double *most)
{
    struct papers papers;
    char why[256];
    int error = papers_open(paper, &papers, why, sizeof why);
    fputs("# place, times as fast as basic, us, colour, what\n", data);
    for (size_t s = 0; !error && s < STAGES; s++) {
        double place = (double)(s * (count + 2)), stated = 1;
        if (stages[s].stated != SIZE_MAX)
            stated = papers_column_value(&papers, paper, "ablation", stages[s].stated);
        write_bar(place, stated, 0, 0xb0b0b0, "the paper, RTX 3090", data);
        *most = fmax(*most, stated);
        for (size_t b = 0; b < count; b++) {
            double base = view_median(bars[b].row[0], "time_s"), time = view_median(bars[b].row[s], "time_s");
            if (!(time > 0))
                continue;
            write_bar(place + (double)b + 1, base / time, time, colours[b], view_text(bars[b].row[s], "name"), data);
            *most = fmax(*most, base / time);
        }
    }
    papers_free(&papers);
    fputs("\n\n", data);
    return error;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct scheme_query query = {CELLS_REFERENCE_M, CELLS_REFERENCE_K, TOKENS, scheme_team(view), MACHINES};
    struct bars bars[ISAS];
    double most = 0;
    size_t count = bars_of(view, &query, bars);
    if (!count)
        return -ENODATA;
    int error = write_bars(bars, count, data, &most);
    if (error)
        return error;
    fprintf(
        settings,
        "heading = heading.', W1A2, 64/4k/4k, %u thread%s'\nwidth = 760\nheight = 430\nnarrow_height = 330\nstages = %d\nbars = %zu\nmost = %g\n",
        query.threads, query.threads == 1 ? "" : "s", STAGES, count, most);
    set_texts(settings, "stage_title", STAGES, s, stages[s].title);
    set_texts(settings, "bar_title", count, b, bars[b].isa);
    set_colours(settings, "bar_colour", count, b, colours[b]);
    return 0;
}

const struct figure figure_apt_15 = {
    .name = "apt_15",
    .title = "Memory scheduling, then kernel mapping [apt-llm, Fig. 15]",
    .caption =
        "How many times as fast as the first stage. Basic: each pair of planes is a separate product, which is "
        "written to memory; afterwards the products are shifted and added. With scheduling, the pairs of a block are "
        "added in registers, and the next block of weights is fetched while this one is multiplied; the block has 8 "
        "rows and 4 tokens in both. With mapping, the fastest block is used. Grey is the paper's GPU, whose shared "
        "memory is far smaller than the caches that hold the products here: what goes to memory on the GPU costs more "
        "there. 4,096 rows and columns from memory, 64 tokens.",
    .units = "times as fast as basic",
    .lacking = "the stages w1.a2_basic, w1.a2_scheduling and w1.a2_popcount with 64 tokens on 4096x4096",
    .measured_by = "kneepoint gemm --tokens=64 --threads=1 w1.a2",
    .rank = 72,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMM),
    .write = write,
};
