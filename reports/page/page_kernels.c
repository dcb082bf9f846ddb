/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of all kernels by the same protocol: one shape, cold with one thread and with the widest team, warm with
 * one thread, what the up-convert costs, how exact the result is and what the activations' preparation adds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/kernels/cells.h"

enum { KERNELS = 512, TEAMS = 64 };

static bool is_reference(const json_t *row)
{
    return view_number(row, "m") == CELLS_REFERENCE_M && view_number(row, "k") == CELLS_REFERENCE_K;
}

/* Widest weights first, then format by format, the papers' kernels before ours. */
static int by_family(const void *a, const void *b)
{
    const json_t *left = *(const json_t *const *)a, *right = *(const json_t *const *)b;
    double wider = view_format_bits(right) - view_format_bits(left);
    int format = strcmp(view_text(left, "format"), view_text(right, "format"));
    bool ours = strcmp(view_text(left, "origin"), "kneepoint") == 0;
    bool other_ours = strcmp(view_text(right, "origin"), "kneepoint") == 0;
    if (wider != 0)
        return (wider > 0) - (wider < 0);
    if (format)
        return format;
    return ours != other_ours ? (int)ours - (int)other_ours : strcmp(view_text(left, "name"), view_text(right, "name"));
}

/* One row per kernel that has a cell on the reference shape. @return how many */
static size_t select_kernels(const struct view *view, const json_t **rows)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count && count < KERNELS; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        size_t at = 0;
        while (at < count && strcmp(view_text(rows[at], "name"), view_text(row, "name")) != 0)
            at++;
        if (at == count && is_reference(row))
            rows[count++] = row;
    }
    qsort(rows, count, sizeof *rows, by_family);
    return count;
}

static const json_t *cell_of(const struct view *view, const json_t *kernel, unsigned threads, bool cold)
{
    struct cell_query query = {.m = CELLS_REFERENCE_M, .k = CELLS_REFERENCE_K, .threads = threads, .cold = cold};
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (strcmp(view_text(row, "name"), view_text(kernel, "name")) == 0 && cells_match(row, &query))
            return row;
    }
    return NULL;
}

/* gamma of the kernel's sequence, as its cells say or the gamma record they name. */
static double gamma_of(const struct view *view, const json_t *kernel)
{
    double gamma = view_number(kernel, "gamma");
    return gamma > 0 ? gamma : view_median(cells_gamma(view, kernel), "gamma");
}

/* "exact", or how far off at most. */
static void write_exactness(const json_t *kernel, FILE *html)
{
    char text[64];
    if (view_flag(kernel, "exact")) {
        html_cell(html, "exact");
        return;
    }
    snprintf(text, sizeof text, "%s%.1e", view_is_wrong(kernel) ? "differs, " : "", view_number(kernel, "error"));
    html_cell(html, isfinite(view_number(kernel, "error")) ? text : "");
}

/* Cold with a team: time and share of the roof; what is not valid is left out. */
static void write_cold(const json_t *cell, FILE *html)
{
    bool valid = cell && cells_is_valid(cell);
    html_number(html, "%.1f", valid ? view_median(cell, "time_s") * 1e6 : NAN);
    html_number(html, "%.3f", valid ? view_median(cell, "roof_fraction") : NAN);
}

static void write_row(const struct view *view, const json_t *kernel, const unsigned *teams, size_t count, FILE *html)
{
    const json_t *warm = cell_of(view, kernel, teams[0], false);
    fputs("<tr>", html);
    html_cell(html, view_text(kernel, "name"));
    html_cell(html, view_text(kernel, "origin"));
    html_number(html, "%.4g", view_bits(kernel));
    html_number(html, "%.2f", gamma_of(view, kernel));
    for (size_t t = 0; t < count; t++)
        write_cold(cell_of(view, kernel, teams[t], true), html);
    html_number(html, "%.1f", warm && cells_is_valid(warm) ? view_median(warm, "ops_per_cycle") : NAN);
    html_cell(html, view_flag(kernel, "lossless") ? "yes" : "no");
    write_exactness(kernel, html);
    html_number(html, "%.2f", view_number(kernel, "prepare_s") * 1e6);
    for (size_t t = 0; t < count; t++)
        html_number(html, "%.1f", 100 * view_number(cell_of(view, kernel, teams[t], true), "prepare_share"));
    fputs("</tr>\n", html);
}

void page_write_kernels(const struct view *view, FILE *html)
{
    const json_t *kernels[KERNELS];
    unsigned teams[TEAMS];
    size_t count = select_kernels(view, kernels), team_count = view_teams(view, teams, TEAMS);
    if (!count || !team_count)
        return;
    if (team_count > 1)
        teams[1] = teams[team_count - 1];
    fprintf(html, "<h3>All kernels on %d×%d</h3>\n", CELLS_REFERENCE_M, CELLS_REFERENCE_K);
    html_table_begin(
        html,
        &(struct html_table){
            "kernels", "All kernels on one shape", .example = "2 bitnet-cpp",
            .headings =
                team_count > 1
                    ? HTML_HEADINGS("kernel", "origin", "#bits per weight", "#γ, cycles", "#cold µs, 1 thread",
                                    "#of roof, 1 thread", "#cold µs, all threads", "#of roof, all threads",
                                    "#warm op/cycle", "lossless", "error", "#prepare, µs", "#prepare, % of 1 thread",
                                    "#prepare, % of all threads")
                    : HTML_HEADINGS("kernel", "origin", "#bits per weight", "#γ, cycles", "#cold µs", "#of roof",
                                    "#warm op/cycle", "lossless", "error", "#prepare, µs", "#prepare, %"),
            .about =
                "Every kernel by the same protocol, widest weights first. Bits are those of the packed matrix, scales "
                "and padding included; γ is that of the sequence in the kernel's loop. Cold: weights from memory, as "
                "a share of the read roof measured alongside. Warm: operations (2 per weight) per core cycle with one "
                "thread. Lossless: equal to the integer product on integer weights and int8 activations, tested. "
                "Error: largest distance from the format's definition over the largest result, measured on what was "
                "timed; exact: none. Prepare: from f32 activations to the kernel's operand on one core, timed "
                "separately and not included in the GEMV's time."});
    for (size_t i = 0; i < count; i++)
        write_row(view, kernels[i], teams, team_count > 1 ? 2 : 1, html);
    html_table_end(html);
}
