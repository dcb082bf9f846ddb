/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/peers.h"

#include <string.h>

#include "reports/select/run/view.h"

static const char reference[] = ".reference";

/* The name that a kernel of a plug-in is shown by; NULL: as it is. A new reference. */
static json_t *shown_of(const json_t *record)
{
    const char *name = view_text(record, "name");
    size_t length = strlen(name), end = sizeof reference - 1;
    if (!*view_text(record, "plugin") || length <= end || strcmp(name + length - end, reference) != 0)
        return NULL;
    return json_stringn(name, length - end);
}

/* Of "name" and of "name@accumulators". */
static void rename_in(json_t *record, const char *field, const json_t *shown)
{
    const char *text = view_text(record, field), *at = strchr(text, '@');
    json_auto_t *name = json_stringn(text, at ? (size_t)(at - text) : strlen(text));
    const char *other = name ? json_string_value(json_object_get(shown, json_string_value(name))) : NULL;
    if (other)
        json_object_set_new(record, field, json_sprintf("%s%s", other, at ? at : ""));
}

void peers_rename(json_t *records)
{
    static const char *const fields[] = {"name", "subject", "kernel", "gamma_used", "best_peer"};
    json_t *shown = json_object(), *record;
    size_t index;
    json_array_foreach(records, index, record)
    {
        json_t *name = shown_of(record);
        if (name)
            json_object_set_new(shown, view_text(record, "name"), name);
    }
    json_array_foreach(records, index, record)
    {
        for (size_t i = 0; json_object_size(shown) && i < sizeof fields / sizeof *fields; i++)
            rename_in(record, fields[i], shown);
    }
    json_decref(shown);
}
