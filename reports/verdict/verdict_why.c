/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/verdict/verdict_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/text/words.h"
#include "roofline/attribution.h"

static struct attribution_side side_of(const struct comparison_term_side *side)
{
    return (struct attribution_side){side->time_s, side->gamma, side->clock_hz, side->roof_bytes_per_s, side->start_s};
}

static bool attribute(const struct compare_report *report, const struct compare_outcome *outcome,
                      struct attribution *attribution)
{
    struct comparison_terms terms;
    bool slower = outcome->verdict == COMPARE_FAILED || outcome->verdict == COMPARE_SUSPECTED;
    if (!slower || !comparison_terms_of(report->comparison, outcome, &terms))
        return false;
    const struct attribution_work work = {terms.bytes, terms.vectors};
    const struct attribution_side base = side_of(&terms.base), head = side_of(&terms.head);
    return attribution_of(&work, &base, &head, attribution);
}

static void add(char *text, size_t size, const char *name, double part, double effect)
{
    double share = round(100 * part / effect);
    words_add(text, size, "%s %s (%.0f%%)", name, verdict_percent(part).text,
              fabs(share) < 0.5 ? 0 : share); /* never -0 */
}

bool verdict_why(const struct compare_report *report, const struct compare_outcome *outcome, char *text, size_t size)
{
    struct attribution attribution;
    bool done[ATTRIBUTION_TERMS] = {false};
    text[0] = 0;
    if (!attribute(report, outcome, &attribution))
        return false;
    for (int rank = 0; rank < ATTRIBUTION_TERMS; rank++) {
        int next = -1;
        for (int term = 0; term < ATTRIBUTION_TERMS; term++) {
            if (!done[term] && attribution.known[term] &&
                (next < 0 || fabs(attribution.part[term]) > fabs(attribution.part[next])))
                next = term;
        }
        if (next < 0)
            break;
        done[next] = true;
        add(text, size, attribution_term_name((enum attribution_term)next), attribution.part[next], attribution.effect);
    }
    add(text, size, "unexplained", attribution.unexplained, attribution.effect);
    return true;
}

static json_t *part_record(double part, double effect)
{
    return json_pack("{s:f, s:f}", "change", expm1(part), "share", part / effect);
}

json_t *verdict_why_record(const struct compare_report *report, const struct compare_outcome *outcome)
{
    struct attribution attribution;
    if (!attribute(report, outcome, &attribution) || attribution.effect == 0)
        return NULL;
    json_t *why = json_object();
    for (int term = 0; term < ATTRIBUTION_TERMS; term++)
        json_object_set_new(why, attribution_term_name((enum attribution_term)term),
                            attribution.known[term] ? part_record(attribution.part[term], attribution.effect)
                                                    : json_null());
    json_object_set_new(why, "unexplained", part_record(attribution.unexplained, attribution.effect));
    return why;
}

void verdict_reasons(const struct compare_report *report, char *text, size_t size)
{
    const struct comparison *comparison = report->comparison;
    text[0] = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compare_outcome *outcome = &comparison->outcome[i];
        char why[512];
        size_t length = strlen(text);
        if (verdict_why(report, outcome, why, sizeof why) && length + 16 < size)
            snprintf(text + length, size - length, "%s %s: %s\n", outcome->name, verdict_percent(outcome->effect).text,
                     why);
    }
}
