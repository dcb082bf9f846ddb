/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_EXPLAIN_COMMAND_FORMAT_H
#define HARNESS_CMD_EXPLAIN_COMMAND_FORMAT_H

#include <jansson.h>

#include "micro/kernel.h"

/** A record of type "format_explained": what a matrix of it is, and its kernels. A new reference, NULL without memory. */
json_t *explain_format(const struct format *format);

/** It as text. */
void explain_print_format(const json_t *record);

#endif
