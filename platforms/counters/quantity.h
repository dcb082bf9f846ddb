/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "platforms/counters/reason.h"

/** What can be counted, and what was counted of it. A quantity that is absent is NaN with the reason, never 0. */

enum counter_quantity {
    COUNTER_CORE_CYCLES,      /* cycles of the core's own clock, user mode, this thread */
    COUNTER_REFERENCE_CYCLES, /* cycles of the constant reference clock, user mode, this thread */
    COUNTER_INSTRUCTIONS,     /* retired, user mode, this thread */
    COUNTER_LLC_MISSES,       /* demand misses of the last-level cache, user mode, this thread */
    COUNTER_DRAM_READ_BYTES,  /* all memory controllers, the whole machine */
    COUNTER_DRAM_WRITE_BYTES,
    COUNTER_PACKAGE_ENERGY_J, /* all packages, joules */
    COUNTER_QUANTITIES,
};

/** Set of quantities, bit q for quantity q. */
typedef unsigned counter_set;

#define COUNTER_SET(quantity) (1u << (quantity))

static const counter_set COUNTER_SET_ALL = (1u << COUNTER_QUANTITIES) - 1;
/** What belongs to one thread: opened, begun and ended on it. */
static const counter_set COUNTER_SET_THREAD = COUNTER_SET(COUNTER_CORE_CYCLES) | COUNTER_SET(COUNTER_REFERENCE_CYCLES) |
                                              COUNTER_SET(COUNTER_INSTRUCTIONS) | COUNTER_SET(COUNTER_LLC_MISSES);
/** What belongs to the machine: opened once a process, begun and ended by any thread, one at a time. */
static const counter_set COUNTER_SET_MACHINE = COUNTER_SET(COUNTER_DRAM_READ_BYTES) |
                                               COUNTER_SET(COUNTER_DRAM_WRITE_BYTES) |
                                               COUNTER_SET(COUNTER_PACKAGE_ENERGY_J);

enum counter_grade {
    COUNTER_UNAVAILABLE,
    COUNTER_ESTIMATED,
    COUNTER_MEASURED,
};

/** One quantity of one sample. */
struct counter_value {
    enum counter_grade grade;
    double value;               /* NaN when unavailable */
    char reason[COUNTERS_TEXT]; /* unavailable: why; estimated: from what; measured: "" */
};

/** Always the same size, copyable, owns nothing. */
struct counters_sample {
    struct counter_value of[COUNTER_QUANTITIES];
};

/** Set a value to unavailable (NaN) with its reason. */
void value_unavailable(struct counter_value *value, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * Relative difference (b − a) / a of one quantity counted by two back ends around the same code.
 * @return NaN if either lacks it or a is 0
 */
double counters_difference(const struct counters_sample *a, const struct counters_sample *b,
                           enum counter_quantity quantity);

const char *counter_quantity_name(enum counter_quantity quantity); /* "core_cycles" */
const char *counter_grade_name(enum counter_grade grade);          /* "measured" */
