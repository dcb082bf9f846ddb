/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cmd/console/table.h"
#include "results/tuned/tuning.h"

/** Of records of type "tuned". */
extern const struct table tune_table;

/** What `tune` found, as lines or, with json, as a record of type "tuned" for each kernel and problem. @return exit code */
int tune_table_print(const char *command, const struct tuning_table *table, bool json, const struct table_view *view);

/** What matching loses, and where the table is; a record of type "tuning". @return exit code */
int tune_table_print_end(const char *command, const struct tuning_table *table, const char *path, bool json);
