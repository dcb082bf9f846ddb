/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cmd/console/table.h"
#include "harness/measure/session.h"
#include "harness/plugin/name_filter.h"

/** Whether a name means a kernel that unpack_has and runs here; NULL: any. */
bool unpacking_means(const struct session *session, const char *name, const struct name_filter *filter);

/**
 * Add what unpacking takes in the kernels that a name means (as name_argument_means() has it; NULL: all), unpack_has and run
 * here. 0 or -ENOMEM
 */
int unpacking_add(struct cells *cells, const struct session *session, const char *name,
                  const struct name_filter *filter);

/** A table of those cells, a row a kernel, after an empty line if it comes after another; nothing where there are none. @return exit code */
int unpacking_print(const char *command, const struct session *session, const struct cells *cells, bool after,
                    const struct table_view *view);
