/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See codebooks.h.
 */
#include "micro/quantization/codebooks.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"

enum { VALUES = 255, LEAST = -127, CLUSTER_ROUNDS = 50 };

struct group {
    int8_t value[CODEBOOKS_GROUP];
};

struct search {
    struct group *groups;
    float (*histograms)[CODEBOOKS_BINS];
    uint8_t *cluster; /* of each group */
    size_t groups_count;
    double (*counts)[VALUES]; /* of each cluster */
};

/* ---------------------------------------------------------------- 1-D k-means */

/** Sums over values 0 … i - 1 of the number, of the values and of their squares. */
struct prefix_sums {
    double count[VALUES + 1], value[VALUES + 1], square[VALUES + 1];
};

/** Sum of squared distances of values first … last to their mean. */
static double cost_of(const struct prefix_sums *sums, int first, int last)
{
    double count = sums->count[last + 1] - sums->count[first], value = sums->value[last + 1] - sums->value[first];
    double square = sums->square[last + 1] - sums->square[first];
    return count > 0 ? fmax(square - value * value / count, 0) : 0;
}

static void sum_up(const double *counts, struct prefix_sums *sums)
{
    sums->count[0] = sums->value[0] = sums->square[0] = 0;
    for (int i = 0; i < VALUES; i++) {
        double value = i + LEAST;
        sums->count[i + 1] = sums->count[i] + counts[i];
        sums->value[i + 1] = sums->value[i] + counts[i] * value;
        sums->square[i + 1] = sums->square[i] + counts[i] * value * value;
    }
}

void codebooks_centroids(const double *counts, size_t entries, int8_t *centroid)
{
    static const double unreached = DBL_MAX;
    struct prefix_sums sums;
    double best[CODEBOOKS_ENTRIES_MOST][VALUES];
    uint8_t begin[CODEBOOKS_ENTRIES_MOST][VALUES]; /* of the last part */
    sum_up(counts, &sums);
    for (int last = 0; last < VALUES; last++) {
        best[0][last] = cost_of(&sums, 0, last);
        begin[0][last] = 0;
    }
    for (size_t part = 1; part < entries; part++) {
        for (int last = 0; last < VALUES; last++) {
            best[part][last] = unreached;
            begin[part][last] = (uint8_t)last;
            for (int first = (int)part; first <= last; first++) {
                double cost = best[part - 1][first - 1] + cost_of(&sums, first, last);
                if (best[part - 1][first - 1] < unreached && cost < best[part][last]) {
                    best[part][last] = cost;
                    begin[part][last] = (uint8_t)first;
                }
            }
        }
    }
    int last = VALUES - 1;
    double above = NAN;
    for (size_t part = entries; part-- > 0;) {
        int first = begin[part][last];
        double count = sums.count[last + 1] - sums.count[first], value = sums.value[last + 1] - sums.value[first];
        double mean = count > 0 ? value / count : isfinite(above) ? above : last + LEAST;
        centroid[part] = (int8_t)lround(mean);
        above = mean;
        last = first > 0 ? first - 1 : 0;
    }
}

static double squared_distance(int value, const int8_t *centroid, size_t entries)
{
    double least = DBL_MAX;
    for (size_t i = 0; i < entries; i++)
        least = fmin(least, (double)((value - centroid[i]) * (value - centroid[i])));
    return least;
}

double codebooks_distance(const double *counts, const int8_t *centroid, size_t entries)
{
    double sum = 0;
    for (int i = 0; i < VALUES; i++)
        sum += counts[i] > 0 ? counts[i] * squared_distance(i + LEAST, centroid, entries) : 0;
    return sum;
}

/* ---------------------------------------------------------------- groups and their histograms */

/** @return whether the group has a weight other than 0 */
static int scale_group(const float *w, struct group *group)
{
    float most = 0;
    for (size_t i = 0; i < CODEBOOKS_GROUP; i++)
        most = fmaxf(most, fabsf(w[i]));
    for (size_t i = 0; i < CODEBOOKS_GROUP && most > 0; i++)
        group->value[i] = (int8_t)lroundf(w[i] / most * 127);
    return most > 0;
}

