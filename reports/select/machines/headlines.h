/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "reports/select/run/view.h"
#include "results/statistics/stats.h"

/**
 * The numbers that a machine is known by: what memory gives a core (beta), alone and with all of its team, the knee of the fastest
 * kernel of 2-bit weights, and the share of the read roof that this kernel attains.
 */
enum headline_which { HEADLINE_BETA_ALONE, HEADLINE_BETA_TEAM, HEADLINE_KNEE, HEADLINE_SHARE, HEADLINES };

struct headline {
    char label[80];        /* "β per core, 1 core reading" */
    struct bounded number; /* with its 95% interval; NaN: not known */
    const char *unit;      /* "B/cycle", "of the read roof" */
    char of[160];          /* the stream or the kernel, "" where there is none */
    char emulated[48];     /* by what, "" where it is a machine's */
    char why[640];         /* where it is not known: the reason, and the command that measures it */
};

/** All of them, by index of enum headline_which. */
void headlines_of(const struct view *view, struct headline headlines[HEADLINES]);

/** The number and its interval: "6.43 [6.29, 6.49] B/cycle", "93% [92%, 95%] of the read roof"; the reason where there is none. */
void headline_number(const struct headline *headline, char *text, size_t size);

/** One line for a terminal: "β per core, 2 cores reading: 6.43 [6.29, 6.49] B/cycle". */
void headline_line(const struct headline *headline, char *text, size_t size);
