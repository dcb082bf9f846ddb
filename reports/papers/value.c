/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/papers/claim.h"

#include <stdio.h>

#include "platforms/described/units.h"
#include "results/files/need.h"

int papers_read_value(const struct field_reader *reader, const char *path, const json_t *text, const char *unit_of_list,
                      struct papers_value *value)
{
    const char *rest;
    if (!json_is_string(text))
        return field_reject(reader, path, "must be a number with its unit as text, such as \"98 GB/s\"");
    value->text = json_string_value(text);
    if (stated_value_parse(value->text, &value->printed, &rest) != 0)
        return field_reject(reader, path, "is '%s', which does not begin with a number", value->text);
    const struct unit *unit = unit_find(*rest ? rest : unit_of_list ? unit_of_list : "1");
    if (!unit)
        return field_reject(reader, path, "is '%s', an unknown unit", *rest ? rest : unit_of_list);
    value->unit = unit->name;
    value->factor = unit->factor;
    return 0;
}

bool papers_is_list(const json_t *list)
{
    return json_is_array(list) || json_is_array(json_object_get(list, "values"));
}

int papers_read_list(const struct field_reader *reader, const char *path, const json_t *list,
                     struct papers_values *values)
{
    const json_t *items = json_is_object(list) ? json_object_get(list, "values") : list;
    const char *unit = json_string_value(json_object_get(list, "unit"));
    int error = 0;
    values->count = json_array_size(items);
    values->of = need(values->count + 1, sizeof *values->of);
    if (!values->of)
        return field_out_of_memory(reader);
    for (size_t i = 0; i < values->count && !error; i++) {
        char item[FIELD_PATH_SIZE];
        snprintf(item, sizeof item, "%.150s[%zu]", path, i);
        error = papers_read_value(reader, item, json_array_get(items, i), unit, &values->of[i]);
    }
    return error;
}
