/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/subject.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plugin/name_argument.h"
#include "harness/user/plugin_try.h"
#include "harness/user/user_sequences.h"
#include "results/text/refuse.h"

/* ---- built-in kernels and sequences ---- */

static bool claims_any(const char *given)
{
    (void)given;
    return true;
}

/** What a name was found to mean: "<format>.<sequence>" once, with the best ISA that runs here. */
struct meaning {
    const char *name, *isa;
    const char *lacking; /* one that cannot run here, if none can */
};

/** Length of a name without its ISA. */
static size_t stem(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

static bool same_stem(const char *one, const char *other)
{
    return stem(one) == stem(other) && strncmp(one, other, stem(one)) == 0;
}

/** Hold one name against what was given. @return 0, -EINVAL if it means another sequence than before */
static int consider(const struct session *session, const char *given, const char *name, const char *isa,
                    struct meaning *meaning, char *why, size_t size)
{
    if (!name_argument_means(given, name))
        return 0;
    if (!session_runs(session, isa)) {
        meaning->lacking = name;
        return 0;
    }
    if (meaning->name && !same_stem(meaning->name, name)) {
        snprintf(why, size, "'%s' matches %s and %s; name one of them", given, meaning->name, name);
        return -EINVAL;
    }
    if (!meaning->name || isa_find(isa)->priority > isa_find(meaning->isa)->priority) {
        meaning->name = name;
        meaning->isa = isa;
    }
    return 0;
}

static int find_meaning(const char *given, const struct session *session, struct meaning *meaning, char *why,
                        size_t size)
{
    int error = 0;
    *meaning = (struct meaning){0};
    for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++)
        error = consider(session, given, (*kernel)->name, (*kernel)->isa, meaning, why, size);
    for (const struct sequence *const *sequence = sequence_all(); !error && *sequence; sequence++)
        error = consider(session, given, (*sequence)->name, (*sequence)->isa, meaning, why, size);
    if (error || meaning->name)
        return error;
    if (meaning->lacking) {
        char missing[160];
        isa_missing(isa_find(strrchr(meaning->lacking, '.') + 1), &session->machine.dump, missing, sizeof missing);
        snprintf(why, size, "%s cannot run on this CPU: it %s", meaning->lacking, missing);
        return -ENOTSUP;
    }
    char hint[160];
    name_argument_hint(given, false, hint, sizeof hint);
    if (!hint[0])
        name_argument_hint(given, true, hint, sizeof hint);
    return refuse(-ENOENT, why, size,
                  "no kernel or sequence '%s'; `kneepoint list kernels` and `kneepoint list sequences` show them%s",
                  given, hint);
}

/** All that any kind of cells compares a kernel or a sequence by. */
static int offer(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
                 const struct subject_wants *wants, char *why, size_t size)
{
    int error = 0;
    for (const struct cell_kind *const *kind = cell_kind_all(); !error && *kind; kind++) {
        if ((*kind)->offer)
            error = (*kind)->offer(cells, kernel, sequence, &wants->cells, why, size);
    }
    return error;
}

static int plan_built_in(const char *given, struct session *session, const struct subject_wants *wants,
                         struct cells *cells, char *why, size_t size)
{
    struct meaning meaning;
    int error = find_meaning(given, session, &meaning, why, size);
    if (error)
        return error;
    const struct kernel *kernel = kernel_find(meaning.name);
    /* a kernel brings the gamma that predicts it, which says why it is slower */
    const struct sequence *sequence = sequence_find(kernel ? kernel_gamma(kernel) : meaning.name);
    why[0] = 0;
    if (kernel)
        error = offer(cells, kernel, NULL, wants, why, size);
    return error || !sequence ? error : offer(cells, NULL, sequence, wants, why, size);
}

/* ---- sequences in files ---- */

static bool claims_sequence_files(const char *given)
{
    size_t length = strlen(given);
    return length > 2 && strcmp(given + length - 2, ".S") == 0;
}

/** Assembled and checked by every block for itself: what differs from build to build is part of its noise. */
static int plan_sequence_file(const char *given, struct session *session, const struct subject_wants *wants,
                              struct cells *cells, char *why, size_t size)
{
    struct user_sequences *user = calloc(1, sizeof *user);
    char *arguments[] = {(char *)(uintptr_t)given};
    int error = user ? user_sequences_open(user, arguments, 1, session->plugins.seed, NULL, why, size) : -ENOMEM;
    if (!error)
        error = user_sequences_load(user, why, size);
    const struct sequence *sequence = error ? NULL : user_sequences_find(user, given)->sequence;
    if (user)
        user_sequences_close(user); /* what was loaded stays, without its file */
    free(user);
    if (error == -ENOMEM)
        snprintf(why, size, "no memory");
    return error ? error : offer(cells, NULL, sequence, wants, why, size);
}

/* ---- plug-ins ---- */

