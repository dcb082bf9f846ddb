/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/limit.h"

#include <string.h>

#include "reports/select/run/view.h"

const char *limit_of(const json_t *row)
{
    const char *binds = view_text(row, "binds");
    bool memory = strcmp(binds, "memory") == 0, instructions = strcmp(binds, "up-convert") == 0;
    double of_roof = view_median(row, "roof_fraction"),
           of_model = view_number(row, "predicted_s") / view_median(row, "time_s");
    double attained = memory && of_roof > 0 ? of_roof : of_model;
    if ((memory || instructions) && attained < LIMIT_ATTAINED)
        return "neither";
    return instructions ? "instructions" : binds;
}
