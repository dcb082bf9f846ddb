/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See product_settings.h.
 */
#include "harness/cells/product/product_settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/fields.h"

static size_t add_distance(size_t distance, size_t *distances, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (distances[i] == distance)
            return count;
    }
    distances[count] = distance;
    return count + 1;
}

size_t product_distances(const struct kernel *kernel, bool gemm, size_t distances[PRODUCT_DISTANCES])
{
    const size_t own = kernel->prefetch_bytes, least = 128, most = 4096;
    size_t count = add_distance(own, distances, 0);
    if (!own)
        return count;
    count = add_distance(0, distances, count);
    count = add_distance(2 * own, distances, count);
    count = add_distance(own / 2 / 64 * 64, distances, count);
    for (size_t power = least; !gemm && power <= most; power *= 2)
        count = add_distance(power, distances, count);
    return count;
}

size_t product_distance_choose(const double *median_s, size_t count)
{
    static const double GAIN = 1.03;
    size_t best = 0;
    for (size_t i = 1; i < count && isfinite(median_s[0]); i++) {
        if (median_s[i] < median_s[best])
            best = i;
    }
    return median_s[best] * GAIN < median_s[0] ? best : 0;
}

bool product_distance_is_read(const json_t *value)
{
    const json_int_t bytes = json_integer_value(value), most = 1 << 20;
    return json_is_integer(value) && bytes >= 0 && bytes <= most;
}

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
    if (settings->self_tuned)
        return "self-tuned";
    return product_settings_are_default(settings, kernel) ? "default" : "given";
}

void product_settings_record(const struct product_settings *settings, const struct kernel *kernel, bool gemm,
                             json_t *record)
{
    bool own = !settings->prefetch_given && !settings->self_tuned;
    size_t distance = own ? kernel->prefetch_bytes : settings->prefetch_bytes;
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
