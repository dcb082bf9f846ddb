/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/console.h"
#include "harness/command/exit_code.h"
#include "harness/measure/session_level.h"
#include "harness/plan/characterize/planner.h"
#include "harness/plugin/name_filter.h"
#include "platforms/counters/backends.h"
#include "results/files/need.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OPTION_CPUS = 0x100,
    OPTION_KIND,
    OPTION_SMT,
    OPTION_SEED,
    OPTION_SAMPLES,
    OPTION_COUNTERS,
    OPTION_PROVE,
    OPTION_PLUGIN
};

static const struct argp_option option_table[] = {
    {"threads", 't', "N", 0, "Measure with a team of N threads, one per core (default: every core)", 1},
    {"cpus", OPTION_CPUS, "LIST", 0, "Use these CPUs in this order, such as 0,2-5 (default: chosen from the topology)",
     1},
    {"kind", OPTION_KIND, "KIND", 0, "Use only cores of this kind: P, E or LP", 1},
    {"smt", OPTION_SMT, NULL, 0, "Use every hardware thread of a core, not one", 1},
    {"counters", OPTION_COUNTERS, "NAME", 0, "Back end that counts: auto", 1}, /* and those that there are */
    {"prove", OPTION_PROVE, NULL, 0, "Count entries into the OS kernel around every sample; needs root", 1},
    {"seed", OPTION_SEED, "N", 0,
     "Seed of the measuring order, the data, and the inputs that plug-ins and files are checked with (default: from "
     "the clock)",
     1},
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 1},
    {0},
};

static const struct argp_option samples_option[] = {
    {"samples", OPTION_SAMPLES, "N", 0, "Take at least N samples of each cell", 1},
    {0},
};

static const struct argp_option plugins_option[] = {
    {"plugin", OPTION_PLUGIN, "FILE", 0,
     "Add the kernels, formats and sequences of a shared object, checked in a process of their own; may be repeated",
     1},
    {0},
};

static error_t parse_plugin(int key, char *argument, struct argp_state *state)
{
    struct plugins_request *input = state->input;
    if (key != OPTION_PLUGIN)
        return ARGP_ERR_UNKNOWN;
    if (input->count == PLUGINS_MOST)
        argp_error(state, "at most %d plug-ins", PLUGINS_MOST);
    input->paths[input->count++] = argument;
    return 0;
}

unsigned long option_number(const char *text, unsigned long least, unsigned long most, const char *option,
                            struct argp_state *state)
{
    errno = 0;
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end || value < least || value > most)
        argp_error(state, "%s takes a whole number from %lu to %lu, not '%s'", option, least, most, text);
    return value;
}

double option_seconds(const char *text, bool full, const char *option, struct argp_state *state)
{
    double seconds = budget_parse(text);
    if (isnan(seconds) || (isinf(seconds) && !full))
        argp_error(state, "%s takes whole seconds, minutes or hours from 1 s on, such as 90, 5m or 2h%s, not '%s'",
                   option, full ? ", or full" : "", text);
    return seconds;
}

