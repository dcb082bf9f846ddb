/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/product/ranking.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/fastest.h"
#include "reports/select/kernels/limit.h"

static long long integer(const json_t *record, const char *field)
{
    return (long long)json_integer_value(json_object_get(record, field));
}

static const char *string(const json_t *record, const char *field)
{
    const char *text = json_string_value(json_object_get(record, field));
    return text ? text : "";
}

static double real(const json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool is_warm(const json_t *record)
{
    return strcmp(string(record, "protocol"), "cold") != 0;
}

static int compare(long long one, long long other)
{
    return (one > other) - (one < other);
}

static int compare_shapes(const json_t *one, const json_t *other)
{
    int by_rows = compare(integer(one, "m"), integer(other, "m"));
    return by_rows ? by_rows : compare(integer(one, "k"), integer(other, "k"));
}

/** What is compared with each other is equal. */
static int compare_groups(const json_t *one, const json_t *other)
{
    const int by[] = {compare_shapes(one, other), compare(integer(one, "n"), integer(other, "n")),
                      compare(is_warm(one), is_warm(other)),
                      compare(integer(other, "threads"), integer(one, "threads"))};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        if (by[i])
            return by[i];
    }
    return 0;
}

int product_compare_by_time(const json_t *one, const json_t *other)
{
    int by_group = compare_groups(one, other);
    return by_group ? by_group : fastest_compare_times(one, other);
}

int product_compare_by_sweep(const json_t *one, const json_t *other)
{
    const int by[] = {
        strcmp(string(one, "name"), string(other, "name")),
        compare_shapes(one, other),
        compare(integer(one, "threads"), integer(other, "threads")),
        compare(is_warm(one), is_warm(other)),
        compare(integer(one, "n"), integer(other, "n")),
        compare(json_is_string(json_object_get(one, "schedule")), json_is_string(json_object_get(other, "schedule"))),
    };
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        if (by[i])
            return by[i];
    }
    return 0;
}

const char *product_limit(const json_t *record)
{
    const json_t *binds = json_object_get(record, "binds");
    bool reading_alone = !json_is_string(binds) && json_object_get(record, "predicted_read_s");
    return reading_alone ? "no gamma" : row_limit(record);
}

/* ---- the verdict ---- */

/** Whether its time is that of a kernel, and not of a test of one. */
static bool counts(const json_t *record)
{
    static const char *const not_with[] = {"member", "emulated_speeds"};
    for (size_t i = 0; i < sizeof not_with / sizeof *not_with; i++) {
        if (json_object_get(record, not_with[i]))
            return false;
    }
    return !json_is_true(json_object_get(record, "contended")) && isfinite(fastest_quantity(record, "time_s").median);
}

/** The fastest of a group, in which another kernel than this one counts. @return NULL: there is none */
static const json_t *fastest_like(const json_t *rows, const json_t *like, const char *but)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (compare_groups(row, like) == 0 && counts(row) && strcmp(string(row, "name"), but) != 0)
            return row;
    }
    return NULL;
}

/** The first one of the largest product. */
static const json_t *largest(const json_t *rows)
{
    const json_t *most = NULL;
    double most_work = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        double work = (double)integer(row, "m") * (double)integer(row, "k") * (double)integer(row, "n");
        if (counts(row) && work > most_work) {
            most = row;
            most_work = work;
        }
    }
    return most;
}

static bool is_gemm(const json_t *record)
{
    return strcmp(string(record, "type"), "gemm") == 0;
}

/** What it attains, and before that what of its settings is not the kernel's own. */
static const char *attained_text(const json_t *record, char *text, size_t size)
{
    const char *schedule = string(record, "schedule");
    const bool loads = strcmp(string(record, "binds"), "operands") == 0;
    double fraction = loads             ? real(record, "operand_fraction")
                      : is_gemm(record) ? real(record, "multiply_fraction")
                                        : fastest_quantity(record, "roof_fraction").median;
    size_t used = (size_t)snprintf(text, size, "%s%s%s",
                                   strcmp(string(record, "settings"), "our prefetch") == 0 ? "with our prefetch, " : "",
                                   schedule, *schedule ? ", " : "");
    if (isfinite(fraction))
        snprintf(text + used, size - used,
                 loads             ? "%.0f%% of what loading its operands allows"
                 : is_gemm(record) ? "%.0f%% of what multiplying alone attains"
                                   : "%.0f%% of the roof",
                 100 * fraction);
    else if (is_gemm(record))
        snprintf(text + used, size - used, "%.1f Gop/s", 1e-9 * fastest_quantity(record, "ops_per_s").median);
    else
        snprintf(text + used, size - used, "%.2f GB/s", 1e-9 * fastest_quantity(record, "bytes_per_s").median);
    return text;
}

