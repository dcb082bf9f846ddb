/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/citation.h"

#include <stdio.h>
#include <string.h>

#include "platforms/cpu/emulator.h"
#include "reports/select/kernels/device_rows.h"
#include "reports/select/run/grades.h"
#include "results/text/words.h"

/* What the numbers of a run are not; "" of a machine's. */
static const char *warning_of(const struct view *view, char *text, size_t size)
{
    const char *emulator = view_emulator(view);
    text[0] = 0;
    if (view_flag(view->meta, "synthetic"))
        snprintf(text, size, "SYNTHETIC, not measured  ·  ");
    else if (*emulator)
        snprintf(text, size, "EMULATED by %s, " EMULATOR_NO_SPEED "  ·  ", emulator);
    return text;
}

/** Whether described machines are all that it shows. */
static bool is_described(const struct figure *figure, const struct view *view)
{
    struct device_shown devices[DEVICES_SHOWN];
    return !view_has_run(view) ||
           (figure->platforms_alone && !(figure->of_devices && devices_shown(view, devices) > 0));
}

void citation_origin(const struct figure *figure, const struct view *view, char *text, size_t size)
{
    char warning[128];
    const char *core = view_microarchitecture(view);
    if (is_described(figure, view))
        snprintf(text, size, "described machines only, nothing measured here");
    else if (figure->of_runs && view->run_count > 1)
        snprintf(text, size, "%zu runs", view->run_count);
    else
        snprintf(text, size, "%s%s%s%s  ·  run %s", warning_of(view, warning, sizeof warning), view_machine_name(view),
                 *core ? "  ·  " : "", core, view_run_name(view));
}

static void add_machine(const struct view *view, char *text, size_t size)
{
    char warning[128];
    const char *core = view_microarchitecture(view);
    double cores = view_number(view->machine, "cores");
    words_append(text, size, "%s%s%s%s%s", warning_of(view, warning, sizeof warning), view_machine_name(view),
                 *core ? " (" : "", core, *core ? ")" : "");
    if (cores > 0)
        words_append(text, size, ", %.0f core%s", cores, cores > 1 ? "s" : "");
}

static void add_clock(const struct view *view, char *text, size_t size)
{
    const double clock_hz = view_clock_hz(view);
    const struct grades grades = grades_of_cycles(view);
    const struct {
        const char *name;
        size_t count;
    } all[] = {{"pmu", grades.pmu}, {"chain", grades.chain}, {"wall", grades.wall}};
    size_t said = 0;
    if (clock_hz > 0)
        words_append(text, size, ", core clock %.3g GHz", clock_hz / 1e9);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].count)
            words_append(text, size, "%s%s", said++ ? " and " : "; cycles graded ", all[i].name);
    }
}

static void add_run(const struct view *view, char *text, size_t size)
{
    const char *version = view_text(view->meta, "kneepoint"), *started = view_text(view->meta, "started");
    if (*version)
        words_append(text, size, "; kneepoint %s", version);
    words_append(text, size, "%s run %s", *version ? "," : ";", view_run_name(view));
    if (strlen(started) >= strlen("2026-01-01"))
        words_append(text, size, " of %.10s", started);
}

static void cite_run(const struct view *view, char *text, size_t size)
{
    const json_t *rejected;
    const double samples = view_samples_taken(view, &rejected);
    char taken[32], lost[32];
    add_machine(view, text, size);
    add_clock(view, text, size);
    if (samples > 0)
        words_append(text, size, "; %s samples, %s of them rejected", view_count(samples, taken, sizeof taken),
                     view_count(view_samples_lost(rejected), lost, sizeof lost));
    add_run(view, text, size);
}

void citation_of(const struct figure *figure, const struct view *view, char *text, size_t size)
{
    text[0] = 0;
    if (is_described(figure, view)) {
        citation_origin(figure, view, text, size);
    } else if (!figure->of_runs || view->run_count < 2) {
        cite_run(view, text, size);
    } else {
        for (size_t i = 0; i < view->run_count; i++) {
            words_append(text, size, "%s", i ? "; " : "");
            add_machine(&view->runs[i], text, size);
            add_run(&view->runs[i], text, size);
        }
    }
}
