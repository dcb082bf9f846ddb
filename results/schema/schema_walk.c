/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/schema/schema_walk.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct schema_keyword *schema_keyword_find(const struct schema_keyword *keyword, const char *name)
{
    while (keyword->name && strcmp(keyword->name, name) != 0)
        keyword++;
    return keyword->name ? keyword : NULL;
}

static void write_path(const struct step *at, char *path, size_t size)
{
    if (!at)
        return;
    write_path(at->below, path, size);
    size_t used = strlen(path);
    if (at->member)
        snprintf(path + used, size - used, "%s%s", used ? "." : "", at->member);
    else
        snprintf(path + used, size - used, "[%zu]", at->index);
}

int schema_violate(struct walk *walk, const char *member, const char *format, ...)
{
    struct schema_violation *violation = walk->violation;
    if (!violation)
        return -EINVAL;
    const struct step step = {.below = walk->at, .member = member};
    va_list arguments;
    va_start(arguments, format);
    violation->path[0] = '\0';
    write_path(*member ? &step : walk->at, violation->path, sizeof violation->path);
    vsnprintf(violation->reason, sizeof violation->reason, format, arguments);
    va_end(arguments);
    return -EINVAL;
}

/* By iterator: json_object_foreach looks every key up again, which would double the time of reading a run. */
int schema_apply(struct walk *walk, const json_t *schema, const json_t *value)
{
    json_t *members = (json_t *)schema; /* jansson takes it as mutable but does not change it */
    if (json_is_false(schema))
        return schema_violate(walk, "", "must not be here");
    for (void *at = json_object_iter(members); at; at = json_object_iter_next(members, at)) {
        const struct schema_keyword *keyword = schema_keyword_find(walk->keywords, json_object_iter_key(at));
        const struct rule rule = {.schema = schema, .operand = json_object_iter_value(at), .value = value};
        int error = keyword ? keyword->apply(walk, &rule) : 0;
        if (error)
            return error;
    }
    return 0;
}

bool schema_fits(const struct walk *walk, const json_t *schema, const json_t *value)
{
    struct walk trial = {.root = walk->root, .keywords = walk->keywords, .missing = walk->missing};
    return schema_apply(&trial, schema, value) == 0;
}

const json_t *schema_at(const json_t *root, const char *reference)
{
    if (strncmp(reference, "#", 1) != 0)
        return NULL;
    const json_t *at = root;
    for (const char *rest = reference + 1; *rest && at;) {
        char member[64];
        size_t length = strcspn(rest + 1, "/");
        if (*rest != '/' || length >= sizeof member)
            return NULL;
        snprintf(member, sizeof member, "%.*s", (int)length, rest + 1);
        at = json_object_get(at, member);
        rest += 1 + length;
    }
    return at;
}
