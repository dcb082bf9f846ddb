/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "platforms/counters/reason.h"
#include "platforms/system/noise.h"
#include "platforms/system/settings.h"

/**
 * Why a machine cannot be measured well, and what would fix it: a verdict on readings that others took. Pure.
 */

/** What a hindrance does to numbers, the worst first; hindrances are reported in this order. */
enum hindrance_cost {
    HINDRANCE_WRONG,   /* they come out wrong, or samples are rejected until none is left */
    HINDRANCE_SPREAD,  /* they differ from one run to the next, and small differences drown */
    HINDRANCE_MISSING, /* some are not measured, or are of a lower grade */
};

/** "wrong", "spread", "missing". */
const char *hindrance_cost_name(enum hindrance_cost cost);

struct hindrance {
    const char *name; /* "governor" */
    enum hindrance_cost cost;
    char value[COUNTERS_TEXT];       /* as it is: "powersave" */
    char harm[COUNTERS_TEXT];        /* what that does */
    char remedy[COUNTERS_TEXT + 64]; /* the command that changes it */
};

enum { HINDRANCES_MOST = SETTINGS_MOST + 8, HINDRANCES_CPUS = 1024 };

/** How much of a while each CPU worked for others. */
struct hindrance_cpus {
    size_t count;                   /* usable cores, and those of their hardware threads that may be used */
    unsigned cpu[HINDRANCES_CPUS];  /* number of the CPU */
    double busy[HINDRANCES_CPUS];   /* share of the time that it worked, 0 to 1; NAN: of the one that the noise is of */
    unsigned core[HINDRANCES_CPUS]; /* CPUs of one number share a core */
    bool measures[HINDRANCES_CPUS]; /* the first of its core, which a team takes */
};

struct hindrance_readings {
    const struct host_facts *host;
    size_t numa_nodes;
    const struct noise *noise;          /* of one CPU; NULL: not scanned */
    const struct hindrance_cpus *cpus;  /* NULL: not looked at */
    const struct counters_reason *lack; /* why core cycles cannot be counted in samples; NULL: they can */
    const char *emulator;               /* machine_emulator(); NULL or "": none */
};

/** From this share of the time on a CPU counts as busy. A tick of 10 ms that hits another's is no more than 2% of 500 ms. */
#define HINDRANCE_BUSY_SHARE 0.05
/** What a spinning CPU may lose to others: timer interrupts alone take less. */
#define HINDRANCE_LOST_SHARE 0.005

/** All that there are, by what they cost. @return how many, at most HINDRANCES_MOST */
size_t hindrances_judge(const struct hindrance_readings *readings, struct hindrance hindrances[HINDRANCES_MOST]);
