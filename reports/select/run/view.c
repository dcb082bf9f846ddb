/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"
#include "results/records/record.h"
#include "results/statistics/stats.h"

/** Weights of more bits are not low-bit: int8 and floats. */
#define NARROW_BITS 6

static const struct {
    const char *name, *command;
} types[VIEW_TYPES] = {
    [VIEW_CLOCK] = {"clock", "kneepoint beta"},
    [VIEW_BETA] = {"beta", "kneepoint beta"},
    [VIEW_GAMMA] = {"gamma", "kneepoint gamma"},
    [VIEW_SYNC] = {"sync", "kneepoint gemv"},
    [VIEW_PREPARE] = {"prepare", "kneepoint gemv"},
    [VIEW_GEMV] = {"gemv", "kneepoint gemv"},
    [VIEW_KNEE] = {"knee", "kneepoint knee"},
    [VIEW_LATENCY] = {"latency", "kneepoint beta --latency"},
    [VIEW_TERM] = {"term", "kneepoint terms"},
    [VIEW_OMEGA] = {"omega", "kneepoint gemv"},
    [VIEW_POOL] = {"pool", "kneepoint beta"},
    [VIEW_GEMM] = {"gemm", "kneepoint gemm"},
    [VIEW_DECODE] = {"decode", "kneepoint decode"},
    [VIEW_PREFILL] = {"prefill", "kneepoint decode --prefill=512"},
    [VIEW_REPACK] = {"repack", "kneepoint gemv"},
    [VIEW_MIXED] = {"mixed", "kneepoint quantize --mixed --into=RUN"},
    [VIEW_ENGINE] = {"engine", "kneepoint model --beside=RESULTS"},
    [VIEW_CACHED] = {"", "kneepoint decode --cache=q8_0"},
    [VIEW_BATCH] = {"", "kneepoint decode --users=4"},
    [VIEW_PREFETCHED] = {"", "kneepoint gemv"},
    [VIEW_TILES] = {"tiles", "kneepoint beta --tiles"},
    [VIEW_DEVICE_ROOF] = {"device_roof", "kneepoint beta --device=opencl:0"},
    [VIEW_DEVICE_GAMMA] = {"device_gamma", "kneepoint gamma --device=opencl:0"},
    [VIEW_DEVICE_GEMV] = {"device_gemv", "kneepoint gemv --device=opencl:0"},
    [VIEW_DEVICE_GEMM] = {"device_gemm", "kneepoint gemm --device=opencl:0"},
};

const char *view_type_name(enum view_type type)
{
    return types[type].name;
}

const char *view_type_command(enum view_type type)
{
    return types[type].command;
}

double view_number(const json_t *record, const char *field)
{
    return record_number_or_nan(record, field);
}

double view_median(const json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    return json_is_object(value) ? view_number(value, "median") : view_number(record, field);
}

const char *view_text(const json_t *record, const char *field)
{
    const char *text = json_string_value(json_object_get(record, field));
    return text ? text : "";
}

bool view_flag(const json_t *record, const char *field)
{
    return json_is_true(json_object_get(record, field));
}

bool view_has_run(const struct view *view)
{
    return json_array_size(view->records->records) > 0;
}

const char *view_machine_name(const struct view *view)
{
    const json_t *cpu = json_object_get(view->meta, "cpu");
    const char *name = view_text(view->machine, "cpu");
    if (!*name)
        name = view_text(cpu, "name");
    if (!*name)
        name = view_text(cpu, "brand");
    return *name ? name : "unknown CPU";
}

/* What the machine's record says of the CPU, else meta.json. */
static const char *cpu_text(const struct view *view, const char *field)
{
    const char *text = view_text(view->machine, field);
    return *text ? text : view_text(json_object_get(view->meta, "cpu"), field);
}

const char *view_microarchitecture(const struct view *view)
{
    return cpu_text(view, "microarchitecture");
}

const char *view_contradiction(const struct view *view)
{
    return cpu_text(view, "contradiction");
}

const char *view_emulator(const struct view *view)
{
    return run_emulator(view->records);
}

const char *view_run_name(const struct view *view)
{
    return view->name;
}

double view_samples_taken(const struct view *view, const json_t **rejected)
{
    double samples = view_number(view->end, "samples");
    *rejected = json_object_get(view->end, "rejected");
    if (json_is_object(*rejected) && samples > 0)
        return samples;
    *rejected = view->rejected;
    return (double)view->samples;
}

