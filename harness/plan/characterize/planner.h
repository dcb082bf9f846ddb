/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * What fits a budget. Items are measured whole or not at all; those of less value number come first, of one value those
 * of less rank, of one rank those of the cheapest set, of one set the cheapest, of one cost in the order given. Chosen is the longest
 * beginning of that order whose sums of seconds and bytes fit: what follows an item that does not fit is left out though it might, so that a
 * larger budget has every item of a smaller one.
 *
 * Pure: no hardware, no clock.
 */
struct planner_item {
    unsigned value, rank;
    double cost_s, bytes; /* >= 0 */
    /* Items that are of use together, as a kernel on all matrices of a model: a number and what they take, alike in all of them. */
    size_t set;
    double set_s;
};

/** Seconds, and bytes of the records; INFINITY: as many as there are. */
struct planner_budget {
    double seconds, bytes;
};

/**
 * @param order  out, [count]: the items by number, in the order above
 * @param sum    out: what the chosen take together; may be NULL
 * @return how many of order are chosen
 */
size_t planner_choose(const struct planner_item *items, size_t count, struct planner_budget budget, size_t *order,
                      struct planner_budget *sum);

/** Of the budget, which samples that are taken again and searches that take longer may need. */
#define PLANNER_RESERVE 0.15

/** Time to measure, as `--budget` takes it: whole seconds, minutes or hours, as "90", "90s", "5m" and "2h", or "full", which has no end. */

/** Seconds, from 1 to 1e6, INFINITY for "full"; NaN for anything else. */
double budget_parse(const char *text);

/**
 * Bytes that the records of a run may take, as `--size` takes it in megabytes: of use for runs that are committed. NaN for
 * what is none.
 */
double budget_parse_size(const char *text);

/** "150 s", or "full". */
const char *budget_text(double budget_s, char *text, size_t size);

/** Why a plan leaves a cell out; bytes INFINITY: as many as it takes. */
const char *budget_beyond(double budget_s, double bytes, char *text, size_t size);
