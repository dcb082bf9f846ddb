/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/sharing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/files/need.h"
#include "results/records/record.h"
#include "results/statistics/stats.h"

/** A prefetch that the original of a rendering lacks, or settings from a table, where they are not the kernel's own. */
static void write_tuned(FILE *stream, const json_t *record)
{
    const char *settings = json_string_value(json_object_get(record, "settings")),
               *variant = json_string_value(json_object_get(record, "variant")),
               *share = json_string_value(json_object_get(record, "share"));
    if (settings && strcmp(settings, "our prefetch") == 0)
        fprintf(stream, "  with our prefetch, %lld bytes ahead",
                (long long)json_integer_value(json_object_get(record, "prefetch_bytes")));
    if (!json_object_get(record, "tuned_for"))
        return;
    fprintf(stream, "  %s: prefetch %lld%s%s%s", settings,
            (long long)json_integer_value(json_object_get(record, "prefetch_bytes")),
            share && strcmp(share, "tokens") == 0 ? ", tokens shared" : "", variant ? ", " : "",
            variant ? variant : "");
}

static void write_sharing(FILE *stream, const json_t *record, const char *slowed)
{
    const char *schedule = json_string_value(json_object_get(record, "schedule"));
    const json_t *of_sum = json_object_get(record, "of_sum"), *member = json_object_get(record, "member");
    const json_t *speeds = json_object_get(record, "emulated_speeds");
    const json_t *of_contended = json_object_get(record, "of_contended");
    char energy[160];
    if (schedule && json_integer_value(json_object_get(record, "threads")) > 1)
        fprintf(stream, "  %s", json_is_true(json_object_get(record, "contended")) ? "contended" : schedule);
    if (json_is_number(of_sum))
        fprintf(stream, " %.1f%% of the sum", 100 * json_number_value(of_sum));
    if (json_is_number(of_contended))
        fprintf(stream, ", %.1f%% of contended", 100 * json_number_value(of_contended));
    if (member)
        fprintf(stream, "  member %lld", (long long)json_integer_value(member));
    for (size_t t = 0; t < json_array_size(speeds); t++) {
        if (json_number_value(json_array_get(speeds, t)) < 1)
            fprintf(stream, "  emulated: %smember %lld at %g of its speed", slowed,
                    (long long)json_integer_value(member) + (long long)t, json_number_value(json_array_get(speeds, t)));
    }
    write_tuned(stream, record);
    fputs(energy_text(record, energy, sizeof energy), stream);
}

const char *sharing_text(const json_t *record, const char *slowed, char *text, size_t size)
{
    FILE *stream = need_buffer(text, size);
    text[0] = 0;
    if (stream) {
        write_sharing(stream, record, slowed);
        fclose(stream);
    }
    text[size - 1] = 0; /* which fmemopen leaves out where it is full */
    return text;
}

static double median(const json_t *record, const char *field)
{
    struct summary summary;
    return record_quantity_read(record, field, &summary) ? (double)NAN : stats_stated(&summary);
}

const char *energy_text(const json_t *record, char *text, size_t size)
{
    char idle[64] = "";
    double joules = median(record, "joules_per_token"), watts = median(record, "package_idle_w");
    const char *of = isfinite(joules) ? "token" : "call";
    if (!isfinite(joules))
        joules = median(record, "package_energy_j");
    if (isfinite(watts))
        snprintf(idle, sizeof idle, ", which take %.3g W when idle", watts);
    text[0] = '\0';
    if (isfinite(joules) && joules >= 0.1)
        snprintf(text, size, "  %.3g J a %s of all packages%s", joules, of, idle);
    else if (isfinite(joules))
        snprintf(text, size, "  %.3g mJ a %s of all packages%s", 1e3 * joules, of, idle);
    return text;
}
