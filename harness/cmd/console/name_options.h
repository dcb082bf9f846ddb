/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_CONSOLE_NAME_OPTIONS_H
#define HARNESS_CMD_CONSOLE_NAME_OPTIONS_H

#include <argp.h>

#include "harness/plugin/name_filter.h"

/** --format, --isa, --origin and --bits, as an argp child: its input is a struct name_filter. */
extern const struct argp names_argp;

/** The same without --format, for a command where that is the form of its output. */
extern const struct argp names_argp_less_format;

#endif