double view_samples_lost(const json_t *rejected)
{
    double lost = 0;
    const char *cause;
    json_t *count;
    json_object_foreach((json_t *)rejected, cause, count) lost += json_number_value(count);
    return lost;
}

const char *view_count(double count, char *text, size_t size)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%.0f", count);
    size_t at = 0;
    for (int i = 0; i < length && at + 2 < size; i++) {
        if (i && (length - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

/** Why the run has no more cells; empty where there are no more. */
static void write_bound(const struct view *view, bool all, char *text, size_t size)
{
    const double budget_s = view_number(view->end, "budget_s"), bytes = view_number(view->end, "budget_bytes");
    if (!view_flag(view->end, "complete"))
        snprintf(text, size, ", its budget ran out");
    else if (all)
        text[0] = '\0';
    else if (budget_s > 0 && bytes > 0)
        snprintf(text, size, ", all that %.0f s and %.3g MB hold", budget_s, 1e-6 * bytes);
    else if (budget_s > 0)
        snprintf(text, size, ", all that %.0f s hold", budget_s);
    else
        snprintf(text, size, ", all that was planned");
}

static void write_coverage(const struct view *view, char *text, size_t size)
{
    char measured[48], every[48], bound[64];
    double planned = view_number(view->end, "cells"), without = view_number(view->end, "cells_skipped"),
           left_out = view_number(view->end, "cells_left_out"), dropped = view_number(view->end, "cells_dropped");
    double all = planned + (left_out > 0 ? left_out : 0) + (dropped > 0 ? dropped : 0);
    view_count(planned - (without > 0 ? without : 0), measured, sizeof measured);
    view_count(all, every, sizeof every);
    write_bound(view, !(all > planned), bound, sizeof bound);
    if (without > 0 || all > planned)
        snprintf(text, size, "%s of %s cells%s", measured, every, bound);
    else
        snprintf(text, size, "all %s cells%s", every, bound);
}

const char *view_run_state(const struct view *view, char *text, size_t size)
{
    if (view_flag(view->meta, "synthetic"))
        snprintf(text, size, "synthetic, nothing was measured");
    else if (!view->end)
        snprintf(text, size, "did not finish");
    else if (view_flag(view->end, "interrupted"))
        snprintf(text, size, "interrupted");
    else if (view_number(view->end, "cells") > 0)
        write_coverage(view, text, size);
    else
        snprintf(text, size, "the number of its cells was not recorded");
    return text;
}

static size_t add_team(unsigned *threads, size_t count, size_t capacity, double team)
{
    if (!(team >= 1 && team <= 1e6))
        return count;
    for (size_t i = 0; i < count && i < capacity; i++) {
        if (threads[i] == (unsigned)team)
            return count;
    }
    if (count < capacity)
        threads[count] = (unsigned)team;
    return count + 1;
}

const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

static int by_value(const void *a, const void *b)
{
    unsigned left = *(const unsigned *)a, right = *(const unsigned *)b;
    return (left > right) - (left < right);
}

size_t view_teams(const struct view *view, unsigned *threads, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_BETA].count; i++) {
        const json_t *row = view->of[VIEW_BETA].rows[i];
        if (strcmp(view_text(row, "level"), "memory") == 0)
            count = add_team(threads, count, capacity, view_number(row, "threads"));
    }
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (view_is_cold(row))
            count = add_team(threads, count, capacity, view_number(row, "threads"));
    }
    if (count > capacity)
        count = capacity;
    qsort(threads, count, sizeof *threads, by_value);
    return count;
}

unsigned view_widest_team(const struct view *view)
{
    unsigned teams[64];
    const size_t count = view_teams(view, teams, 64);
    return count ? teams[count - 1] : 0;
}

const char *const view_levels[VIEW_LEVELS] = {"L1", "L2", "L3", "memory"};

const json_t *view_roof(const struct view *view, const char *level, unsigned threads)
{
    const json_t *fastest = NULL, *roof = NULL;
    for (size_t i = 0; i < view->of[VIEW_BETA].count; i++) {
        const json_t *row = view->of[VIEW_BETA].rows[i];
        if (strcmp(view_text(row, "level"), level) != 0 || view_number(row, "threads") != threads)
            continue;
        if (view_flag(row, "roof"))
            roof = row; /* the last one, of a run that went on with another version */
        if (!fastest || view_median(row, "bytes_per_s") > view_median(fastest, "bytes_per_s"))
            fastest = row;
    }
    return roof ? roof : fastest;
}

