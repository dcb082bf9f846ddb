/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "results/comparison/comparison.h"

/** A comparison with what is reported about it, and the wording that all formats share. */

/** What misbehaved, so that it was judged on neither side. */
struct verdict_withheld {
    const char *name; /* of the kernel or sequence */
    const char *why;  /* a line that begins with the side */
    json_t *record;   /* of it */
};

struct compare_report {
    const struct comparison *comparison;
    const char *base, *head;                 /* as the user calls them */
    unsigned allowed;                        /* bit 1 << fact: may differ */
    bool live;                               /* measured now, in pairs */
    size_t pairs;                            /* live: measured */
    size_t first_pairs;                      /* of them, of every cell; the others of what those left undecided */
    double seconds;                          /* live: that it took */
    size_t moved[COMPARE_CLASSES];           /* live: pairs around which the roof of a class moved */
    const char *confirmation;                /* how losses were confirmed, in words; "" where they were not */
    const struct verdict_withheld *withheld; /* live: of plug-ins; any of them fails the comparison */
    size_t withheld_count;
};

/**
 * Facts that differ and are not allowed to, and of stored runs that no cell could fail whatever its times are, joined
 * with "; ". @return whether there is any of it
 */
bool verdict_incomparable(const struct compare_report *report, char *how, size_t size);

/** Whether no cell of two stored runs could fail; of live pairs some are lost to noise, which is inconclusive. */
bool verdict_cannot_fail(const struct compare_report *report);

/** What the cells come to; failed where something is withheld. */
enum compare_verdict verdict_overall(const struct compare_report *report);

/** "+5.02%", "-" for what is not known, "none" for a bound that does not exist. */
struct verdict_word {
    char text[16];
};
struct verdict_word verdict_percent(double logarithm);

/** "12.5 us" of seconds. */
struct verdict_word verdict_seconds(double seconds);

/** What the whole comparison came to: "fail: 1 of 12 cells failed, 1 inconclusive". */
void verdict_sum(const struct compare_report *report, char *text, size_t size);

/** Lines, ended by newlines, of what made the cells slower that failed or are suspected; "" where nothing is known. */
void verdict_reasons(const struct compare_report *report, char *text, size_t size);

/** Lines, ended by newlines, on how it was measured and what to keep in mind. */
void verdict_notes(const struct compare_report *report, char *text, size_t size);

/** Why a GEMV that failed, or is suspected, is slower: the parts of its effect (roofline/attribution.h). */

/**
 * "gamma +4.62% (95%), roof +0.24% (5%), unexplained 0.00%": what changed, the largest first.
 * @return false, with empty text, where it is not asked or nothing can be said
 */
bool verdict_why(const struct compare_report *report, const struct compare_outcome *outcome, char *text, size_t size);

/**
 * {"gamma": {"change": 0.046, "share": 0.95}, …, "unexplained": {…}}; a number that is not known is null. Changes are
 * ratios of times less 1. New reference; NULL where nothing can be said.
 */
json_t *verdict_why_record(const struct compare_report *report, const struct compare_outcome *outcome);
