/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/former_names.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "registry.h"

enum { NAME_MOST = 256 };

static const struct {
    const char *former, *now;
} names[] = {
#define ROW(former, now) {former, now},
    REGISTRY_FORMER_NAMES(ROW)
#undef ROW
};

static bool continues_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/** Where the name stands for itself in the text; NULL if nowhere. */
static const char *find_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        bool begins = at == text || (!continues_word(at[-1]) && at[-1] != '.');
        if (begins && !continues_word(at[length]))
            return at;
    }
    return NULL;
}

const char *former_name_exchanged(const char *text, char *buffer, size_t size)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *at = find_name(text, names[i].former);
        if (!at)
            continue;
        int length =
            snprintf(buffer, size, "%.*s%s%s", (int)(at - text), text, names[i].now, at + strlen(names[i].former));
        return length >= 0 && (size_t)length < size ? buffer : text;
    }
    return text;
}

static int exchange_string(json_t *string)
{
    char buffer[NAME_MOST];
    const char *text = json_string_value(string), *now = former_name_exchanged(text, buffer, sizeof buffer);
    return now == text || json_string_set(string, now) == 0 ? 0 : -ENOMEM;
}

/** The part of a record's name that is told apart from its format: "paper" of int2_vnni4. */
static int exchange_sequence(json_t *object)
{
    char name[NAME_MOST], buffer[NAME_MOST];
    const char *format = json_string_value(json_object_get(object, "format"));
    json_t *sequence = json_object_get(object, "sequence");
    if (!format || !json_is_string(sequence))
        return 0;
    snprintf(name, sizeof name, "%s.%s", format, json_string_value(sequence));
    const char *now = former_name_exchanged(name, buffer, sizeof buffer);
    return now == name || json_string_set(sequence, now + strlen(format) + 1) == 0 ? 0 : -ENOMEM;
}

static int exchange_key(json_t *object, const char *key, json_t *value)
{
    char buffer[NAME_MOST], former[NAME_MOST];
    if (former_name_exchanged(key, buffer, sizeof buffer) == key)
        return 0;
    snprintf(former, sizeof former, "%s", key);
    if (json_object_set(object, buffer, value) != 0)
        return -ENOMEM;
    return json_object_del(object, former) == 0 ? 0 : -ENOMEM;
}

int former_names_exchange(json_t *value)
{
    const char *key;
    void *next;
    json_t *member;
    size_t i;
    int error = 0;
    if (json_is_string(value))
        return exchange_string(value);
    if (json_is_array(value) && json_is_number(json_array_get(value, 0)))
        return 0; /* samples */
    json_array_foreach(value, i, member) error = error ? error : former_names_exchange(member);
    if (!json_is_object(value))
        return error;
    error = exchange_sequence(value);
    json_object_foreach_safe(value, next, key, member)
    {
        error = error ? error : former_names_exchange(member);
        error = error ? error : exchange_key(value, key, member);
    }
    return error;
}
