/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/command/exit_code.h"

struct table;

/**
 * A subcommand is one file harness/cmd/<name>.c that defines `const struct command command_<name>`; make registers it.
 * It parses its own options with argp, prints, and returns the exit code.
 */
struct command {
    const char *name;
    const char *summary;               /* one line for `kneepoint --help` */
    int (*run)(int argc, char **argv); /* argv[0] is "kneepoint <name>" */
    /** Of its records, for --markdown (harness/cmd/console/table.h): NULL-terminated; NULL: it has no table of its own. */
    const struct table *const *tables;
    bool writes_forms; /* --csv and --markdown are options of its own */
};

/** NULL: there is no subcommand of that name. */
const struct command *command_find(const char *name);

/** All subcommands in name order, NULL-terminated. */
const struct command *const *command_all(void);