/** Who compares says what is wrong (harness/compare/live_withheld.h). */
static void leave_to_comparison(struct plugins *plugins)
{
    for (size_t i = 0; i < plugins->faults; i++)
        plugins->fault[i].reported = true;
}

/** Whether it runs here, and passed its check. */
static bool is_sound(const struct session *session, const char *name, const char *isa)
{
    return session_runs(session, isa) && !plugins_fault(&session->plugins, name);
}

static int refuse_empty(const struct plugins *plugins, const struct plugin *plugin, char *why, size_t size)
{
    return plugins->faults
               ? refuse(-EILSEQ, why, size, "%s", plugins->fault[0].why)
               : refuse(-ENOTSUP, why, size, "%s has no kernel or sequence that runs on this CPU", plugin->path);
}

static bool is_offered(const struct cells *cells, const struct sequence *sequence)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cell[i].sequence == sequence)
            return true;
    }
    return false;
}

static bool is_brought(const struct plugin *plugin, const struct sequence *sequence)
{
    const struct sequence *const *at = plugin->sequences;
    while (*at && *at != sequence)
        at++;
    return *at != NULL;
}

static int add_plugin(const struct plugin *plugin, const struct session *session, const struct subject_wants *wants,
                      struct cells *cells, char *why, size_t size)
{
    int error = 0;
    for (const struct kernel *const *kernel = plugin->kernels; !error && *kernel; kernel++) {
        if (is_sound(session, (*kernel)->name, (*kernel)->isa))
            error = offer(cells, *kernel, NULL, wants, why, size);
    }
    for (const struct kernel *const *kernel = plugin->kernels; !error && *kernel; kernel++) {
        const struct sequence *sequence = (*kernel)->gamma ? sequence_find((*kernel)->gamma) : NULL;
        if (sequence && is_sound(session, (*kernel)->name, (*kernel)->isa) && session_runs(session, sequence->isa) &&
            !is_offered(cells, sequence) && !is_brought(plugin, sequence))
            error = offer(cells, NULL, sequence, wants, why, size);
    }
    for (const struct sequence *const *sequence = plugin->sequences; !error && *sequence; sequence++) {
        if (is_sound(session, (*sequence)->name, (*sequence)->isa))
            error = offer(cells, NULL, *sequence, wants, why, size);
    }
    if (!error && !cells->count)
        error = refuse_empty(&session->plugins, plugin, why, size);
    return error;
}

static bool runs_and_holds(const void *context, const struct kernel *kernel, const struct shape *shape)
{
    return session_runs(context, kernel->isa) && kernel_accepts(kernel, shape->m, shape->k, NULL, 0) == 0;
}

/** What it offers is checked when it is asked, also on the matrices; then its blocks verify every result. */
static int plan_plug_in(const char *given, struct session *session, const struct subject_wants *wants,
                        struct cells *cells, char *why, size_t size)
{
    const struct plugins_request request = {.paths = {given}, .count = 1, .unchecked = !wants->check};
    int error = session_add_plugins(session, &request, why, size);
    for (size_t s = 0; !error && wants->check && s < wants->cells.shape_count; s++) {
        const struct plugin_trials trials = {
            .shape = &wants->cells.shapes[s], .sizes = wants->cells.teams, .teams = wants->cells.team_count};
        error = plugin_try_all(session, &trials, runs_and_holds, session, why, size);
    }
    leave_to_comparison(&session->plugins);
    return error ? error
                 : add_plugin(&session->plugins.plugin[session->plugins.count - 1], session, wants, cells, why, size);
}

/* ---- all kinds ---- */

static const struct subject_kind kinds[] = {
    {.what = "sequence in a file",
     .claims = claims_sequence_files,
     .plan = plan_sequence_file,
     .named_by_subject = true},
    {.what = "plug-in", .claims = plugin_is_named, .plan = plan_plug_in},
    {.what = "kernel or sequence", .claims = claims_any, .plan = plan_built_in, .named_by_subject = true},
};

const struct subject_kind *subject_kind_of(const char *given)
{
    const struct subject_kind *kind = kinds;
    while (!kind->claims(given))
        kind++;
    return kind;
}

char *subject_label(const struct subject_kind *kind, const char *cell_name)
{
    const char *first = strchr(cell_name, '/'), *second = first ? strchr(first + 1, '/') : NULL;
    const struct cell_kind *cell_kind = cell_kind_of_name(cell_name);
    bool alone = cell_kind && cell_kind->one_a_subject;
    char *label = NULL;
    if (alone && !kind->named_by_subject && second)
        return strndup(cell_name, (size_t)(second - cell_name)); /* the number of accumulators may differ */
    if (!kind->named_by_subject || !first)
        return strdup(cell_name);
    if (alone)
        return strdup(cell_kind->name);
    return asprintf(&label, "%.*s%s", (int)(first - cell_name), cell_name, second ? second : "") < 0 ? NULL : label;
}
