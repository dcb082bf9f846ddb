/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/gate/noise_floor.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/files/diffable_json.h"
#include "results/files/need.h"
#include "results/statistics/stats.h"
#include "results/text/refuse.h"

static const char key[] = "kneepoint_noise_floor";

int noise_floor_path(const char *results, const char *platform, const char *hostname, char *path, size_t size)
{
    int length = snprintf(path, size, "%s/noise-floor/%s.%s.json", results, platform, hostname);
    return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

int noise_floor_load(const char *path, const char *platform, const char *hostname, struct noise_floor *floor, char *why,
                     size_t size)
{
    *floor = (struct noise_floor){0};
    if (access(path, F_OK) == 0)
        return diffable_json_read(path, key, &floor->object, why, size);
    floor->object = json_pack("{s:i, s:s, s:s, s:[]}", key, 1, "platform", platform, "hostname", hostname, "cells");
    return floor->object ? 0 : refuse(-ENOMEM, why, size, "no memory left for %s", path);
}

int noise_floor_save(const struct noise_floor *floor, const char *path, char *why, size_t size)
{
    return diffable_json_write(path, floor->object, why, size);
}

void noise_floor_release(struct noise_floor *floor)
{
    json_decref(floor->object);
    floor->object = NULL;
}

static const json_t *cell_of(const struct noise_floor *floor, const char *cell, size_t *index)
{
    const json_t *cells = json_object_get(floor->object, "cells");
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *known = json_array_get(cells, i);
        const char *name = json_string_value(json_object_get(known, "name"));
        if (name && strcmp(name, cell) == 0) {
            *index = i;
            return known;
        }
    }
    return NULL;
}

/** NaN of no effects. The absolute effects end up sorted. */
static double percentile_95(double *effect, size_t count)
{
    for (size_t i = 0; i < count; i++)
        effect[i] = fabs(effect[i]);
    stats_sort(effect, count);
    return count ? effect[(95 * count + 99) / 100 - 1] : NAN;
}

/** The finite ones. */
static size_t take_finite(const double *effects, size_t count, double *kept, json_t *list)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(effects[i]))
            continue;
        kept[n++] = effects[i];
        json_array_append_new(list, json_real(effects[i]));
    }
    return n;
}

int noise_floor_put(struct noise_floor *floor, const char *cell, const double *effects, size_t count, size_t blocks,
                    const char *measured)
{
    json_t *list = json_array(), *cells = json_object_get(floor->object, "cells");
    double *kept = need(count + 1, sizeof *kept);
    int error = list && kept ? 0 : -ENOMEM;
    size_t index, n = error ? 0 : take_finite(effects, count, kept, list);
    if (n) {
        json_t *entry = json_pack("{s:s, s:f, s:I, s:s, s:O}", "name", cell, "p95", percentile_95(kept, n), "blocks",
                                  (json_int_t)blocks, "measured", measured, "effects", list);
        if (entry && cell_of(floor, cell, &index))
            json_array_remove(cells, index);
        error = entry && json_array_append_new(cells, entry) == 0 ? 0 : -ENOMEM;
    }
    json_decref(list);
    free(kept);
    return error;
}

double noise_floor_of(const struct noise_floor *floor, const char *cell, size_t blocks)
{
    size_t index;
    const json_t *known = cell_of(floor, cell, &index);
    const json_t *p95 = json_object_get(known, "p95");
    double measured_blocks = json_number_value(json_object_get(known, "blocks"));
    if (!json_is_number(p95) || !blocks)
        return NAN;
    double wider = measured_blocks > (double)blocks ? sqrt(measured_blocks / (double)blocks) : 1;
    return json_number_value(p95) * wider;
}

static const char layout_key[] = "layout";

int noise_floor_put_layout(struct noise_floor *floor, const char *class, double layout, const char *measured)
{
    if (!isfinite(layout) || layout < 0)
        return 0;
    json_t *classes = json_object_get(floor->object, layout_key);
    if (!classes && json_object_set_new(floor->object, layout_key, json_object()))
        return -ENOMEM;
    json_t *entry = json_pack("{s:f, s:s}", "net", layout, "measured", measured);
    return entry && json_object_set_new(json_object_get(floor->object, layout_key), class, entry) == 0 ? 0 : -ENOMEM;
}

double noise_floor_layout(const struct noise_floor *floor, const char *class)
{
    const json_t *net = json_object_get(json_object_get(json_object_get(floor->object, layout_key), class), "net");
    return json_is_number(net) && json_number_value(net) >= 0 ? json_number_value(net) : NAN;
}
