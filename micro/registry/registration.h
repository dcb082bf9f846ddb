/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_REGISTRY_REGISTRATION_H
#define MICRO_REGISTRY_REGISTRATION_H

#include "micro/kernel.h"
#include "micro/sequence.h"

/**
 * What plug-ins add to what make found, so that kernel_all(), format_find() and all others of their kind know it and no
 * caller has a second way. The one state of this folder that changes: once, before anything is planned and before the
 * process has threads.
 */

/** Lists end with NULL; NULL: none. */
struct registry_entries {
    const struct format *const *formats;
    const struct kernel *const *kernels;
    const struct sequence *const *sequences;
};

/**
 * Add entries, which must live until registry_restore, each in its place in name order.
 * @return 0; -ENOMEM, and then nothing was added
 */
int registry_add(const struct registry_entries *entries);

/** Only what make found is left. */
void registry_restore(void);

#endif
