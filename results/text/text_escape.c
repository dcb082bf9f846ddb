/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/text/text_escape.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VISIBLE = 4 }; /* characters of "\x1b" */

/** Bytes of the control character that the text begins with, 0 if it begins with none. */
static size_t control_bytes(const char *text, unsigned *code)
{
    unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    *code = first == 0xc2 ? second : first;
    if (first && (first < ' ' || first == 0x7f))
        return 1;
    return first == 0xc2 && second >= 0x80 && second < 0xa0 ? 2 : 0;
}

static bool has_controls(const char *text)
{
    unsigned code;
    for (; *text; text++) {
        if (control_bytes(text, &code))
            return true;
    }
    return false;
}

char *text_escape(const char *text, char *out, size_t size)
{
    size_t used = 0;
    while (*text && size) {
        unsigned code;
        size_t bytes = control_bytes(text, &code), takes = bytes ? VISIBLE : 1;
        if (used + takes >= size)
            break;
        if (bytes)
            snprintf(out + used, size - used, "\\x%02x", code);
        else
            out[used] = *text;
        used += takes;
        text += bytes ? bytes : 1;
    }
    if (size)
        out[used] = '\0';
    return out;
}

char *text_utf8(char *text)
{
    json_t *valid = json_string(text);
    for (char *at = text; !valid && *at; at++)
        *at = (signed char)*at < 0 ? '?' : *at;
    json_decref(valid);
    return text;
}

/** New text; NULL: no memory. */
static char *escaped(const char *text)
{
    size_t size = VISIBLE * strlen(text) + 1;
    char *out = malloc(size);
    return out ? text_escape(text, out, size) : NULL;
}

static int escape_text(json_t *value)
{
    if (!has_controls(json_string_value(value)))
        return 0;
    char *text = escaped(json_string_value(value));
    int error = text && json_string_set(value, text) == 0 ? 0 : -ENOMEM;
    free(text);
    return error;
}

/** Members whose names have control characters get the visible ones. */
static int escape_names(json_t *object)
{
    void *next;
    const char *name;
    json_t *member;
    int error = 0;
    json_object_foreach_safe(object, next, name, member)
    {
        if (error || !has_controls(name))
            continue;
        char *text = escaped(name);
        error = text && json_object_set(object, text, member) == 0 ? 0 : -ENOMEM;
        free(text);
        json_object_del(object, name);
    }
    return error;
}

int text_escape_json(json_t *value)
{
    size_t i;
    const char *name;
    json_t *item;
    int error = 0;
    if (json_is_string(value))
        return escape_text(value);
    json_array_foreach(value, i, item)
    {
        if (!error && !json_is_number(item))
            error = text_escape_json(item);
    }
    json_object_foreach(value, name, item)
    {
        if (!error)
            error = text_escape_json(item);
    }
    return error || !json_is_object(value) ? error : escape_names(value);
}
