/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/listed.h"

#include <string.h>

#include "reports/select/kernels/best.h"

enum { TEAMS = 64 };

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static void add(const char **names, size_t *count, const char *name)
{
    if (*count < LISTED_MAX && !is_among(names, *count, name))
        names[(*count)++] = name;
}

static void add_best(const struct view *view, const char *format, unsigned threads, struct listed *listed)
{
    for (int papers = 0; papers < 2; papers++) {
        const struct cell_query query = {.m = CELLS_REFERENCE_M,
                                         .k = CELLS_REFERENCE_K,
                                         .threads = threads,
                                         .cold = true,
                                         .format = format,
                                         .papers = papers};
        struct best best = best_gemv(view, &query);
        if (!best.known)
            continue;
        add(listed->names, &listed->count, view_text(best.row, "name"));
        add(listed->judged, &listed->judged_count, format);
    }
}

void listed_of(const struct view *view, struct listed *listed)
{
    const char *formats[LISTED_MAX];
    unsigned teams[TEAMS];
    size_t count = 0, team_count = view_teams(view, teams, TEAMS);
    listed->count = listed->judged_count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++)
        add(formats, &count, view_text(view->of[VIEW_GEMV].rows[i], "format"));
    for (size_t i = 0; team_count && i < count; i++) {
        if (!*formats[i])
            continue;
        add_best(view, formats[i], teams[0], listed);
        add_best(view, formats[i], teams[team_count - 1], listed);
    }
}

bool listed_has(const struct listed *listed, const json_t *gemv)
{
    return !cells_is_valid(gemv) || !is_among(listed->judged, listed->judged_count, view_text(gemv, "format")) ||
           is_among(listed->names, listed->count, view_text(gemv, "name"));
}

static bool is_judged(const json_t *gamma)
{
    return view_flag(gamma, "best") && view_median(gamma, "gamma") > 0 && view_format_bits(gamma) > 0 &&
           !view_is_experiment(gamma);
}

struct asked {
    const char *format;
    bool published; /* else all */
};

static bool is_asked(const void *of, const json_t *row)
{
    const struct asked *asked = of;
    return strcmp(view_text(row, "format"), asked->format) == 0 && (!asked->published || *view_origin(row)) &&
           is_judged(row);
}

bool least_is(const struct view *view, const json_t *gamma)
{
    struct asked asked = {view_text(gamma, "format"), false};
    if (reported_same(best_among(view, VIEW_GAMMA, is_asked, &asked, NULL).row, gamma))
        return true;
    asked.published = true;
    return reported_same(best_among(view, VIEW_GAMMA, is_asked, &asked, NULL).row, gamma);
}

bool least_is_named(const struct view *view, const char *sequence)
{
    bool judged = false;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (strcmp(view_text(row, "name"), sequence) != 0)
            continue;
        if (least_is(view, row))
            return true;
        judged = judged || is_judged(row);
    }
    return !judged;
}