static int take_groups(struct search *search, const float *w, size_t length)
{
    size_t all = length / CODEBOOKS_GROUP;
    size_t most = all < CODEBOOKS_GROUPS_MOST ? all : CODEBOOKS_GROUPS_MOST;
    search->groups = calloc(most, sizeof *search->groups);
    search->histograms = calloc(most, sizeof *search->histograms);
    search->cluster = calloc(most, 1);
    search->counts = calloc(CODEBOOKS_COUNT_MOST, sizeof *search->counts);
    if (!search->groups || !search->histograms || !search->cluster || !search->counts)
        return -ENOMEM;
    for (size_t i = 0; i < most; i++) {
        size_t from = (size_t)((double)i * (double)all / (double)most);
        search->groups_count += scale_group(w + from * CODEBOOKS_GROUP, &search->groups[search->groups_count]) ? 1 : 0;
    }
    for (size_t i = 0; i < search->groups_count; i++) {
        for (size_t j = 0; j < CODEBOOKS_GROUP; j++)
            search->histograms[i][(search->groups[i].value[j] - LEAST) * CODEBOOKS_BINS / VALUES] +=
                1.0f / CODEBOOKS_GROUP;
    }
    return 0;
}

static float histogram_distance(const float *a, const float *b)
{
    float sum = 0;
    for (size_t i = 0; i < CODEBOOKS_BINS; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* ---------------------------------------------------------------- k-means of histograms */

/** k-means++: each next centre a group drawn in proportion to its squared distance from the nearest centre so far. */
static int first_centres(const struct search *search, size_t count, uint64_t *random, float (*centre)[CODEBOOKS_BINS])
{
    float *nearest = malloc(search->groups_count * sizeof *nearest);
    if (!nearest)
        return -ENOMEM;
    size_t chosen = (size_t)(random_bits(random) % search->groups_count);
    for (size_t i = 0; i < search->groups_count; i++)
        nearest[i] = FLT_MAX;
    for (size_t c = 0; c < count; c++) {
        memcpy(centre[c], search->histograms[chosen], sizeof *centre);
        double all = 0;
        for (size_t i = 0; i < search->groups_count; i++) {
            nearest[i] = fminf(nearest[i], histogram_distance(search->histograms[i], centre[c]));
            all += (double)nearest[i];
        }
        double at = (double)(random_bits(random) >> 11) * 0x1p-53 * all;
        for (chosen = 0; chosen + 1 < search->groups_count && at >= (double)nearest[chosen]; chosen++)
            at -= (double)nearest[chosen];
    }
    free(nearest);
    return 0;
}

/** Each group to the nearest centre. @return how many changed */
static size_t assign_histograms(struct search *search, size_t count, const float (*centre)[CODEBOOKS_BINS])
{
    size_t changed = 0;
    for (size_t i = 0; i < search->groups_count; i++) {
        size_t best = 0;
        float least = FLT_MAX;
        for (size_t c = 0; c < count; c++) {
            float distance = histogram_distance(search->histograms[i], centre[c]);
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        changed += search->cluster[i] != best;
        search->cluster[i] = (uint8_t)best;
    }
    return changed;
}

/** Means of the clusters; one that is empty keeps its centre. */
static void move_centres(const struct search *search, size_t count, float (*centre)[CODEBOOKS_BINS])
{
    double sum[CODEBOOKS_COUNT_MOST][CODEBOOKS_BINS] = {{0}};
    size_t members[CODEBOOKS_COUNT_MOST] = {0};
    for (size_t i = 0; i < search->groups_count; i++) {
        members[search->cluster[i]]++;
        for (size_t bin = 0; bin < CODEBOOKS_BINS; bin++)
            sum[search->cluster[i]][bin] += (double)search->histograms[i][bin];
    }
    for (size_t c = 0; c < count; c++) {
        for (size_t bin = 0; bin < CODEBOOKS_BINS && members[c]; bin++)
            centre[c][bin] = (float)(sum[c][bin] / (double)members[c]);
    }
}

static int cluster_histograms(struct search *search, size_t count, uint64_t seed)
{
    float centre[CODEBOOKS_COUNT_MOST][CODEBOOKS_BINS];
    uint64_t random = seed;
    int error = first_centres(search, count, &random, centre);
    if (error)
        return error;
    memset(search->cluster, 0xff, search->groups_count);
    for (int round = 0; round < CLUSTER_ROUNDS; round++) {
        if (!assign_histograms(search, count, (const float(*)[CODEBOOKS_BINS])centre))
            break;
        move_centres(search, count, centre);
    }
    return 0;
}

/* ---------------------------------------------------------------- codebooks of clusters */

static void count_values(struct search *search)
{
    memset(search->counts, 0, CODEBOOKS_COUNT_MOST * sizeof *search->counts);
    for (size_t i = 0; i < search->groups_count; i++) {
        for (size_t j = 0; j < CODEBOOKS_GROUP; j++)
            search->counts[search->cluster[i]][search->groups[i].value[j] - LEAST]++;
    }
}

static double mean_error(const struct search *search, const struct codebooks *codebooks)
{
    double sum = 0;
    for (size_t c = 0; c < codebooks->count; c++)
        sum += codebooks_distance(search->counts[c], codebooks->value[c], codebooks->entries);
    return sum / (double)(search->groups_count * CODEBOOKS_GROUP);
}

/** New centroids where they are better: rounding could make those of a cluster worse than they were. */
static void fit_codebooks(const struct search *search, struct codebooks *codebooks, int first)
{
    for (size_t c = 0; c < codebooks->count; c++) {
        int8_t fitted[CODEBOOKS_ENTRIES_MOST];
        codebooks_centroids(search->counts[c], codebooks->entries, fitted);
        if (first || codebooks_distance(search->counts[c], fitted, codebooks->entries) <
                         codebooks_distance(search->counts[c], codebooks->value[c], codebooks->entries))
            memcpy(codebooks->value[c], fitted, codebooks->entries);
    }
}

/** Each group to the codebook that reconstructs its values best. */
static void assign_codebooks(struct search *search, const struct codebooks *codebooks)
{
    float distance[CODEBOOKS_COUNT_MOST][VALUES];
    for (size_t c = 0; c < codebooks->count; c++) {
        for (int i = 0; i < VALUES; i++)
            distance[c][i] = (float)squared_distance(i + LEAST, codebooks->value[c], codebooks->entries);
    }
    for (size_t i = 0; i < search->groups_count; i++) {
        float least = FLT_MAX;
        for (size_t c = 0; c < codebooks->count; c++) {
            float sum = 0;
            for (size_t j = 0; j < CODEBOOKS_GROUP; j++)
                sum += distance[c][search->groups[i].value[j] - LEAST];
            if (sum < least) {
                least = sum;
                search->cluster[i] = (uint8_t)c;
            }
        }
    }
}

static void refine(struct search *search, struct codebooks *codebooks)
{
    count_values(search);
    fit_codebooks(search, codebooks, 1);
    codebooks->error[0] = mean_error(search, codebooks);
    for (codebooks->rounds = 0; codebooks->rounds < CODEBOOKS_ROUNDS; codebooks->rounds++) {
        assign_codebooks(search, codebooks);
        count_values(search);
        fit_codebooks(search, codebooks, 0);
        double error = mean_error(search, codebooks);
        codebooks->error[codebooks->rounds + 1] = error;
        if (!(error < codebooks->error[codebooks->rounds]))
            break;
    }
}

int codebooks_discover(const float *w, size_t length, size_t count, size_t entries, uint64_t seed,
                       struct codebooks *codebooks)
{
    struct search search = {0};
    *codebooks = (struct codebooks){.count = count, .entries = entries};
    if (count < 1 || count > CODEBOOKS_COUNT_MOST || entries < 2 || entries > CODEBOOKS_ENTRIES_MOST || !length ||
        length % CODEBOOKS_GROUP)
        return -EINVAL;
    for (size_t i = 0; i < length; i++) {
        if (!isfinite(w[i]))
            return -EINVAL;
    }
    int error = take_groups(&search, w, length);
    if (!error && search.groups_count < count)
        error = -ENODATA;
    if (!error)
        error = cluster_histograms(&search, count, seed);
    if (!error) {
        codebooks->groups = search.groups_count;
        refine(&search, codebooks);
    }
    free(search.groups);
    free(search.histograms);
    free(search.cluster);
    free(search.counts);
    return error;
}
