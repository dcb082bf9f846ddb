/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/limit.h"

#include <stddef.h>

const char limit_neither[] = "neither";

const char *limit_of(const char *larger_term, double allowed_s, double measured_s)
{
    return larger_term && allowed_s / measured_s < LIMIT_EXPLAINED ? limit_neither : larger_term;
}
