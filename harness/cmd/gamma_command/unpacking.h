/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_GAMMA_COMMAND_UNPACKING_H
#define HARNESS_CMD_GAMMA_COMMAND_UNPACKING_H

#include "harness/cells/cell/cell.h"
#include "harness/measure/session.h"
#include "harness/plugin/name_filter.h"

/** Whether a name means a kernel that unpack_has and runs here; NULL: any. */
bool unpacking_means(const struct session *session, const char *name, const struct name_filter *filter);

/**
 * Add what unpacking takes in the kernels that a name means (as given_name_means() has it; NULL: all), unpack_has and run
 * here. 0 or -ENOMEM
 */
int unpacking_add(struct cells *cells, const struct session *session, const char *name,
                  const struct name_filter *filter);

/** A table of those cells, a line a kernel; nothing where there are none. */
void unpacking_print(const struct session *session, const struct cells *cells);

#endif
