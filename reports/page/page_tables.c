/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/kernels/limit.h"
#include "reports/select/kernels/listed.h"
#include "reports/select/kernels/validation.h"
#include "reports/select/papers/claims.h"
#include "results/files/need.h"

/** Streams of a level and team that are shown. */
enum { STREAMS_SHOWN = 10 };

enum { WIDTHS = 32 };

/* Half the width of the 95% interval as a percentage of the median. */
static double uncertainty(const json_t *record, const char *field)
{
    const json_t *quantity = json_object_get(record, field), *interval = json_object_get(quantity, "ci95");
    double low = json_number_value(json_array_get(interval, 0)), high = json_number_value(json_array_get(interval, 1));
    return json_array_size(interval) == 2 ? 50 * (high - low) / view_median(record, field) : (double)NAN;
}

static const char *grade(const json_t *record, const char *field)
{
    return view_text(json_object_get(record, field), "grade");
}

/* Samples of a quantity that were kept, and those rejected: what a number rests on. Then what counted the cycles. */
static void write_samples(const json_t *record, const char *field, const char *in_cycles, FILE *html)
{
    const json_t *quantity = json_object_get(record, field);
    html_number(html, "%.0f", view_number(quantity, "n"));
    html_number(html, "%.0f", view_number(quantity, "rejected"));
    html_cell(html, view_text(json_object_get(record, in_cycles), "grade"));
}

static void write_beta_row(const json_t *row, FILE *html)
{
    bool roof = view_flag(row, "roof");
    const char *stream = view_text(row, "stream");
    fputs(roof ? "<tr class=\"best\">" : "<tr>", html);
    html_cell(html, view_text(row, "level"));
    html_cell(html, *stream ? stream : view_text(row, "name"));
    html_number(html, "%.0f", view_number(row, "threads"));
    fputs("<td>", html);
    markup_text(html, view_text(row, "prefetch"));
    if (view_number(row, "prefetch_bytes") > 0)
        fprintf(html, " +%.0f B", view_number(row, "prefetch_bytes"));
    fputs("</td>", html);
    html_number(html, "%.2f", view_median(row, "bytes_per_s") / 1e9);
    html_number(html, "%.3f", view_median(row, "bytes_per_cycle_per_core"));
    html_number(html, "%.1f", uncertainty(row, "bytes_per_s"));
    write_samples(row, "bytes_per_s", "bytes_per_cycle_per_core", html);
    html_cell(html, roof ? "roof" : view_flag(row, "search") ? "search" : "");
    fputs("</tr>\n", html);
}

/* From memory to L1, then by team, then the fastest first. */
static int by_speed(const void *a, const void *b)
{
    const json_t *left = *(const json_t *const *)a, *right = *(const json_t *const *)b;
    int level = strcmp(view_text(left, "level"), view_text(right, "level"));
    for (size_t i = VIEW_LEVELS; level && i-- > 0;) {
        if (strcmp(view_text(left, "level"), view_levels[i]) == 0)
            return -1;
        if (strcmp(view_text(right, "level"), view_levels[i]) == 0)
            return 1;
    }
    double team = view_number(left, "threads") - view_number(right, "threads");
    double slower = view_median(right, "bytes_per_s") - view_median(left, "bytes_per_s");
    return level ? level : team != 0 ? (team > 0) - (team < 0) : (slower > 0) - (slower < 0);
}

static bool same_team(const json_t *a, const json_t *b)
{
    return strcmp(view_text(a, "level"), view_text(b, "level")) == 0 &&
           view_number(a, "threads") == view_number(b, "threads");
}

/* Those of rank below STREAMS_SHOWN in their level and team. @return how many */
static size_t write_beta_rows(const json_t *const *rows, size_t count, FILE *html)
{
    size_t rank = 0, written = 0;
    for (size_t i = 0; i < count; i++) {
        rank = i && same_team(rows[i - 1], rows[i]) ? rank + 1 : 0;
        if (rank >= STREAMS_SHOWN && !view_flag(rows[i], "roof"))
            continue;
        written++;
        write_beta_row(rows[i], html);
    }
    return written;
}

