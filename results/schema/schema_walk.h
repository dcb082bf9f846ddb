/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "results/schema/schema.h"

/** Inside of results/schema/schema.h: walking through a value beside its schema. The caller says what the keywords are. */

struct schema_keyword;

/** Where a walk through a value is: a member, or an item if that is NULL, of what it is below. */
struct step {
    const struct step *below; /* NULL at the top */
    const char *member;
    size_t index;
};

/** One validation. The path is written out only when something is wrong. */
struct walk {
    const json_t *root;
    const struct schema_keyword *keywords; /* all there are; ends with a NULL name */
    enum schema_missing missing;
    struct schema_violation *violation; /* NULL: only the outcome counts */
    const struct step *at;
};

/** One keyword of one schema, applied to a value. */
struct rule {
    const json_t *schema, *operand, *value;
};

/** What a keyword's operand has to be. */
enum schema_operand {
    SCHEMA_OPERAND_ANY,
    SCHEMA_OPERAND_TEXT,
    SCHEMA_OPERAND_NUMBER,
    SCHEMA_OPERAND_TYPES,
    SCHEMA_OPERAND_NAMES,
    SCHEMA_OPERAND_NAMES_BY_NAME,
    SCHEMA_OPERAND_SCHEMA,
    SCHEMA_OPERAND_SCHEMA_LIST,
    SCHEMA_OPERAND_SCHEMAS_BY_NAME,
};

struct schema_keyword {
    const char *name;
    enum schema_operand operand;
    /** @return 0, or -EINVAL with the violation filled in */
    int (*apply)(struct walk *walk, const struct rule *rule);
};

/** A keyword among those of a list that ends with a NULL name; NULL: none of this name. */
const struct schema_keyword *schema_keyword_find(const struct schema_keyword *keyword, const char *name);

/** Apply a schema to a value; back in these functions for the schemas that a keyword holds. */
int schema_apply(struct walk *walk, const json_t *schema, const json_t *value);

/** The same for a schema whose outcome is asked for and not its complaint. */
bool schema_fits(const struct walk *walk, const json_t *schema, const json_t *value);

/** Report the member ("" for the value itself) of the value that the walk is at. Returns -EINVAL. */
int schema_violate(struct walk *walk, const char *member, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** All that there are, one function each in schema_keywords.c. Ends with a NULL name. */
extern const struct schema_keyword schema_keywords[];
