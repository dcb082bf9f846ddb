/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_CONSOLE_NONE_KEPT_H
#define HARNESS_CMD_CONSOLE_NONE_KEPT_H

#include <stdbool.h>

#include "harness/cells/cell/cell.h"

/**
 * Say on standard error what every sample of a cell was rejected for, in words with counts.
 * @return whether that is so: samples were taken, and none was kept
 */
bool tell_if_none_kept(const char *command, const struct cell *cell);

#endif