void page_write_beta(const struct view *view, FILE *html)
{
    size_t count = view->of[VIEW_BETA].count;
    const json_t **rows = need(count + 1, sizeof *rows);
    if (!count || !rows) {
        free(rows);
        return;
    }
    memcpy(rows, view->of[VIEW_BETA].rows, count * sizeof *rows);
    qsort(rows, count, sizeof *rows, by_speed);
    fputs("<h3>β: read bandwidth</h3>\n", html);
    html_table_begin(html, &(struct html_table){"beta", "Read streams", .example = "memory 512",
                                                .headings = HTML_HEADINGS("level", "stream", "#threads", "prefetch",
                                                                          "#GB/s", "#B/cycle per core", "#± %", "#kept",
                                                                          "#rejected", "cycles by", "roof"),
                                                .about = "The fastest read streams of each level and team. The roof "
                                                         "is marked; streams within its uncertainty are as good. The "
                                                         "search chose the roof, whose own samples were taken "
                                                         "afterwards."});
    size_t shown = write_beta_rows(rows, count, html);
    html_table_end(html);
    if (count > shown)
        fprintf(
            html,
            "<p class=\"about\">%zu more stream%s tried, slower than these. All of them are in records.jsonl.</p>\n",
            count - shown, count - shown == 1 ? " was" : "s were");
    free(rows);
}

static bool has_best(const struct view *view, const json_t *gamma)
{
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (view_flag(row, "best") && strcmp(view_text(row, "name"), view_text(gamma, "name")) == 0)
            return true;
    }
    return false;
}

/* A sequence was measured with up to a dozen numbers of accumulators: its best is shown, how its paper ran it, and of one without a
 * best all. */
static bool is_shown(const struct view *view, const json_t *gamma)
{
    return view_flag(gamma, "best") || claims_is_as_published(view, gamma) || !has_best(view, gamma);
}

void page_write_gamma(const struct view *view, FILE *html)
{
    if (!view->of[VIEW_GAMMA].count)
        return;
    fputs("<h3>γ: up-convert and multiply</h3>\n", html);
    html_table_begin(
        html,
        &(struct html_table){
            "gamma", "Sequences", .example = "int2 paper",
            .headings = HTML_HEADINGS("sequence", "#accumulators", "#B per vector", "#γ, cycles", "#± %", "bound by",
                                      "#uops per vector", "#uops/cycle", "#latency γ", "#paper's γ", "#knee, B/cycle",
                                      "#kept", "#rejected", "cycles by", "origin", ""),
            .about =
                "Core cycles per vector of 32 weights, operands in registers. Best: lowest with enough accumulators "
                "for a kernel. As published: the number of accumulators that comes closest to the source's γ. Other "
                "numbers of accumulators are in records.jsonl."});
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        bool best = view_flag(row, "best");
        if (!is_shown(view, row))
            continue;
        fputs(best ? "<tr class=\"best\">" : "<tr>", html);
        html_cell(html, view_text(row, "name"));
        html_number(html, "%.0f", view_number(row, "accumulators"));
        html_number(html, "%g", view_number(row, "bytes_per_vector"));
        html_number(html, "%.3f", view_median(row, "gamma"));
        html_number(html, "%.1f", uncertainty(row, "gamma"));
        html_cell(html, view_text(row, "bound"));
        html_number(html, "%.2f", view_number(row, "uops_per_vector"));
        html_number(html, "%.2f", view_number(row, "uops_per_cycle"));
        html_number(html, "%.2f", view_number(row, "latency_gamma"));
        html_number(html, "%.2f", view_number(row, "claimed"));
        html_number(html, "%.2f", view_number(row, "knee"));
        write_samples(row, "gamma", "gamma", html);
        html_cell(html, view_text(row, "origin"));
        html_cell(html, best                                ? "best"
                        : claims_is_as_published(view, row) ? "as published"
                        : view_flag(row, "usable")          ? ""
                                                            : "probe only");
        fputs("</tr>\n", html);
    }
    html_table_end(html);
}

static const char *result_of(const json_t *gemv)
{
    if (view_is_wrong(gemv))
        return "differs";
    if (!(view_median(gemv, "time_s") > 0))
        return "too few samples";
    enum plausibility plausibility = cells_plausibility(gemv);
    return plausibility == PLAUSIBILITY_ABOVE_ROOF  ? "above roof"
           : plausibility == PLAUSIBILITY_FAR_BELOW ? "far below"
           : view_flag(gemv, "exact")               ? "exact"
           : view_flag(gemv, "within_bound")        ? "within bound"
                                                    : "";
}

