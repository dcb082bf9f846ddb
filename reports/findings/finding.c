/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/select/kernels/cells.h"
#include "reports/select/run/reported.h"
#include "results/files/need.h"
#include "roofline/ebw.h"

struct finding *finding_begin(struct facts *facts, enum figure_section section, const char *title)
{
    if (facts->count == facts->capacity)
        return NULL;
    struct finding *finding = &facts->out[facts->count++];
    snprintf(finding->title, sizeof finding->title, "%s", title);
    finding->section = section;
    finding->text[0] = finding->rows[0] = 0;
    finding->about = "";
    return finding;
}

void finding_table(struct finding *finding, const char *const *headings, const char *about)
{
    finding->headings = headings;
    finding->about = about;
}

void say_row(struct finding *finding, const char *format, ...)
{
    size_t length = strlen(finding->rows);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->rows + length, sizeof finding->rows - length, format, arguments);
    va_end(arguments);
}

void say(struct finding *finding, const char *format, ...)
{
    size_t length = strlen(finding->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->text + length, sizeof finding->text - length, format, arguments);
    va_end(arguments);
}

const char *family_named(const json_t *record, char *text, size_t size)
{
    double bits = view_format_bits(record);
    snprintf(text, size, "%s%.3g-bit", bits > 6 ? "" : view_is_paper(record) ? "the papers' " : "our ", bits);
    return text;
}

double beta_of(const struct facts *facts, unsigned team)
{
    return view_median(view_roof(facts->view, "memory", team), "bytes_per_cycle_per_core");
}

double knee_of(const json_t *gamma)
{
    return roofline_knee(4 * view_bits(gamma), view_median(gamma, "gamma"));
}

size_t findings_collect(const struct view *view, struct finding *findings, size_t capacity)
{
    struct facts *facts = need(1, sizeof *facts);
    if (!facts)
        return 0;
    facts->view = view;
    facts->out = findings;
    facts->capacity = capacity;
    facts->team_count = view_teams(view, facts->teams, FINDINGS_TEAMS);
    facts->family_count = reported_best_gammas(view, facts->families, FINDINGS_FAMILIES);
    facts->shape_count = cells_shapes(view, facts->shapes, FINDINGS_SHAPES);
    find_knee(facts);
    find_memory(facts);
    find_memory_bound(facts);
    find_advantage(facts);
    find_claims(facts);
    find_headlines(facts);
    find_planes(facts);
    find_prediction(facts);
    find_validation(facts);
    size_t count = facts->count;
    free(facts);
    return count;
}
