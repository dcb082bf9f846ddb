/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/text/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void words_append(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

void words_add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    if (length && length + sizeof ", " >= size)
        return;
    if (length) {
        strcpy(text + length, ", ");
        length += 2;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

void words_of_fact(const json_t *fact, char *text, size_t size)
{
    char *dumped = fact ? json_dumps(fact, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    if (json_is_string(fact))
        snprintf(text, size, "'%s'", json_string_value(fact));
    else
        snprintf(text, size, "%s", dumped ? dumped : "unknown");
    free(dumped);
}
