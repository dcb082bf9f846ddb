/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/command.h"
#include "harness/cmd/compare_command/comparing.h"
#include "harness/cmd/console/console.h"
#include "harness/compare/live.h"
#include "harness/record/provenance.h"

static const char command_name[] = "compare";

double comparing_floor_of(const void *context, const char *cell, size_t blocks)
{
    const struct comparing_floors *floors = context;
    double widest = NAN;
    if (!floors->live)
        return noise_floor_of(&floors->floor, cell, blocks);
    for (int side = 0; side < 2; side++) {
        const char *name = live_cell_name(floors->live, side, cell);
        double floor = name ? noise_floor_of(&floors->floor, name, blocks) : NAN;
        widest = isnan(widest) || floor > widest ? floor : widest;
    }
    return widest;
}

void comparing_platform(const json_t *meta, char *name, size_t size)
{
    const json_t *cpu = json_object_get(meta, "cpu");
    const char *brand = json_string_value(json_object_get(cpu, "name"));
    const char *design = json_string_value(json_object_get(cpu, "microarchitecture"));
    provenance_cpu_folder(brand, design, name, size);
}

int comparing_floors_load(const struct comparing *options, const json_t *meta, struct comparing_floors *floors)
{
    char platform[128], why[1024];
    const char *host = json_string_value(json_object_get(json_object_get(meta, "host"), "hostname"));
    comparing_platform(meta, platform, sizeof platform);
    host = host && !strchr(host, '/') ? host : "unknown";
    if (noise_floor_path(options->results, platform, host, floors->path, sizeof floors->path))
        return complain(EXIT_USAGE, command_name, "the path of %s is too long; choose a shorter --results",
                        options->results);
    if (noise_floor_load(floors->path, platform, host, &floors->floor, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    return EXIT_DONE;
}

/* ---- A/A ---- */

/** Effects of each cell over the A/A comparisons, by label. */
struct effects {
    char *label;
    double *effect; /* [comparisons] NaN where the cell had none */
};

struct aa {
    struct effects *cell;
    size_t cells, fired, inconclusive;
};

static int note_effects(struct aa *aa, unsigned which, unsigned comparisons, const struct comparison *comparison)
{
    if (!aa->cell) {
        aa->cell = calloc(comparison->count + 1, sizeof *aa->cell);
        for (size_t i = 0; aa->cell && i < comparison->count; i++) {
            struct effects *cell = &aa->cell[aa->cells++];
            cell->label = strdup(comparison->outcome[i].name);
            cell->effect = malloc(comparisons * sizeof(double));
            for (unsigned c = 0; cell->effect && c < comparisons; c++)
                cell->effect[c] = NAN;
        }
    }
    for (size_t i = 0; i < aa->cells; i++) {
        if (!aa->cell[i].label || !aa->cell[i].effect)
            return complain(EXIT_USAGE, command_name, "no memory");
        for (size_t o = 0; o < comparison->count; o++) {
            const struct compare_outcome *outcome = &comparison->outcome[o];
            /* fewer pairs, where roofs moved, would make it look noisier than it is */
            if (strcmp(outcome->name, aa->cell[i].label) == 0 && outcome->base_blocks >= LIVE_BLOCKS_LEAST)
                aa->cell[i].effect[which] = outcome->effect;
        }
    }
    return aa->cell ? EXIT_DONE : complain(EXIT_USAGE, command_name, "no memory");
}

static void release_aa(struct aa *aa)
{
    for (size_t i = 0; i < aa->cells; i++) {
        free(aa->cell[i].label);
        free(aa->cell[i].effect);
    }
    free(aa->cell);
}

/** One A/A comparison: a line, and its effects. */
static int compare_with_itself(const struct comparing_going *going, unsigned which, struct aa *aa)
{
    const struct comparing *options = going->options;
    struct live_result result;
    struct comparison comparison;
    bool confirmed = false;
    int code = comparing_once(going, &result, &comparison, &confirmed);
    if (code)
        return code;
    enum compare_verdict overall = compare_overall(comparison.outcome, comparison.count);
    aa->fired += overall == COMPARE_FAILED;
    aa->inconclusive += overall == COMPARE_INCONCLUSIVE;
    code = note_effects(aa, which, options->noise_floor, &comparison);
    if (!code && options->format == VERDICT_JSON)
        code = print_record(command_name, comparison_verdict_record(&comparison, options->given[0], options->given[1]));
    else if (!code) {
        printf("A/A %u of %u: %-12s %zu pairs, moved %zu core %zu memory", which + 1, options->noise_floor,
               compare_verdict_name(overall), result.pairs, result.moved[COMPARE_CORE], result.moved[COMPARE_MEMORY]);
        if (comparison.count && isfinite(comparison.outcome[0].effect))
            printf(", geometric mean %+.2f%%, worst %+.2f%% in %s", comparison_percent(comparison.mean.effect),
                   comparison_percent(comparison.outcome[0].effect), comparison.outcome[0].name);
        puts(confirmed ? "; a suspicion was measured again" : "");
        fflush(stdout);
    }
    comparison_release(&comparison);
    live_result_release(&result);
    return code;
}

static int show_floor(const struct comparing *options, const char *name, double floor)
{
    if (options->format == VERDICT_JSON)
        return print_record(command_name, json_pack("{s:s, s:s, s:o, s:i, s:i}", "type", "floor", "name", name, "floor",
                                                    isnan(floor) ? json_null() : json_real(expm1(floor)), "comparisons",
                                                    (int)options->noise_floor, "blocks", (int)options->blocks));
    if (isnan(floor))
        printf("%-60s roofs moved around too many of its pairs\n", name);
    else
        printf("%-60s A/A 95%% %6.2f%%\n", name, comparison_percent(floor));
    return EXIT_DONE;
}

static bool any_finite(const double *effect, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (isfinite(effect[i]))
            return true;
    }
    return false;
}

static int keep_floors(const struct comparing_going *going, struct aa *aa)
{
    const struct comparing *options = going->options;
    char measured[32], why[1024];
    time_t now = time(NULL);
    struct tm utc;
    size_t known = 0;
    int code = EXIT_DONE;
    strftime(measured, sizeof measured, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    for (size_t i = 0; !code && i < aa->cells; i++) {
        const char *name = live_cell_name(going->live, 0, aa->cell[i].label);
        bool measured_now = name && any_finite(aa->cell[i].effect, options->noise_floor);
        known += measured_now;
        if (measured_now && noise_floor_put(&going->floors->floor, name, aa->cell[i].effect, options->noise_floor,
                                            options->blocks, measured))
            return complain(EXIT_USAGE, command_name, "no memory");
        if (name)
            code = show_floor(options, name,
                              measured_now ? noise_floor_of(&going->floors->floor, name, options->blocks) : NAN);
    }
    if (!code && !known)
        return complain(EXIT_INCONCLUSIVE, command_name,
                        "the machine is too busy: roofs moved around too many pairs; nothing is kept");
    if (!code && noise_floor_save(&going->floors->floor, going->floors->path, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    if (!code)
        fprintf(stderr, "kneepoint compare: kept in %s\n", going->floors->path);
    return code;
}

int comparing_floors_measure(const struct comparing_going *going)
{
    struct aa aa = {0};
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < going->options->noise_floor; i++)
        code = compare_with_itself(going, i, &aa);
    if (!code)
        code = keep_floors(going, &aa);
    if (!code && aa.fired)
        code = complain(EXIT_CHECK_FAILED, command_name, "%zu of %u A/A comparisons failed though nothing changed",
                        aa.fired, going->options->noise_floor);
    release_aa(&aa);
    return code;
}
