/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/reported.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"
#include "results/records/record.h"

static const char *field_of(enum view_type type)
{
    return type == VIEW_GAMMA ? "gamma" : "time_s";
}

/* In place of the quantity one with this median and interval. */
static void put(json_t *row, const char *field, double median, const double ci95[2], size_t n)
{
    json_t *quantity = json_copy(json_object_get(row, field));
    json_object_del(quantity, "halves");
    json_object_set_new(quantity, "median", json_real(median));
    json_object_set_new(quantity, "ci95", json_pack("[f,f]", ci95[0], ci95[1]));
    json_object_set_new(quantity, "n", json_integer((json_int_t)n));
    json_object_set_new(row, field, quantity);
}

/* What goes as one over the time. */
static void put_rate(json_t *row, const char *field, const struct best_of_half *time, double all_s)
{
    double rate = view_median(row, field) * all_s;
    if (!isfinite(rate) || !json_is_object(json_object_get(row, field)))
        return;
    const double ci95[2] = {rate / time->ci95[1], rate / time->ci95[0]};
    put(row, field, rate / time->median, ci95, time->n);
}

static void put_gemv(json_t *row, const struct best_of_half *time, double all_s)
{
    static const char *const rates[] = {"bytes_per_s", "bytes_per_cycle_per_core", "ops_per_cycle", "ops_per_s",
                                        "tokens_per_s"};
    static const char *const residuals[][2] = {{"residual", "predicted_s"},
                                               {"residual_overlap", "predicted_overlap_s"}};
    struct best_of_half share[HALVES];
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        put_rate(row, rates[i], time, all_s);
    for (size_t i = 0; i < sizeof residuals / sizeof *residuals; i++) {
        double predicted_s = view_number(row, residuals[i][1]);
        if (isfinite(view_number(row, residuals[i][0])) && predicted_s > 0)
            json_object_set_new(row, residuals[i][0], json_real(time->median / predicted_s - 1));
    }
    if (record_halves_read(row, "roof_fraction", share))
        put(row, "roof_fraction", share[HALF_REPORTS].median, share[HALF_REPORTS].ci95, share[HALF_REPORTS].n);
    else
        json_object_set_new(row, "roof_fraction", json_null());
}

/* Whether its share of the roof was measured, with too few samples for a half. */
static bool lacks_share(const json_t *row)
{
    struct best_of_half share[HALVES];
    return view_median(row, "roof_fraction") > 0 && !record_halves_read(row, "roof_fraction", share);
}

json_t *reported_row(const json_t *row, const char *field)
{
    struct best_of_half halves[HALVES];
    double all = view_median(row, field);
    if (!record_halves_read(row, field, halves) || !(all > 0) || lacks_share(row))
        return NULL;
    const struct best_of_half *half = &halves[HALF_REPORTS];
    json_t *reported = json_copy((json_t *)row);
    put(reported, field, half->median, half->ci95, half->n);
    if (strcmp(field, "time_s") == 0)
        put_gemv(reported, half, all);
    else if (view_number(row, "knee") > 0)
        json_object_set_new(reported, "knee", json_real(view_number(row, "knee") * all / half->median));
    return reported;
}

/* Whether a row has a number of accumulators beside it that was chosen where it was measured. */
static bool is_chosen_from(const struct view_rows *rows, const size_t *index, size_t count, const json_t *row)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *other = rows->rows[index[i]];
        if (view_flag(other, "best") && strcmp(view_text(other, "name"), view_text(row, "name")) == 0)
            return true;
    }
    return false;
}

static const struct bounded unable_to_compete = {NAN, NAN, NAN};

/*
 * Rows are measured minutes apart, and what disturbs memory in one of them slows the reads beside its samples as well. What memory did not
 * limit in a minute in which it gave more than the run's roof, it may limit at that: it takes no longer than its share of the roof says.
 * NaN for others.
 */
static struct bounded time_at_roof(const struct view *view, const json_t *row)
{
    static const double MORE = 1.1;
    struct best_of_half share[HALVES];
    if (!view_is_cold(row) || !record_halves_read(row, "roof_fraction", share))
        return unable_to_compete;
    double bytes = view_median(row, "bytes_per_s") * view_median(row, "time_s");
    double roof = view_median(view_roof(view, "memory", (unsigned)view_number(row, "threads")), "bytes_per_s");
    if (strcmp(view_text(row, "binds"), "memory") != 0 && !(view_median(row, "roof_bytes_per_s") > MORE * roof))
        return unable_to_compete;
    const struct best_of_half *half = &share[HALF_CHOOSES];
    return (struct bounded){bytes / (half->median * roof), bytes / (half->ci95[1] * roof),
                            bytes / (half->ci95[0] * roof)};
}

struct bounded reported_choice(const struct view *view, enum view_type type, size_t index)
{
    const struct view_rows *rows = &view->of[type];
    const json_t *row = rows->rows[index];
    struct best_of_half halves[HALVES];
    if (!rows->has_halves)
        return (struct bounded){view_median(row, field_of(type)), NAN, NAN};
    /* of each sequence the number of accumulators was chosen where it was measured */
    bool chosen = type != VIEW_GAMMA || view_flag(row, "best");
    if (!chosen || !rows->reported[index] || !record_halves_read(row, field_of(type), halves))
        return unable_to_compete;
    const struct bounded at_roof = type == VIEW_GEMV ? time_at_roof(view, row) : unable_to_compete;
    const struct best_of_half *half = &halves[HALF_CHOOSES];
    return at_roof.value > 0 ? at_roof : (struct bounded){half->median, half->ci95[0], half->ci95[1]};
}