static void write_gemv_row(const json_t *row, FILE *html)
{
    fputs(cells_is_valid(row) ? "<tr>" : "<tr class=\"invalid\">", html);
    html_cell(html, view_text(row, "name"));
    html_number(html, "%.0f", view_number(row, "m"));
    html_number(html, "%.0f", view_number(row, "k"));
    html_number(html, "%.0f", view_number(row, "threads"));
    html_cell(html, view_text(row, "protocol"));
    html_cell(html, view_text(row, "level"));
    html_number(html, "%.2f", view_median(row, "time_s") * 1e6);
    html_number(html, "%.1f", uncertainty(row, "time_s"));
    html_number(html, "%.2f", view_median(row, "bytes_per_s") / 1e9);
    html_number(html, "%.1f", view_median(row, "roof_fraction") * 100);
    html_cell(html, row_limit_words(row));
    html_number(html, "%+.1f", view_median(row, "residual") * 100);
    html_number(html, "%+.1f", view_median(row, "residual_overlap") * 100);
    html_number(html, "%.2f", view_median(row, "overlap"));
    html_cell(html, result_of(row));
    html_number(html, "%.1f", view_median(row, "ops_per_cycle"));
    write_samples(row, "time_s", "ops_per_cycle", html);
    fputs("</tr>\n", html);
}

/* Widths among the cells, widest first, by any record of each. */
struct widths {
    const json_t *of[WIDTHS];
    size_t count;
};

/* The first that a cell has; count for one that has none. */
static size_t width_of(const struct widths *widths, const json_t *gemv)
{
    size_t at = 0;
    while (at < widths->count && !view_same_width(widths->of[at], gemv))
        at++;
    return at;
}

static struct widths find_widths(const struct view *view)
{
    struct widths widths = {.count = 0};
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        size_t at = widths.count;
        if (width_of(&widths, row) < widths.count || widths.count == WIDTHS || !(view_format_bits(row) > 0))
            continue;
        for (widths.count++; at && view_format_bits(widths.of[at - 1]) < view_format_bits(row); at--)
            widths.of[at] = widths.of[at - 1];
        widths.of[at] = row;
    }
    return widths;
}

/* The cells of one width, or of none if which is the count of widths. */
static void write_gemv_family(const struct view *view, const struct widths *widths, size_t which,
                              const struct listed *listed, FILE *html)
{
    char id[32], title[64] = "unknown width", about[96];
    size_t count = 0, shown = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        bool here = width_of(widths, view->of[VIEW_GEMV].rows[i]) == which;
        count += here;
        shown += here && listed_has(listed, view->of[VIEW_GEMV].rows[i]);
    }
    if (!count)
        return;
    if (which < widths->count)
        snprintf(title, sizeof title, "%.3g-bit weights", view_format_bits(widths->of[which]));
    snprintf(id, sizeof id, "gemv-%zu", which);
    snprintf(about, sizeof about, "%zu cell%s%s", shown, shown == 1 ? "" : "s", shown == count ? "." : "");
    if (shown < count)
        snprintf(about + strlen(about), sizeof about - strlen(about), " of %zu.", count);
    fprintf(html, "<h4>%s</h4>\n", title);
    html_table_begin(html, &(struct html_table){id, title, .example = "4096 cold",
                                                .headings = HTML_HEADINGS(
                                                    "kernel", "#rows", "#columns", "#threads", "protocol", "weights in",
                                                    "#µs", "#± %", "#GB/s", "#% of roof", "limited by",
                                                    "#residual of max, %", "#residual with ω, %", "#overlap", "result",
                                                    "#op/cycle", "#kept", "#rejected", "cycles by"),
                                                .about = about});
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (width_of(widths, row) == which && listed_has(listed, row))
            write_gemv_row(row, html);
    }
    html_table_end(html);
}

void page_write_gemv(const struct view *view, FILE *html)
{
    const struct widths widths = find_widths(view);
    struct listed listed;
    if (!view->of[VIEW_GEMV].count)
        return;
    listed_of(view, &listed);
    fputs(
        "<h3>GEMV cells</h3>\n<p class=\"about\">Matrix × vector, a table for each width of weights: for every format "
        "the fastest kernel, the fastest published one, and cells that are not valid. The other kernels are in the "
        "table of all kernels, their other cells in records.jsonl. Roof: what the same team reads, measured alongside "
        "the cell. Limited by neither: it attains less than 70% of what memory or its instructions allow. Operations are "
        "2 per weight, per core. Residual: measured over predicted time, minus 1; of max(bytes/β, γ·vectors/clock), "
        "and of the model with ω, which is the one that is judged met or missed. Overlap: "
        "1 is the model, 0 if computing and waiting add up; it means little where one of them is small. Kept and "
        "rejected: samples; a cell on a coloured background is not valid.</p>\n",
        html);
    for (size_t i = 0; i <= widths.count; i++)
        write_gemv_family(view, &widths, i, &listed, html);
}

