/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/given_name.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "harness/plugin/nearest_name.h"
#include "micro/kernel.h"
#include "micro/sequence.h"

static bool leads(const char *given, const char *name)
{
    size_t length = strlen(given);
    return length && strncmp(given, name, length) == 0 && (name[length] == 0 || name[length] == '.');
}

struct given_name given_name_begin(const char *text)
{
    return (struct given_name){.text = text};
}

static bool matches(const char *pattern, const char *name)
{
    char up_to_a_dot[256];
    if (fnmatch(pattern, name, 0) == 0)
        return true;
    snprintf(up_to_a_dot, sizeof up_to_a_dot, "%s.*", pattern);
    return fnmatch(up_to_a_dot, name, 0) == 0;
}

void given_name_hold(struct given_name *given, const char *name)
{
    given->whole = given->whole || leads(given->text, name);
}

bool given_name_is(const struct given_name *given, const char *name)
{
    if (given->whole || !given->text[0])
        return leads(given->text, name);
    if (strpbrk(given->text, "*?["))
        return matches(given->text, name);
    return strncmp(given->text, name, strlen(given->text)) == 0;
}

bool given_name_means(const char *text, const char *name)
{
    struct given_name given = given_name_begin(text);
    for (const struct kernel *const *kernel = kernel_all(); !given.whole && *kernel; kernel++)
        given_name_hold(&given, (*kernel)->name);
    for (const struct sequence *const *sequence = sequence_all(); !given.whole && *sequence; sequence++)
        given_name_hold(&given, (*sequence)->name);
    return given_name_is(&given, name);
}

void given_name_consider(struct nearest_name *nearest, const char *name)
{
    for (const char *end = name; *end; end++) {
        if (*end == '.')
            nearest_name_consider(nearest, name, (size_t)(end - name));
    }
    nearest_name_consider(nearest, name, strlen(name));
}

const char *given_name_hint(const char *given, bool of_sequences, char *text, size_t size)
{
    struct nearest_name nearest = nearest_name_begin(given);
    for (const struct kernel *const *kernel = kernel_all(); !of_sequences && *kernel; kernel++)
        given_name_consider(&nearest, (*kernel)->name);
    for (const struct sequence *const *sequence = sequence_all(); of_sequences && *sequence; sequence++)
        given_name_consider(&nearest, (*sequence)->name);
    return nearest_name_hint(&nearest, text, size);
}

const struct plugin_fault *given_name_withheld(const char *given, const struct plugins *plugins)
{
    for (size_t i = 0; given && i < plugins->faults; i++) {
        if (given_name_means(given, plugins->fault[i].name))
            return &plugins->fault[i];
    }
    return NULL;
}
