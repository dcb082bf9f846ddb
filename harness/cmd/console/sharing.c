/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/sharing.h"

#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/energy.h"

/** A prefetch that the original of a rendering lacks, or settings from a table, where they are not the kernel's own. */
static void print_tuned(const json_t *record)
{
    const char *settings = json_string_value(json_object_get(record, "settings")),
               *variant = json_string_value(json_object_get(record, "variant")),
               *share = json_string_value(json_object_get(record, "share"));
    if (settings && strcmp(settings, "our prefetch") == 0)
        printf("  with our prefetch, %lld bytes ahead",
               (long long)json_integer_value(json_object_get(record, "prefetch_bytes")));
    if (!json_object_get(record, "tuned_for"))
        return;
    printf("  %s: prefetch %lld%s%s%s", settings,
           (long long)json_integer_value(json_object_get(record, "prefetch_bytes")),
           share && strcmp(share, "tokens") == 0 ? ", tokens shared" : "", variant ? ", " : "", variant ? variant : "");
}

void print_sharing(const json_t *record, const char *slowed)
{
    const char *schedule = json_string_value(json_object_get(record, "schedule"));
    const json_t *of_sum = json_object_get(record, "of_sum"), *member = json_object_get(record, "member");
    const json_t *speeds = json_object_get(record, "emulated_speeds");
    const json_t *of_contended = json_object_get(record, "of_contended");
    char energy[160];
    if (schedule && json_integer_value(json_object_get(record, "threads")) > 1)
        printf("  %s", json_is_true(json_object_get(record, "contended")) ? "contended" : schedule);
    if (json_is_number(of_sum))
        printf(" %.1f%% of the sum", 100 * json_number_value(of_sum));
    if (json_is_number(of_contended))
        printf(", %.1f%% of contended", 100 * json_number_value(of_contended));
    if (member)
        printf("  member %lld", (long long)json_integer_value(member));
    for (size_t t = 0; t < json_array_size(speeds); t++) {
        if (json_number_value(json_array_get(speeds, t)) < 1)
            printf("  emulated: %smember %lld at %g of its speed", slowed,
                   (long long)json_integer_value(member) + (long long)t, json_number_value(json_array_get(speeds, t)));
    }
    print_tuned(record);
    fputs(energy_text(record, energy, sizeof energy), stdout);
}
