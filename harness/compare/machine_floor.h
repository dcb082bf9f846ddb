/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "results/gate/compare.h"
#include "results/gate/noise_floor.h"

struct live;

/**
 * The noise floor of the machine that a comparison was measured on, with the file that keeps it.
 *
 * Errors: 0 or negative errno with one line in why.
 */
struct machine_floor {
    struct noise_floor floor;
    char path[4096];
    const struct live *live; /* cells are named by their labels; NULL: by their own names */
};

/**
 * Load that of the machine that a meta.json describes; one that was never measured is empty.
 * @param results  folder that runs and noise floors lie in
 */
int machine_floor_load(const char *results, const json_t *meta, struct machine_floor *floor, char *why, size_t size);
int machine_floor_save(const struct machine_floor *floor, char *why, size_t size);
void machine_floor_release(struct machine_floor *floor);

/** comparison_request.floor of a struct machine_floor: of a label the wider floor of both sides; NaN unknown. */
double machine_floor_of(const void *floor, const char *cell, size_t blocks);

/** What is kept of what a change of layout alone does, comparison_request.layout; NaN: nothing is. */
void machine_floor_layout(const struct machine_floor *floor, double layout[COMPARE_CLASSES]);
