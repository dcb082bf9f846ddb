/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_CONSOLE_OPTIONS_NAME_OPTIONS_H
#define HARNESS_CMD_CONSOLE_OPTIONS_NAME_OPTIONS_H

#include <argp.h>

#include "harness/plugin/name_filter.h"

/** --format, --isa, --origin and --bits, as an argp child: its input is a struct name_filter. */
extern const struct argp names_argp;

#endif