/* A stream without prefetch, and next to it the same with prefetch. */
static void write_knee_row(const struct view *view, const json_t *row, FILE *html)
{
    const json_t *ahead = validation_with_prefetch(view, row);
    bool valid = validation_is_valid(row) && (!ahead || validation_is_valid(ahead));
    fputs(valid ? "<tr>" : "<tr class=\"invalid\">", html);
    html_cell(html, view_text(row, "name"));
    html_number(html, "%.0f", view_number(row, "accumulators"));
    html_cell(html, view_text(row, "level"));
    html_number(html, "%.0f", view_number(row, "threads"));
    html_number(html, "%.2f", view_median(row, "beta"));
    html_number(html, "%.2f", view_number(row, "knee"));
    html_number(html, "%.2f", view_median(row, "e_bw"));
    html_number(html, "%.1f", uncertainty(row, "e_bw"));
    html_number(html, "%+.1f", 100 * view_number(row, "residual"));
    html_number(html, "%.2f", view_number(row, "overlap"));
    html_number(html, "%.0f", view_number(ahead, "prefetch_bytes"));
    html_number(html, "%.2f", view_median(ahead, "e_bw"));
    html_number(html, "%+.1f", 100 * (view_median(ahead, "e_bw") / view_median(row, "e_bw") - 1));
    html_number(html, "%.2f", view_number(ahead, "overlap"));
    write_samples(row, "e_bw", "e_bw", html);
    html_cell(html, valid ? "" : "not valid");
    fputs("</tr>\n", html);
}

void page_write_knee(const struct view *view, FILE *html)
{
    bool begun = false;
    for (size_t i = 0; i < view->of[VIEW_KNEE].count; i++) {
        const json_t *row = view->of[VIEW_KNEE].rows[i];
        if (!validation_is_point(row) || validation_prefetches(row) ||
            (validation_is_valid(row) && !least_is_named(view, view_text(row, "name"))))
            continue;
        if (!begun) {
            fputs("<h3>The knee, tested</h3>\n", html);
            html_table_begin(
                html,
                &(struct html_table){
                    "validation", "Streams of sequences against the model", .example = "int2 memory",
                    .headings = HTML_HEADINGS("sequence", "#accumulators", "weights in", "#threads", "#β, B/cycle",
                                              "#B/γ", "#attained", "#± %", "#residual %", "#overlap", "#prefetch, B",
                                              "#attained with it", "#gain %", "#overlap with it", "#kept", "#rejected",
                                              "cycles by", ""),
                    .about =
                        "For each format, the sequence with the lowest γ and the lowest published one, with the loads "
                        "of its weights, as a stream, and streams that are not valid; the figure shows all. Bytes per "
                        "core cycle of one core while the team reads. β is measured alongside. The model is min(β, "
                        "B/γ). Residual: time of a byte over that of the model, minus 1. Overlap: 1 is the model, 0 if "
                        "loading and computing add up; it means little where β and B/γ are far apart."});
            begun = true;
        }
        write_knee_row(view, row, html);
    }
    if (begun)
        html_table_end(html);
}

void page_write_steps(const struct view *view, FILE *html)
{
    size_t syncs = view->of[VIEW_SYNC].count, count = syncs + view->of[VIEW_PREPARE].count;
    if (!count)
        return;
    fputs("<h3>Barrier and preparation</h3>\n", html);
    html_table_begin(
        html, &(struct html_table){"steps", "Barrier and preparation", .example = "barrier",
                                   .headings = HTML_HEADINGS("step", "of", "#threads", "#k", "#µs", "#± %", "time by"),
                                   .about = "The barrier of a team, and the quantization of the activations "
                                            "(per tensor). The time for a kernel's own operand is in the table "
                                            "of all kernels."});
    for (size_t i = 0; i < count; i++) {
        const json_t *row = i < syncs ? view->of[VIEW_SYNC].rows[i] : view->of[VIEW_PREPARE].rows[i - syncs];
        if (*view_text(row, "kernel"))
            continue;
        fputs("<tr>", html);
        html_cell(html, view_text(row, "name"));
        html_cell(html, view_text(row, "quantizer"));
        html_number(html, "%.0f", view_number(row, "threads"));
        html_number(html, "%.0f", view_number(row, "k"));
        html_number(html, "%.3f", view_median(row, "time_s") * 1e6);
        html_number(html, "%.1f", uncertainty(row, "time_s"));
        html_cell(html, grade(row, "time_s"));
        fputs("</tr>\n", html);
    }
    html_table_end(html);
}
