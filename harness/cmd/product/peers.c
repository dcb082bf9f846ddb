/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --peers: ours beside every plug-in that is found, of each width in bits and kind of weights the best.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/product/best_peer.h"
#include "harness/cells/product/product_cell.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/product/product_command.h"
#include "harness/cmd/product/ranking.h"
#include "harness/command/command.h"
#include "micro/format_kind.h"
#include "reports/select/run/peers.h"
#include "results/records/record.h"

/* ---- the table ---- */

static const char *from_text(const json_t *record, char *text, size_t size)
{
    const char *plugin = json_string_value(json_object_get(record, "plugin")),
               *origin = json_string_value(json_object_get(record, "origin"));
    snprintf(text, size, "%s", plugin ? plugin : origin ? origin : "-");
    return text;
}

static bool is_best(const json_t *record)
{
    const char *name = json_string_value(json_object_get(record, "name")),
               *best = json_string_value(json_object_get(record, "best_peer"));
    return name && best && strcmp(name, best) == 0;
}

static const char *ratio_text(const json_t *record, char *text, size_t size)
{
    struct summary ratio;
    if (record_quantity_read(record, "x_best_peer", &ratio))
        return is_best(record) ? "best" : "-";
    snprintf(text, size, "%.2f", ratio.median);
    return text;
}

static const char *interval_text(const json_t *record, char *text, size_t size)
{
    struct summary ratio;
    if (record_quantity_read(record, "x_best_peer", &ratio))
        return "";
    snprintf(text, size, "[%.2f, %.2f]", ratio.ci95[0], ratio.ci95[1]);
    return text;
}

/** Of what no plug-in was measured beside, too, whose record has none. */
static const char *width_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%g", best_peer_width(json_number_value(json_object_get(record, "bits"))));
    return text;
}

static const struct table_column columns[] = {
    {.heading = "width",
     .field = "width",
     .text = width_text,
     .explains = "whole bits per weight, scales included; 1.58 stands for 1.5 to 1.9"},
    {.heading = "kind",
     .field = "format_kind",
     .rank = 5,
     .left = true,
     .explains =
         "of weights: integers with one scale for the tensor, scaled integers with one for each block, values of a "
         "codebook, or floats"},
    {.heading = "shape", .field = "m", .text = product_shape_text},
    {.heading = "thr", .field = "threads"},
    {.heading = "proto",
     .field = "protocol",
     .rank = 6,
     .left = true,
     .explains = "cold, weights from memory, or warm, from a cache"},
    {.heading = "tokens", .field = "n", .rank = 3, .explains = "multiplied at once"},
    {.heading = "kernel", .field = "name", .left = true, .clips = 24},
    {.heading = "from",
     .field = "plugin",
     .text = from_text,
     .rank = 4,
     .left = true,
     .explains = "the plug-in, or whose method a kernel of ours is"},
    {.heading = "bits",
     .field = "bits",
     .value = TABLE_NUMBER,
     .digits = 2,
     .rank = 8,
     .explains = "of a packed weight, scales and padding included"},
    {.heading = "time us", .field = "time_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 2},
    {.heading = "GB/s",
     .field = "bytes_per_s",
     .value = TABLE_NUMBER,
     .scale = 1e-9,
     .digits = 2,
     .rank = 7,
     .explains = "packed weights read"},
    {.heading = "op/c",
     .field = "ops_per_cycle",
     .value = TABLE_NUMBER,
     .digits = 1,
     .rank = 9,
     .explains = "operations (2 a weight and token) per core cycle per core"},
    {.heading = "x peer",
     .field = "x_best_peer",
     .text = ratio_text,
     .rank = 1,
     .explains =
         "how many times as fast as the fastest plug-in, the median of ratios of samples of the same round; below 1 it is slower"},
    {.heading = "95%",
     .field = "x_best_peer",
     .text = interval_text,
     .rank = 5,
     .left = true,
     .explains = "interval of x peer"},
};

const struct table product_peers_table = {
    .type = "peers", .title = "Peers", .columns = columns, .count = sizeof columns / sizeof *columns};

/** @return 1 if it has too few samples for its ratio */
static size_t add_row(const struct session *session, const struct cells *cells, const struct cell *cell, json_t *rows)
{
    json_t *record = summary_record(session, cells, cell);
    struct summary ratio;
    bool few = record && !is_best(record) && record_quantity_read(record, "x_best_peer", &ratio) != 0;
    json_array_append_new(rows, record);
    return few;
}

/** Whether a cell is the first of those that are compared with each other. */
static bool begins_group(const struct cells *cells, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (cells->cell[i].kernel && best_peer_is_alike(&cells->cell[i], &cells->cell[at]))
            return false;
    }
    return cells->cell[at].kernel && best_peer_is_alike(&cells->cell[at], &cells->cell[at]);
}