const json_t *view_idle_latency(const struct view *view, const char *level)
{
    for (size_t i = 0; i < view->of[VIEW_LATENCY].count; i++) {
        const json_t *row = view->of[VIEW_LATENCY].rows[i];
        if (!(view_number(row, "readers") > 0) && strcmp(view_text(row, "level"), level) == 0 &&
            view_median(row, "latency_s") > 0)
            return row;
    }
    return NULL;
}

/* Clock that the memory roof was measured at. */
static double clock_of_roof(const struct view *view)
{
    unsigned teams[64];
    size_t count = view_teams(view, teams, 64);
    for (size_t i = 0; i < count; i++) {
        const json_t *roof = view_roof(view, "memory", teams[i]);
        double hz = view_median(roof, "bytes_per_s") / view_median(roof, "bytes_per_cycle_per_core") / teams[i];
        if (isfinite(hz))
            return hz;
    }
    return (double)NAN;
}

double view_clock_hz(const struct view *view)
{
    double clocks[256];
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_CLOCK].count && count < 256; i++) {
        double hz = view_median(view->of[VIEW_CLOCK].rows[i], "core_hz");
        if (hz > 0)
            clocks[count++] = hz;
    }
    if (!count)
        return clock_of_roof(view);
    return stats_median(clocks, count);
}

double view_busy_clock_hz(const struct view *view, unsigned threads)
{
    size_t count = 0;
    double *clocks = need(view->of[VIEW_GEMV].count + 1, sizeof *clocks);
    for (size_t i = 0; clocks && i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (view_number(row, "threads") != threads)
            continue;
        double hz = view_median(row, "bytes_per_s") / view_median(row, "bytes_per_cycle_per_core") / threads;
        if (isfinite(hz) && hz > 0)
            clocks[count++] = hz;
    }
    double median = count ? stats_median(clocks, count) : view_clock_hz(view);
    free(clocks);
    return median;
}

double view_bits(const json_t *record)
{
    double bits = view_number(record, "bits");
    return isfinite(bits) ? bits : view_number(record, "bytes_per_vector") / 4;
}

bool view_is_experiment(const json_t *gamma)
{
    const char *format = view_text(gamma, "format");
    return strcmp(format, "c2") == 0 || strcmp(format, "elut") == 0;
}

double view_format_bits(const json_t *record)
{
    double bits = view_number(record, "format_bits");
    return isfinite(bits) ? bits : view_bits(record);
}

const char *view_origin(const json_t *record)
{
    const char *origin = view_text(record, "origin");
    const char *sequence = view_text(record, "sequence");
    if (!*origin)
        return strcmp(sequence, "envelope") == 0 || strcmp(sequence, "paper") == 0 ? "the paper" : "";
    return strcmp(origin, "kneepoint") == 0 ? "" : origin;
}

bool view_is_paper(const json_t *record)
{
    return *view_origin(record) && !(view_format_bits(record) > NARROW_BITS);
}

bool view_is_wrong(const json_t *gemv)
{
    return json_is_false(json_object_get(gemv, "exact")) && !view_flag(gemv, "within_bound");
}

bool view_is_cold(const json_t *gemv)
{
    return strcmp(view_text(gemv, "protocol"), "cold") == 0;
}

bool view_same_width(const json_t *a, const json_t *b)
{
    return fabs(log2(view_format_bits(a) / view_format_bits(b))) < 0.1;
}

const char *view_kind(const json_t *record)
{
    return view_text(record, "format_kind");
}

bool view_is_kind(const json_t *record, const char *kind)
{
    return !*kind || !*view_kind(record) || strcmp(view_kind(record), kind) == 0;
}

bool view_same_family(const json_t *a, const json_t *b)
{
    return view_same_width(a, b) && view_is_paper(a) == view_is_paper(b);
}

/** Whether any gamma record names the bits of its format, which those do that have a kernel. */
static bool names_formats(const struct view *view)
{
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        if (isfinite(view_number(view->of[VIEW_GAMMA].rows[i], "format_bits")))
            return true;
    }
    return false;
}

bool view_is_candidate(const struct view *view, const json_t *gamma)
{
    /* cycles that no clock counted are in no headline */
    bool counted = strcmp(view_text(json_object_get(gamma, "gamma"), "grade"), "wall") != 0;
    return view_flag(gamma, "usable") && counted && view_median(gamma, "gamma") > 0 && view_bits(gamma) > 0 &&
           !view_is_experiment(gamma) && (isfinite(view_number(gamma, "format_bits")) || !names_formats(view));
}