struct bounded reported_share(const struct view *view, size_t index)
{
    const struct view_rows *rows = &view->of[VIEW_GEMV];
    struct best_of_half share[HALVES];
    if (!rows->has_halves)
        return (struct bounded){view_median(rows->rows[index], "roof_fraction"), NAN, NAN};
    if (!rows->reported[index] || !record_halves_read(rows->rows[index], "roof_fraction", share))
        return unable_to_compete;
    const struct best_of_half *half = &share[HALF_CHOOSES];
    return (struct bounded){half->median, half->ci95[0], half->ci95[1]};
}

/* The least of those that compete; count if none does. */
static size_t least_choice(const struct view *view, enum view_type type, const size_t *index, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        double choice = reported_choice(view, type, index[i]).value;
        if (choice > 0 && !(best < count && choice >= reported_choice(view, type, index[best]).value))
            best = i;
    }
    return best;
}

/* The least median of those that cannot compete; NULL: none. */
static const json_t *least_unable(const struct view *view, enum view_type type, const size_t *index, size_t count)
{
    const struct view_rows *rows = &view->of[type];
    const json_t *least = NULL;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = rows->rows[index[i]];
        double median = view_median(row, field_of(type));
        bool able = reported_choice(view, type, index[i]).value > 0 ||
                    (type == VIEW_GAMMA && is_chosen_from(rows, index, count, row));
        if (!able && median > 0 && !(median >= view_median(least, field_of(type))))
            least = row;
    }
    return least;
}

/* What the median of a row is not below, by its interval; NaN where it has none, or is no plain time. */
static double low_of(const struct view *view, enum view_type type, size_t index)
{
    const json_t *row = view->of[type].rows[index];
    const struct bounded choice = reported_choice(view, type, index);
    struct summary all;
    if (type == VIEW_GEMV && time_at_roof(view, row).value > 0)
        return NAN;
    if (choice.value > 0)
        return choice.low;
    return record_quantity_read(row, field_of(type), &all) == 0 ? all.ci95[0] : (double)NAN;
}

/* Of how many others the interval lies above that of a row: more than luck makes it faster than those. */
static size_t slower_than(const struct view *view, enum view_type type, const json_t *row, const size_t *index,
                          size_t count)
{
    struct summary all;
    size_t slower = 0;
    if (record_quantity_read(row, field_of(type), &all) != 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        slower += all.ci95[1] < low_of(view, type, index[i]);
    return slower;
}

struct best reported_best(const struct view *view, enum view_type type, const size_t *index, size_t count)
{
    const struct view_rows *rows = &view->of[type];
    const json_t *unable = least_unable(view, type, index, count);
    size_t best = least_choice(view, type, index, count);
    if (best == count) /* one alone has no luck */
        return (struct best){.row = unable, .known = unable && count == 1};
    if (unable && type != VIEW_GAMMA && slower_than(view, type, unable, &index[best], 1))
        return (struct best){.row = unable, .known = slower_than(view, type, unable, index, count) == count - 1};
    bool passed = view_median(unable, field_of(type)) < reported_choice(view, type, index[best]).value;
    const json_t *row = rows->reported[index[best]] ? rows->reported[index[best]] : rows->rows[index[best]];
    return (struct best){.row = row, .known = true, .passed = passed ? unable : NULL};
}

bool reported_same(const json_t *one, const json_t *other)
{
    static const char *const fields[] = {"type", "name", "accumulators", "m", "k", "threads", "protocol"};
    bool same = one && other;
    for (size_t i = 0; same && i < sizeof fields / sizeof *fields; i++) {
        const json_t *a = json_object_get(one, fields[i]), *b = json_object_get(other, fields[i]);
        same = a == b || json_equal(a, b);
    }
    return same;
}

static int by_family(const void *a, const void *b)
{
    const json_t *left = *(const json_t *const *)a, *right = *(const json_t *const *)b;
    double wider = view_format_bits(right) - view_format_bits(left);
    if (!view_same_width(left, right))
        return wider > 0 ? 1 : -1;
    return (int)view_is_paper(right) - (int)view_is_paper(left);
}

/* The candidates of the family of a row, by index. */
static size_t family_of(const struct view *view, const json_t *family, size_t *index)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (view_is_candidate(view, row) && view_same_family(family, row))
            index[count++] = i;
    }
    return count;
}

size_t reported_best_gammas(const struct view *view, const json_t **rows, size_t capacity)
{
    size_t count = 0;
    size_t *index = need(view->of[VIEW_GAMMA].count + 1, sizeof *index);
    for (size_t i = 0; index && i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        bool known = !view_is_candidate(view, row);
        for (size_t at = 0; at < count && !known; at++)
            known = view_same_family(rows[at], row);
        if (known || count == capacity)
            continue;
        struct best best = reported_best(view, VIEW_GAMMA, index, family_of(view, row, index));
        if (best.known)
            rows[count++] = best.row;
    }
    free(index);
    qsort(rows, count, sizeof *rows, by_family);
    return count;
}
