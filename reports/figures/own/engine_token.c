/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"

/* Two bars a result, of the engine and below it of our pass; parts follow one another from zero to the right. */
enum { RESULTS = 8, BARS = 2 * RESULTS, ROW_HEIGHT = 26 };
enum part { MEMORY, BEYOND, REST, UNTOLD, PARTS };

static const char *const titles[PARTS] = {"memory", "kernels beyond it", "everything else", "all beyond it"};
static const unsigned colours[PARTS] = {0x0072b2, 0xe69f00, 0x9a9a9a, 0xcc79a7};

struct bar {
    const json_t *record;
    bool pass;
    double ms, part[PARTS]; /* 0 where there is none */
};

static bool fill(const json_t *record, bool pass, struct bar *bar)
{
    const json_t *parts = json_object_get(record, pass ? "pass_parts_s" : "parts_s");
    double memory = view_number(parts, "memory"), beyond = view_number(parts, "kernels_beyond"),
           rest = view_number(parts, "everything_else");
    *bar = (struct bar){.record = record, .pass = pass, .ms = 1e3 * view_number(record, pass ? "pass_s" : "time_s")};
    if (!(memory > 0) || !(rest >= 0) || !(bar->ms > 0))
        return false;
    bar->part[MEMORY] = 1e3 * memory;
    bar->part[isnan(beyond) ? UNTOLD : REST] = 1e3 * rest;
    bar->part[BEYOND] = isnan(beyond) ? 0 : 1e3 * beyond;
    return true;
}

static size_t select_bars(const struct view *view, struct bar bars[BARS])
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_ENGINE].count && count + 2 <= BARS; i++) {
        const json_t *record = view->of[VIEW_ENGINE].rows[i];
        if (view_number(record, "n_prompt") != 0 || !fill(record, false, &bars[count]))
            continue;
        count++;
        count += fill(record, true, &bars[count]);
    }
    return count;
}

static void write_name(FILE *data, const struct bar *bar)
{
    char name[256];
    snprintf(name, sizeof name, "%.200s, %s", view_text(bar->record, "name"), bar->pass ? "our pass" : "engine");
    gnuplot_write_row(data, name, " ");
}

static size_t longest_name(const struct bar *bars, size_t count)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = (size_t)snprintf(NULL, 0, "%.200s, %s", view_text(bars[i].record, "name"),
                                         bars[i].pass ? "our pass" : "engine");
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void write_part(const struct bar *bars, size_t count, enum part part, FILE *data)
{
    fprintf(data, "# %s: place, from, to, bar\n", titles[part]);
    for (size_t i = 0; i < count; i++) {
        double from = 0;
        for (int before = 0; before < (int)part; before++)
            from += bars[i].part[before];
        fprintf(data, "%zu %.6g %.6g", i + 1, from, from + bars[i].part[part]);
        write_name(data, &bars[i]);
    }
    fputs("\n\n", data);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct bar bars[BARS];
    double longest = 0;
    bool shown[PARTS] = {false};
    size_t count = select_bars(view, bars);
    if (!count)
        return -ENODATA;
    for (int part = 0; part < PARTS; part++)
        write_part(bars, count, (enum part)part, data);
    fputs("# place, ms, tokens a second, bar\n", data);
    for (size_t i = 0; i < count; i++) {
        fprintf(data, "%zu %.6g %.6g", i + 1, bars[i].ms, 1e3 / bars[i].ms);
        write_name(data, &bars[i]);
        longest = fmax(longest, bars[i].ms);
        for (int part = 0; part < PARTS; part++)
            shown[part] = shown[part] || bars[i].part[part] > 0;
    }
    set_texts(settings, "part_title", PARTS, part, "%s", shown[part] ? titles[part] : "");
    set_colours(settings, "part_colour", PARTS, part, colours[part]);
    fprintf(settings, "heading = heading.', %s'\n", view_text(bars[0].record, "model"));
    fprintf(
        settings,
        "parts = %d\nbars = %zu\nlongest = %.6g\nname_length = %zu\nwidth = 1080\nheight = %zu\nnarrow_height = %zu\n",
        PARTS, count, longest, longest_name(bars, count), 190 + ROW_HEIGHT * count, 170 + ROW_HEIGHT * count);
    return 0;
}

const struct figure figure_engine_token = {
    .name = "engine_token",
    .title = "Where a token of the engine goes",
    .caption =
        "Memory: the weights, and keys and values, that a token reads, over β of the team. Kernels beyond it: what the "
        "products take beyond reading their weights, those of the engine by its plug-in, run on the file's tensors in "
        "order. Everything else: barriers, quantization, norms, attention beyond reading, sampling. All beyond it: "
        "both, where its kernels are not known. The engine's time is that of its own benchmark; below it is a pass of ours "
        "over the same file with as many threads and as much context.",
    .units = "milliseconds a token",
    .lacking = "tokens of an engine whose time and memory are known",
    .measured_by = "kneepoint model --beside=RESULTS",
    .rank = 53,
    .section = FIGURE_TOKENS,
    .needs = NEEDS(VIEW_ENGINE),
    .write = write,
};
