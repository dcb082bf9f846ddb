/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
