/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/name_argument.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "harness/gguf/file_mixes.h"
#include "harness/plugin/name_filter.h"
#include "micro/kernel.h"
#include "micro/sequence.h"

static bool leads(const char *given, const char *name)
{
    size_t length = strlen(given);
    return length && strncasecmp(given, name, length) == 0 && (name[length] == 0 || name[length] == '.');
}

struct name_argument name_argument_begin(const char *text)
{
    const struct file_mix *mix = file_mix_find(text);
    return (struct name_argument){.text = text, .mix = mix && !mix->is_format ? mix : NULL};
}

static bool matches(const char *pattern, const char *name)
{
    char up_to_a_dot[256];
    if (fnmatch(pattern, name, FNM_CASEFOLD) == 0)
        return true;
    snprintf(up_to_a_dot, sizeof up_to_a_dot, "%s.*", pattern);
    return fnmatch(up_to_a_dot, name, FNM_CASEFOLD) == 0;
}

void name_argument_hold(struct name_argument *given, const char *name)
{
    given->whole = given->whole || leads(given->text, name);
}

bool name_argument_is(const struct name_argument *given, const char *name)
{
    if (given->whole || !given->text[0])
        return leads(given->text, name);
    if (given->mix)
        return false;
    if (strpbrk(given->text, "*?["))
        return matches(given->text, name);
    return strncasecmp(given->text, name, strlen(given->text)) == 0;
}

bool name_argument_means(const char *text, const char *name)
{
    struct name_argument given = name_argument_begin(text);
    for (const struct kernel *const *kernel = kernel_all(); !given.whole && *kernel; kernel++)
        name_argument_hold(&given, (*kernel)->name);
    for (const struct sequence *const *sequence = sequence_all(); !given.whole && *sequence; sequence++)
        name_argument_hold(&given, (*sequence)->name);
    return name_argument_is(&given, name);
}

void name_argument_consider(struct nearest_name *nearest, const char *name)
{
    for (const char *end = name; *end; end++) {
        if (*end == '.')
            nearest_name_consider(nearest, name, (size_t)(end - name));
    }
    nearest_name_consider(nearest, name, strlen(name));
}

const char *name_argument_hint(const char *given, bool of_sequences, char *text, size_t size)
{
    struct nearest_name nearest = nearest_name_begin(given);
    for (const struct kernel *const *kernel = kernel_all(); !of_sequences && *kernel; kernel++)
        name_argument_consider(&nearest, (*kernel)->name);
    for (const struct sequence *const *sequence = sequence_all(); of_sequences && *sequence; sequence++)
        name_argument_consider(&nearest, (*sequence)->name);
    return name_argument_suggest(&nearest, text, size);
}

const char *name_argument_suggest(const struct nearest_name *nearest, char *text, size_t size)
{
    const struct file_mix *mix = file_mix_find(nearest->given);
    if (!mix || mix->is_format)
        return nearest_name_hint(nearest, text, size);
    if (mix->types)
        snprintf(text, size, "; %s is a kind of file, not a format: name %s, or run `kneepoint decode --type=%s`",
                 mix->name, mix->types, mix->name);
    else
        snprintf(text, size, "; %s is a kind of file, whose formats are not here: run `kneepoint model FILE.gguf`",
                 mix->name);
    return text;
}

const struct plugin_fault *name_argument_withheld(const char *given, const struct plugins *plugins)
{
    for (size_t i = 0; given && i < plugins->faults; i++) {
        if (name_argument_means(given, plugins->fault[i].name))
            return &plugins->fault[i];
    }
    return NULL;
}
