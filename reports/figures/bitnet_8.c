/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/draw/figure.h"
#include "reports/draw/series.h"
#include "reports/select/bitnet.h"

enum { TEAMS = 64 };

static const char model[] = "bitnet-3.8b";

/* One block: a kernel over the teams. @return teams on which every shape of the model was measured */
static size_t write_line(const struct view *view, const struct token_kernel *kernel, const unsigned *teams,
                         size_t count, FILE *data)
{
    size_t points = 0;
    for (size_t t = 0; t < count; t++) {
        struct token_bound bound = token_bound(view, model, kernel, teams[t]);
        if (!(bound.measured > 0.999))
            continue;
        if (!points++)
            fputs("# threads, tokens/s, GB/s of weights, GB/token\n", data);
        fprintf(data, "%u %.5g %.5g %.5g\n", teams[t], 1 / bound.seconds, bound.bytes / bound.seconds / 1e9,
                bound.bytes / 1e9);
    }
    if (points)
        fputs("\n\n", data);
    return points;
}

/* The paper's rendering and the fastest of ours. */
static void write_system(const struct view *view, const struct bitnet_column *column, const unsigned *teams,
                         size_t count, struct series *lines, FILE *data)
{
    char title[64];
    if (write_line(view, &column->paper, teams, count, data))
        series_add(lines, column->title, column->colour, 1, 7);
    snprintf(title, sizeof title, "%s, ours", column->title);
    if (column->paper.sequence && write_line(view, &column->ours, teams, count, data))
        series_add(lines, title, column->colour, 2, 6);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct series lines = {.prefix = "line"};
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS);
    fputs("# threads, GB/s of the read roof\n", data);
    for (size_t t = 0; t < count; t++)
        fprintf(data, "%u %.5g\n", teams[t], view_median(view_roof(view, "memory", teams[t]), "bytes_per_s") / 1e9);
    fputs("\n\n", data);
    /* what the paper's figure compares first, then the other ternary kernels */
    static const enum bitnet_system shown[] = {BITNET_TL2_0, BITNET_TQ1_0, BITNET_TMAC, BITNET_I2_S, BITNET_TQ2_0};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        write_system(view, &bitnet_columns[shown[i]], teams, count, &lines, data);
    if (!lines.count)
        return -ENODATA;
    series_write(&lines, settings);
    fprintf(settings, "threads_max = %u\nwidth = 1080\nheight = 500\nnarrow_height = %zu\n", teams[count - 1],
            310 + 11 * (lines.count + 2));
    return 0;
}

static const enum view_type needs[] = {VIEW_GEMV};

const struct figure figure_bitnet_8 = {
    .name = "bitnet_8",
    .title = "Throughput and bandwidth over threads, 3.8B model [bitnet-cpp, Fig. 8]",
    .caption =
        "Left, tokens per second that the cold GEMVs of bitnet-3.8b allow with so many threads (the output head in "
        "Float16, nothing but GEMVs counted); right, the bytes of packed weights that they then read per second, under "
        "the read roof of the run. Full lines are the paper's renderings, dashed ones the fastest of ours in the same "
        "format. In the paper, on an i7-13700H, TL2_0 leads TQ1_0 with every number of threads, and goes on gaining "
        "until 5 threads where T-MAC already loses. Only teams are shown with which every shape was measured.",
    .units = "threads; tokens per second; GB/s (1e9 bytes per second) of packed weights",
    .rank = 71,
    .section = FIGURE_PAPERS,
    .needs = needs,
    .needs_count = 1,
    .lacking = "cold GEMVs of bitnet-3.8b on all its shapes",
    .measured_by = BITNET_COMMAND("bitnet-3.8b"),
    .write = write,
};
