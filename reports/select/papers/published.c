/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/papers/published.h"

#include <stddef.h>
#include <string.h>

const char *const published_isas[] = {"avx_vnni_int8", "avx_vnni", "avx2", NULL};

bool published_is(const json_t *record)
{
    if (strcmp(view_origin(record), "envelope") != 0)
        return false;
    for (size_t i = 0; published_isas[i]; i++) {
        if (strcmp(view_text(record, "isa"), published_isas[i]) == 0)
            return true;
    }
    return false;
}
