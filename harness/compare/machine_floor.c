/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/machine_floor.h"

#include <math.h>
#include <string.h>

#include "harness/compare/live.h"
#include "harness/record/provenance.h"
#include "results/text/refuse.h"

int machine_floor_load(const char *results, const json_t *meta, struct machine_floor *floor, char *why, size_t size)
{
    char platform[128];
    const char *host = json_string_value(json_object_get(json_object_get(meta, "host"), "hostname"));
    provenance_cpu_folder(meta, platform, sizeof platform);
    host = host && !strchr(host, '/') ? host : "unknown";
    int error = noise_floor_path(results, platform, host, floor->path, sizeof floor->path);
    if (error)
        return refuse(error, why, size, "the path of %s is too long; choose a shorter --results", results);
    return noise_floor_load(floor->path, platform, host, &floor->floor, why, size);
}

int machine_floor_save(const struct machine_floor *floor, char *why, size_t size)
{
    return noise_floor_save(&floor->floor, floor->path, why, size);
}

void machine_floor_release(struct machine_floor *floor)
{
    noise_floor_release(&floor->floor);
}

double machine_floor_of(const void *context, const char *cell, size_t blocks)
{
    const struct machine_floor *floor = context;
    double widest = NAN;
    if (!floor->live)
        return noise_floor_of(&floor->floor, cell, blocks);
    for (int side = 0; side < 2; side++) {
        const char *name = live_cell_name(floor->live, side, cell);
        double known = name ? noise_floor_of(&floor->floor, name, blocks) : NAN;
        widest = isnan(widest) || known > widest ? known : widest;
    }
    return widest;
}

void machine_floor_layout(const struct machine_floor *floor, double layout[COMPARE_CLASSES])
{
    for (int class = 0; class < COMPARE_CLASSES; class ++)
        layout[class] = noise_floor_layout(&floor->floor, compare_class_name((enum compare_class) class));
}
