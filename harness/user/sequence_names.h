/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "harness/measure/session.h"
#include "harness/plugin/name_filter.h"

enum { SEQUENCE_NAMES_MOST = 1024 };

/**
 * The sequences that a name given by the user means, as name_argument_means() has it, and that run on this machine, in
 * name order.
 * @param name    NULL: all
 * @param filter  what of them is wanted; checked before
 * @return how many were written, at most capacity; -ENOENT for a name that no sequence has, or none that is wanted, -EILSEQ if those of a
 * plug-in failed their check, -ENOEXEC if none of those it means can run here: one line in why
 */
int sequence_names_find(const struct session *session, const char *name, const struct name_filter *filter,
                        const struct sequence **found, size_t capacity, char *why, size_t size);
