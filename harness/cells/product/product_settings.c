/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See product_settings.h.
 */
#include "harness/cells/product/product_settings.h"

#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/fields.h"

static bool prefetches_otherwise(const struct product_settings *settings, const struct kernel *kernel)
{
    return settings->prefetch_given && settings->prefetch_bytes != kernel->prefetch_bytes;
}

bool product_settings_are_default(const struct product_settings *settings, const struct kernel *kernel)
{
    return !prefetches_otherwise(settings, kernel) && !settings->shares_tokens && !settings->variant;
}

void product_settings_name(const struct product_settings *settings, struct cell *cell)
{
    size_t used = strlen(cell->name), size = sizeof cell->name;
    if (prefetches_otherwise(settings, cell->kernel) && used < size)
        used += (size_t)snprintf(cell->name + used, size - used, "/prefetch=%zu", settings->prefetch_bytes);
    if (settings->shares_tokens && used < size)
        used += (size_t)snprintf(cell->name + used, size - used, "/share=tokens");
    if (settings->variant && used < size)
        snprintf(cell->name + used, size - used, "/variant=%s", settings->variant);
}

static const char *source_of(const struct product_settings *settings, const struct kernel *kernel)
{
    if (settings->tuned.from_table)
        return settings->tuned.distance > 0 ? "matched" : "tuned";
    if (settings->our_prefetch)
        return "our prefetch";
    return product_settings_are_default(settings, kernel) ? "default" : "given";
}

void product_settings_record(const struct product_settings *settings, const struct kernel *kernel, bool gemm,
                             json_t *record)
{
    size_t distance = settings->prefetch_given ? settings->prefetch_bytes : kernel->prefetch_bytes;
    field_set(record, "prefetch_bytes", json_integer((json_int_t)distance));
    if (gemm) {
        field_set(record, "share", json_string(settings->shares_tokens ? "tokens" : "rows"));
        field_set(record, "variant", settings->variant ? json_string(settings->variant) : json_null());
    }
    field_set(record, "settings", json_string(source_of(settings, kernel)));
    if (!settings->tuned.from_table)
        return;
    field_set(record, "tuned_for",
              json_pack("{s:I, s:I, s:I}", "m", (json_int_t)settings->tuned.m, "k", (json_int_t)settings->tuned.k, "n",
                        (json_int_t)settings->tuned.n));
    field_set(record, "tuned_distance", json_real(settings->tuned.distance));
}
