/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

/**
 * What a machine shows where nothing changed: for each cell the effects of A/A comparisons, kept in a file per machine
 * (results/files/diffable_json.h). Its 95th percentile is the floor below which a loss of that cell is no news.
 *
 * Errors: 0 or negative errno with one line in why.
 */
struct noise_floor {
    json_t *object;
};

/** <results>/noise-floor/<platform>.<hostname>.json. @return 0, -ENAMETOOLONG */
int noise_floor_path(const char *results, const char *platform, const char *hostname, char *path, size_t size);

/** Read the file of a machine; one that is not there is empty. Release with noise_floor_release. */
int noise_floor_load(const char *path, const char *platform, const char *hostname, struct noise_floor *floor, char *why,
                     size_t size);
int noise_floor_save(const struct noise_floor *floor, const char *path, char *why, size_t size);
void noise_floor_release(struct noise_floor *floor);

/**
 * Put the effects of a cell, replacing what is known of it.
 * @param effects   logarithms of the ratios of the A/A comparisons
 * @param blocks    of each comparison
 * @param measured  date, ISO 8601
 * @return 0, -ENOMEM
 */
int noise_floor_put(struct noise_floor *floor, const char *cell, const double *effects, size_t count, size_t blocks,
                    const char *measured);

/**
 * 95th percentile of the absolute effects, logarithm: the order statistic of rank ceil(0.95 n). With fewer blocks than
 * it was measured with, it is that much wider: by the root of the ratio; with more it stays. NaN where the cell has
 * none.
 */
double noise_floor_of(const struct noise_floor *floor, const char *cell, size_t blocks);

/**
 * What a change of layout alone does to cells of a class ("core", "memory") of this machine, logarithm at least 0, with
 * the date it was measured; what is not finite changes nothing. @return 0, -ENOMEM
 */
int noise_floor_put_layout(struct noise_floor *floor, const char *class, double layout, const char *measured);

/** NaN where it was never put. */
double noise_floor_layout(const struct noise_floor *floor, const char *class);
