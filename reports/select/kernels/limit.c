/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/limit.h"

#include <string.h>

#include "reports/select/run/view.h"
#include "roofline/limit.h"

const char *row_limit(const json_t *row)
{
    const char *binds = json_string_value(json_object_get(row, "binds"));
    const double of_roof = view_median(row, "roof_fraction"), time_s = view_median(row, "time_s");
    bool beside_roof = binds && strcmp(binds, "memory") == 0 && of_roof > 0;
    return limit_of(binds, beside_roof ? of_roof * time_s : view_number(row, "predicted_s"), time_s);
}

const char *row_limit_words(const json_t *row)
{
    const char *limit = row_limit(row);
    return !limit ? "" : strcmp(limit, "up-convert") == 0 ? "instructions" : limit;
}