/** Cells that are compared with this one and have no row, having too few samples for a time. */
static size_t without_time(const struct cells *cells, const struct cell *like)
{
    size_t count = 0;
    for (const struct cell *cell = cells->cell; cell < cells->cell + cells->count; cell++)
        count += cell->kernel && cell->samples.count && best_peer_is_alike(cell, like) &&
                 isnan(summary_time(cell).summary.median);
    return count;
}

/** @return rows that lack a number, or are missing, for lack of samples */
static size_t add_group(const struct session *session, const struct cells *cells, const struct cell *like, json_t *rows)
{
    const struct cell *ours = best_peer_fastest_of_ours(session, cells, like);
    size_t few = without_time(cells, like);
    if (ours)
        few += add_row(session, cells, ours, rows);
    for (unsigned p = 0; p < session->plugins.count; p++) {
        const struct cell *peer = best_peer_fastest(session, cells, like, &session->plugins.plugin[p]);
        if (peer)
            few += add_row(session, cells, peer, rows);
    }
    return few;
}

/** Widths, of each its kinds, of those shapes, teams and protocols, and of those the numbers of tokens, all ascending but that cold ones come first. */
static int in_order(const void *a, const void *b)
{
    const struct cell *one = *(const struct cell *const *)a, *other = *(const struct cell *const *)b;
    const struct product_cell *left = product_cell(one), *right = product_cell(other);
    const double keys[][2] = {
        {best_peer_width(one->kernel->format->bits), best_peer_width(other->kernel->format->bits)},
        {format_kind(one->kernel->format), format_kind(other->kernel->format)},
        {(double)left->m, (double)right->m},
        {(double)left->k, (double)right->k},
        {one->threads, other->threads},
        {!one->cold, !other->cold},
        {(double)left->tokens, (double)right->tokens}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return one < other ? -1 : 1;
}

const char *product_peer_done(const void *command, const struct session *session, const struct cells *cells,
                              const struct cell *cell, char *text, size_t size)
{
    (void)command;
    text[0] = '\0';
    if (!begins_group(cells, (size_t)(cell - cells->cell)))
        return text;
    const struct product_cell *own = product_cell(cell);
    const struct cell *ours = best_peer_fastest_of_ours(session, cells, cell),
                      *peer = best_peer_fastest(session, cells, cell, NULL);
    char tokens[32] = "";
    if (own->tokens)
        snprintf(tokens, sizeof tokens, " n%zu", own->tokens);
    if (!ours || !peer)
        return text;
    snprintf(text, size, "%g bits %zux%zu%s t%u %s: %s %.2f us, %s %.2f us",
             best_peer_width(cell->kernel->format->bits), own->m, own->k, tokens, cell->threads,
             cell->cold ? "cold" : "warm", ours->kernel->name, 1e6 * summary_time(ours).summary.median,
             peer->kernel->name, 1e6 * summary_time(peer).summary.median);
    return text;
}

static void print_legend(const struct product_command *command)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "\nFor each width and kind of weights, our fastest kernel and the fastest of each plug-in: %s on the same shapes and teams in the "
        "same run.\n--json has all that was measured.\n",
        command->product);
    console_print_text(text);
}

int product_print_peers(const struct product_command *command, const struct session *session, const struct cells *cells,
                        const struct table_view *view)
{
    json_t *rows = json_array();
    const struct cell **groups = calloc(cells->count + 1, sizeof *groups);
    size_t count = 0, few = 0;
    if (!groups || !rows) {
        free(groups);
        json_decref(rows);
        return complain(EXIT_USAGE, command->name, "no memory");
    }
    for (size_t i = 0; i < cells->count; i++) {
        if (begins_group(cells, i))
            groups[count++] = &cells->cell[i];
    }
    qsort(groups, count, sizeof *groups, in_order);
    for (size_t i = 0; i < count; i++)
        few += add_group(session, cells, groups[i], rows);
    free(groups);
    peers_rename(rows);
    char verdict[256];
    console_print_text(product_peers_verdict_text(rows, verdict, sizeof verdict));
    fputs(verdict[0] ? "\n" : "", stdout);
    int code = table_show(command->name, &product_peers_table, rows, view);
    json_decref(rows);
    print_few_remedy(few);
    print_legend(command);
    return code;
}
