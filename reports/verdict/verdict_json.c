/* SPDX-License-Identifier: BSD-3-Clause
 *
 * JSON Lines: a record for each cell and for what is withheld, then one of the verdict.
 */
#include <errno.h>

#include "reports/verdict/verdict.h"
#include "reports/verdict/verdict_words.h"
#include "results/records/record.h"

static int write_withheld(const struct compare_report *report, FILE *stream)
{
    int error = 0;
    for (size_t i = 0; !error && i < report->withheld_count; i++)
        error = record_write_line(stream, report->withheld[i].record);
    return error;
}

int verdict_json(const struct compare_report *report, FILE *stream)
{
    const struct comparison *comparison = report->comparison;
    char how[2048];
    int error = 0;
    for (size_t i = 0; !error && i < comparison->count; i++) {
        json_t *record = comparison_record(comparison, &comparison->outcome[i]);
        json_t *why = record ? verdict_why_record(report, &comparison->outcome[i]) : NULL;
        if (why)
            json_object_set_new(record, "why", why);
        error = record ? record_write_line(stream, record) : -ENOMEM;
        json_decref(record);
    }
    if (!error)
        error = write_withheld(report, stream);
    json_auto_t *record = comparison_verdict_record(comparison, report->base, report->head);
    bool incomparable = verdict_incomparable(report, how, sizeof how);
    if (record)
        json_object_set_new(record, "name",
                            json_string(incomparable ? "incomparable" : compare_verdict_name(verdict_overall(report))));
    if (record && report->live)
        json_object_set_new(record, "withheld", json_integer((json_int_t)report->withheld_count));
    if (record && report->live)
        json_object_set_new(record, "pairs_moved",
                            json_pack("{s:I, s:I}", "core", (json_int_t)report->moved[COMPARE_CORE], "memory",
                                      (json_int_t)report->moved[COMPARE_MEMORY]));
    if (record && report->live)
        json_object_set_new(record, "seconds", json_real(report->seconds));
    if (record)
        json_object_set_new(record, "confirmation",
                            report->confirmation[0] ? json_string(report->confirmation) : json_null());
    if (!error)
        error = record ? record_write_line(stream, record) : -ENOMEM;
    return error;
}