const char *option_level(const char *text, struct argp_state *state)
{
    struct nearest_name nearest = nearest_name_begin(text);
    char hint[NEAREST_NAME_MOST + 32];
    for (size_t i = 0; i < SESSION_LEVELS; i++) {
        if (strcasecmp(text, session_levels[i]) == 0)
            return session_levels[i];
        nearest_name_consider(&nearest, session_levels[i], strlen(session_levels[i]));
    }
    if (strcasecmp(text, "all") != 0)
        argp_error(state, "--level is memory, L1, L2, L3 or all, not '%s'%s", text,
                   nearest_name_hint(&nearest, hint, sizeof hint));
    return "all";
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct measuring_options *input = state->input;
    switch (key) {
    case 't':
        input->request.team.threads = (unsigned)option_number(argument, 1, SESSION_CPUS_MAX, "--threads", state);
        input->threads_given = true;
        return 0;
    case OPTION_CPUS: input->request.team.cpus = argument; return 0;
    case OPTION_KIND: input->request.team.kind = argument; return 0;
    case OPTION_SMT: input->request.team.use_smt = true; return 0;
    case OPTION_COUNTERS: input->request.instruments.counters = argument; return 0;
    case OPTION_PROVE: input->request.instruments.prove = true; return 0;
    case OPTION_SAMPLES: input->samples = (unsigned)option_number(argument, 1, 100000, "--samples", state); return 0;
    case OPTION_SEED: input->request.seed = option_number(argument, 1, INT64_MAX, "--seed", state); return 0;
    case 'j': input->json = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/** The help of --counters goes on with the names of the back ends. @return text, or what argp frees */
static char *complete_help(int key, const char *text, void *input)
{
    (void)input;
    char *names = NULL;
    size_t length;
    FILE *stream = key == OPTION_COUNTERS ? need_stream(&names, &length) : NULL;
    if (!stream)
        return (char *)(uintptr_t)text;
    fputs(text, stream);
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++)
        fprintf(stream, "%s %s", b + 1 < COUNTERS_BACKENDS ? "," : " or", counters_backend(b)->name);
    fputs("; one that does not work is an error (default: auto)", stream);
    need_close(stream);
    return names ? names : (char *)(uintptr_t)text;
}

const struct argp measuring_argp = {.options = option_table, .parser = parse, .help_filter = complete_help};
const struct argp samples_argp = {.options = samples_option, .parser = parse};
const struct argp plugins_argp = {.options = plugins_option, .parser = parse_plugin};

void options_pass_on(const struct measuring_options *options, struct process_arguments *arguments)
{
    const struct session_request *request = &options->request;
    if (options->samples)
        process_arguments_add(arguments, "--samples=%u", options->samples);
    if (options->threads_given)
        process_arguments_add(arguments, "--threads=%u", request->team.threads);
    if (request->team.cpus)
        process_arguments_add(arguments, "--cpus=%s", request->team.cpus);
    if (request->team.kind)
        process_arguments_add(arguments, "--kind=%s", request->team.kind);
    if (request->team.use_smt)
        process_arguments_add(arguments, "--smt");
    if (request->instruments.counters)
        process_arguments_add(arguments, "--counters=%s", request->instruments.counters);
    if (request->instruments.prove)
        process_arguments_add(arguments, "--prove");
    for (unsigned i = 0; i < request->plugins.count; i++)
        process_arguments_add(arguments, "--plugin=%s", request->plugins.paths[i]);
}

/* ---- plug-ins that are found ---- */

static const char *reason_of(int error)
{
    return error == -E2BIG ? "too many folders or plug-ins; name one folder in KNEEPOINT_PLUGINS" : strerror(-error);
}

/** Whether it is among those that were named, by whatever path. */
static bool is_named(const struct plugins_request *request, const char *path)
{
    struct stat found, named;
    bool same = false;
    for (unsigned i = 0; !same && i + request->found < request->count; i++)
        same = stat(path, &found) == 0 && stat(request->paths[i], &named) == 0 && found.st_dev == named.st_dev &&
               found.st_ino == named.st_ino;
    return same;
}

int peers_find(const char *command, struct plugins_request *request, struct plugins_found *found)
{
    char executable[4096], folders[2048];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    executable[length > 0 ? length : 0] = '\0';
    int error = plugins_find(getenv("KNEEPOINT_PLUGINS"), executable, found);
    if (!error && found->count + request->count > PLUGINS_MOST)
        error = -E2BIG;
    if (error)
        return complain(EXIT_USAGE, command, "--peers: %s", reason_of(error));
    plugins_found_say_folders(found, folders, sizeof folders);
    if (!found->count && !request->count)
        return complain(EXIT_USAGE, command,
                        "--peers: found no plug-in in %s; build some with `make plugins`, or name their folder in "
                        "KNEEPOINT_PLUGINS",
                        folders);
    for (size_t i = 0; i < found->count; i++) {
        if (is_named(request, found->path[i]))
            continue;
        request->paths[request->count++] = found->path[i];
        request->found++;
    }
    return EXIT_DONE;
}
