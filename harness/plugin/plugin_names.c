/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin_names.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tag ---- */

/** The last part of the first `length` bytes of a path; *length becomes where the part before it ends. */
static const char *last_part(const char *path, size_t *length, size_t *part)
{
    size_t end = *length, begin;
    while (end && path[end - 1] == '/')
        end--;
    for (begin = end; begin && path[begin - 1] != '/';)
        begin--;
    *part = end - begin;
    *length = begin;
    return path + begin;
}

bool plugin_names_tag(const char *path, const char *other, char tag[PLUGIN_TAG])
{
    size_t left = strlen(path), other_left = strlen(other), part, other_part;
    do {
        const char *here = last_part(path, &left, &part), *there = last_part(other, &other_left, &other_part);
        if (part > 3 && path[left + part] == '\0' && strncmp(here + part - 3, ".so", 3) == 0)
            part -= 3;
        if (other_part > 3 && other[other_left + other_part] == '\0' && strncmp(there + other_part - 3, ".so", 3) == 0)
            other_part -= 3;
        bool same = part == other_part && strncmp(here, there, part) == 0;
        if (part && !same && !(part == 1 && *here == '.')) {
            size_t length = part < PLUGIN_TAG - 1 ? part : PLUGIN_TAG - 1;
            for (size_t i = 0; i < length; i++)
                tag[i] = (char)(isalnum((unsigned char)here[i]) ? here[i] : '_');
            tag[length] = '\0';
            return true;
        }
    } while (part);
    return false;
}

/* ---- names ---- */

/** Text that lives as long as the plug-in; NULL without memory. */
__attribute__((format(printf, 2, 3))) static const char *make(struct plugin *plugin, const char *format, ...)
{
    struct plugin_names *names = &plugin->names;
    char *text;
    va_list arguments;
    char **grown = realloc(names->text, (names->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    names->text = grown;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return NULL;
    names->text[names->count++] = text;
    return text;
}

static bool is_own_format(const struct plugin *plugin, const char *name)
{
    for (const struct format *const *format = plugin->description->formats; format && *format; format++) {
        if (strcmp((*format)->name, name) == 0)
            return true;
    }
    return false;
}

/** A name "<format>.<sequence>.<isa>" of this plug-in, as it is now; one that is not made so stays. NULL without memory. */
static const char *rename_entry(struct plugin *plugin, const char *name, const char *format, const char *sequence,
                                const char *isa)
{
    char expected[256];
    const char *tag = plugin->names.tag;
    if (!name || !format || !sequence || !isa)
        return name;
    snprintf(expected, sizeof expected, "%s.%s.%s", format, sequence, isa);
    if (strcmp(name, expected) != 0)
        return name;
    return is_own_format(plugin, format) ? make(plugin, "%s_%s.%s.%s", format, tag, sequence, isa)
                                         : make(plugin, "%s.%s_%s.%s", format, sequence, tag, isa);
}

/** A sequence that a kernel names: one of the plug-in's own has another name now. NULL without memory, or for NULL. */
static const char *rename_roof(struct plugin *plugin, const char *roof)
{
    const struct sequence *const *own = plugin->description->sequences;
    for (; roof && own && *own; own++) {
        if (strcmp((*own)->name, roof) == 0)
            return rename_entry(plugin, roof, (*own)->format, (*own)->sequence, (*own)->isa);
    }
    return roof;
}

int plugin_names_begin(struct plugin *plugin, const char *other)
{
    if (!plugin_names_tag(plugin->path, other, plugin->names.tag))
        return 0;
    const char *name = make(plugin, "%.38s-%s", plugin->description->name, plugin->names.tag);
    plugin->names.former = plugin->described.name;
    plugin->described.name = name ? name : plugin->described.name;
    return name ? 0 : -ENOMEM;
}

int plugin_names_number(struct plugin *plugin, unsigned number)
{
    struct plugin_names *names = &plugin->names;
    char end[16], *last = names->numbered ? strrchr(names->tag, '_') : NULL;
    names->former = names->former ? names->former : plugin->described.name;
    if (last || names->numbered)
        *(last ? last : names->tag) = '\0';
    size_t room = (size_t)snprintf(end, sizeof end, "%s%u", names->tag[0] ? "_" : "", number);
    size_t length = strlen(names->tag), most = PLUGIN_TAG - 1 - room;
    memcpy(names->tag + (length < most ? length : most), end, room + 1);
    names->numbered = true;
    const char *name = make(plugin, "%.38s-%s", names->former, names->tag);
    plugin->described.name = name ? name : plugin->described.name;
    return name ? 0 : -ENOMEM;
}

void plugin_names_release(struct plugin *plugin)
{
    for (size_t i = 0; i < plugin->names.count; i++)
        free(plugin->names.text[i]);
    free(plugin->names.text);
    plugin->names = (struct plugin_names){0};
}

int plugin_names_format(struct plugin *plugin, struct format *format)
{
    if (plugin->names.tag[0])
        format->name = make(plugin, "%s_%s", format->name, plugin->names.tag);
    return format->name ? 0 : -ENOMEM;
}

int plugin_names_kernel(struct plugin *plugin, struct kernel *kernel)
{
    const struct format *format = kernel->format;
    if (!plugin->names.tag[0])
        return 0;
    for (size_t i = 0; plugin->formats[i]; i++) { /* by the name that it had */
        if (kernel->format == plugin->formats[i])
            format = plugin->description->formats[i];
    }
    const char *name = rename_entry(plugin, kernel->name, format->name, kernel->sequence, kernel->isa);
    const char *gamma = rename_roof(plugin, kernel->gamma), *multiply = rename_roof(plugin, kernel->gemm.multiply);
    if ((kernel->name && !name) || (kernel->gamma && !gamma) || (kernel->gemm.multiply && !multiply))
        return -ENOMEM;
    if (name != kernel->name && format == kernel->format)
        kernel->sequence = make(plugin, "%s_%s", kernel->sequence, plugin->names.tag);
    kernel->name = name;
    kernel->gamma = gamma;
    kernel->gemm.multiply = multiply;
    return kernel->sequence ? 0 : -ENOMEM;
}

int plugin_names_sequence(struct plugin *plugin, struct sequence *sequence)
{
    if (!plugin->names.tag[0])
        return 0;
    const char *name = rename_entry(plugin, sequence->name, sequence->format, sequence->sequence, sequence->isa);
    const char **part = is_own_format(plugin, sequence->format) ? &sequence->format : &sequence->sequence;
    *part = make(plugin, "%s_%s", *part, plugin->names.tag);
    sequence->name = name;
    return name && *part ? 0 : -ENOMEM;
}
