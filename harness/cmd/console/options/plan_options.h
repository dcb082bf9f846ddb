/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>

#include "harness/cells/cell/cell.h"
#include "harness/plan/characterize/characterization_plan.h"
#include "harness/plan/characterize/purpose.h"

enum { PLAN_ONLY_MOST = 32 };

/** --budget, --size, --for and --only, as an argp child: its input is a struct plan_options. */
struct plan_options {
    const char *budget;            /* as it was given; NULL: that of the purpose */
    const char *size;              /* as it was given; NULL: not */
    double bytes;                  /* of it; INFINITY where it was not given, once settled */
    const struct purpose *purpose; /* NULL: to know the machine */
    const char *names[PLAN_ONLY_MOST];
    size_t name_count; /* of --only */
};
extern const struct argp plan_argp;

/** Fill in what was not given. @return seconds of the budget, INFINITY for full */
double plan_options_settle(struct plan_options *options);

/** What --only names, every name of which means a kernel or sequence, plug-ins being open. @return exit code */
int plan_options_only(const char *command, const struct plan_options *options, struct plan_only *only);

/** What is chosen and what is left out of it, as lines, value by value, for a user who is about to wait. */
void plan_print_values(FILE *stream, const struct cells *cells, const struct purpose *purpose);