static struct fastest_row row_of(const json_t *record, char *text, size_t size)
{
    const char *limit = record ? product_limit(record) : NULL;
    if (!record)
        return (struct fastest_row){0};
    return (struct fastest_row){.name = string(record, "name"),
                                .attained = attained_text(record, text, size),
                                .limit = limit && strcmp(limit, "no gamma") != 0 ? limit : NULL,
                                .time_s = fastest_quantity(record, "time_s")};
}

/** Of how many products by the same team and from the same place this kernel is the fastest; "" of one, or without a next one. */
static const char *wins_text(const json_t *rows, const json_t *fastest, const json_t *next, char *text, size_t size)
{
    size_t all = 0, won = 0;
    const json_t *before = NULL;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        bool alike = is_warm(row) == is_warm(fastest) && integer(row, "threads") == integer(fastest, "threads");
        if (!alike || !counts(row) || (before && compare_groups(before, row) == 0))
            continue;
        before = row;
        all++;
        won += strcmp(string(row, "name"), string(fastest, "name")) == 0;
    }
    text[0] = 0;
    if (all > 1 && next)
        snprintf(text, size, "; it is the fastest for %zu of %zu %s", won, all,
                 is_gemm(fastest) ? "shapes and numbers of tokens" : "shapes");
    return text;
}

const char *product_verdict_text(const json_t *rows, char *text, size_t size)
{
    const json_t *like = largest(rows), *fastest = like ? fastest_like(rows, like, "") : NULL,
                 *next = fastest ? fastest_like(rows, like, string(fastest, "name")) : NULL;
    char attained[2][128], line[512], tokens[48] = "", wins[96];
    text[0] = 0;
    if (!fastest)
        return text;
    const struct fastest_row best = row_of(fastest, attained[0], sizeof attained[0]),
                             other = row_of(next, attained[1], sizeof attained[1]);
    if (is_gemm(fastest))
        snprintf(tokens, sizeof tokens, " times %lld token%s", integer(fastest, "n"),
                 integer(fastest, "n") == 1 ? "" : "s");
    snprintf(text, size, "%s (%lldx%lld%s, %s, %lld thread%s%s)\n", fastest_text(&best, &other, line, sizeof line),
             integer(fastest, "m"), integer(fastest, "k"), tokens, is_warm(fastest) ? "warm" : "cold",
             integer(fastest, "threads"), integer(fastest, "threads") == 1 ? "" : "s",
             wins_text(rows, fastest, next, wins, sizeof wins));
    return text;
}

/* ---- beside plug-ins ---- */

/** Comparisons of ours with the fastest plug-in, and the ratios of those that ours are faster in. */
struct peers_count {
    size_t all, faster, slower;
    double least, most;
    struct summary ratio; /* of the last */
};

static void count_comparison(const json_t *row, struct peers_count *count)
{
    struct summary ratio = fastest_quantity(row, "x_best_peer");
    if (json_object_get(row, "plugin") || !(ratio.median > 0))
        return;
    count->all++;
    count->ratio = ratio;
    count->slower += ratio.ci95[1] < 1;
    if (ratio.ci95[0] > 1) {
        count->least = count->faster ? fmin(count->least, ratio.median) : ratio.median;
        count->most = count->faster++ ? fmax(count->most, ratio.median) : ratio.median;
    }
}

const char *product_peers_verdict_text(const json_t *rows, char *text, size_t size)
{
    struct peers_count count = {0};
    text[0] = 0;
    for (size_t i = 0; i < json_array_size(rows); i++)
        count_comparison(json_array_get(rows, i), &count);
    const size_t alike = count.all - count.faster - count.slower;
    if (count.all == 1)
        snprintf(text, size, "ours is %.2f [%.2f, %.2f] times as fast as the best plug-in%s\n", count.ratio.median,
                 count.ratio.ci95[0], count.ratio.ci95[1], alike ? ": no difference beyond the noise" : "");
    if (count.all < 2)
        return text;
    int used = snprintf(text, size, "ours are faster than the best plug-in in %zu of %zu comparisons", count.faster,
                        count.all);
    if (count.faster)
        used += snprintf(text + used, size - (size_t)used, ", %.2f to %.2f times as fast", count.least, count.most);
    if (count.slower)
        used += snprintf(text + used, size - (size_t)used, "; slower in %zu", count.slower);
    if (alike)
        used += snprintf(text + used, size - (size_t)used, "; as fast within the noise in %zu", alike);
    snprintf(text + used, size - (size_t)used, "\n");
    return text;
}
