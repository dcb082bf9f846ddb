/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What groups and types of a census are called, and which of our formats they are.
 */
#include <inttypes.h>
#include <stdio.h>

#include "harness/gguf/census.h"

const struct format *census_format(const struct census_group *group, char *why, size_t size)
{
    char name[32], shape[192];
    const struct format *format = group->type && group->type->format ? format_find(group->type->format) : NULL;
    if (!format) {
        snprintf(why, size, "no kernel of %s", census_type_name(group->type_id, group->type, name, sizeof name));
        return NULL;
    }
    if (group->m > INT32_MAX || group->k > INT32_MAX ||
        format_accepts(format, group->m, group->k, shape, sizeof shape)) {
        snprintf(why, size, "not a shape for %s", format->name);
        return NULL;
    }
    return format;
}

const char *census_use_name(enum census_use use)
{
    static const char *const names[] = {[CENSUS_MULTIPLIED] = "multiplied",
                                        [CENSUS_EXPERTS] = "experts",
                                        [CENSUS_HEAD] = "head",
                                        [CENSUS_LOOKED_UP] = "looked up",
                                        [CENSUS_VECTORS] = "vectors"};
    return names[use];
}

const char *census_type_name(uint32_t id, const struct gguf_type *type, char *text, size_t size)
{
    if (type)
        snprintf(text, size, "%s", type->name);
    else
        snprintf(text, size, "type %" PRIu32, id);
    return text;
}
