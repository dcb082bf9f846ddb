/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>

#include "harness/plugin/name_filter.h"

/** --format, --isa, --origin and --bits, as an argp child: its input is a struct name_filter. */
extern const struct argp names_argp;
