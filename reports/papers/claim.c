/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/papers/claim.h"

#include <math.h>

#include "results/records/record.h"

double papers_difference(const struct papers_claim *claim)
{
    const struct papers_reading *printed = &claim->readings[0];
    return claim_difference(printed->nominal, printed->stated.printed.nominal);
}

static json_t *interval_json(double nominal, struct interval range, const char *unit)
{
    return json_pack("{s:f, s:o, s:o, s:s}", "nominal", nominal, "low", record_number_or_null(range.low), "high",
                     record_number_or_null(range.high), "unit", unit);
}

static json_t *value_json(const struct papers_value *value)
{
    return json_pack("{s:f, s:s, s:s}", "value", value->printed.nominal, "unit", value->unit, "text", value->text);
}

static json_t *inputs_json(const struct papers_reading *reading)
{
    json_t *inputs = json_object();
    for (size_t i = 0; i < reading->input_count; i++) {
        const struct papers_values *values = &reading->inputs[i].values;
        json_t *list = json_array();
        for (size_t v = 0; values->count > 1 && v < values->count; v++)
            json_array_append_new(list, value_json(&values->of[v]));
        if (values->count == 1)
            json_object_set_new(inputs, reading->inputs[i].name, value_json(values->of));
        else
            json_object_set(inputs, reading->inputs[i].name, list);
        json_decref(list);
    }
    return inputs;
}

/** What was computed for one reading, into a record or an entry of its "readings". */
static void set_reading(json_t *object, const struct papers_reading *reading)
{
    const struct papers_value *stated = &reading->stated;
    json_object_set_new(object, "formula", json_string(reading->formula));
    json_object_set_new(object, "inputs", inputs_json(reading));
    json_object_set_new(object, "recomputed", interval_json(reading->nominal, reading->recomputed, stated->unit));
    json_t *printed = interval_json(stated->printed.nominal, stated->printed.range, stated->unit);
    json_object_set_new(printed, "text", json_string(stated->text));
    json_object_set_new(object, "stated", printed);
}

json_t *papers_record(const struct papers_claim *claim)
{
    json_t *record =
        json_pack("{s:s, s:s++, s:s, s:s, s:s, s:s}", "type", "claim", "name", claim->paper, "/", claim->id, "paper",
                  claim->paper, "id", claim->id, "section", claim->section, "says", claim->says);
    set_reading(record, &claim->readings[0]);
    json_object_set_new(record, "verdict", json_string(claim_verdict_name(claim->verdict)));
    json_object_set_new(record, "with",
                        claim->verdict == CLAIM_HOLDS_WITH ? json_string(claim->readings[claim->which].with)
                                                           : json_null());
    json_object_set_new(record, "difference", record_number_or_null(papers_difference(claim)));
    if (claim->reading_count > 1) {
        json_t *others = json_array();
        for (size_t i = 1; i < claim->reading_count; i++) {
            json_t *other = json_pack("{s:s}", "with", claim->readings[i].with);
            set_reading(other, &claim->readings[i]);
            json_array_append_new(others, other);
        }
        json_object_set_new(record, "readings", others);
    }
    if (*claim->note)
        json_object_set_new(record, "note", json_string(claim->note));
    return record;
}
