/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/purpose.h"

#include <string.h>

#include "registry.h"

#define DECLARE(name) extern const struct purpose name;
REGISTRY_PURPOSES(DECLARE)

#define ENTRY(name) &name,
static const struct purpose *const purposes[] = {REGISTRY_PURPOSES(ENTRY) NULL};

const struct purpose *const *purpose_all(void)
{
    return purposes;
}

const struct purpose *purpose_find(const char *name)
{
    for (const struct purpose *const *at = purposes; *at; at++) {
        if (strcasecmp((*at)->name, name) == 0)
            return *at;
    }
    return NULL;
}
