/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/options/schedule_options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/console/options.h"
#include "platforms/described/described_open.h"
#include "results/text/refuse.h"

enum { OPTION_SCHEDULE = 0x700, OPTION_TAIL, OPTION_WEIGHTS, OPTION_SLOW_MEMBER };

static const struct argp_option option_table[] = {
    {"schedule", OPTION_SCHEDULE, "LIST", 0,
     "How a team divides a matrix: static, in equal shares (default); weighted, by the rate of each member; dynamic, "
     "by a weighted first share and then small pieces from atomic counters; or several in one run, such as "
     "static,dynamic",
     2},
    {"tail", OPTION_TAIL, "PERCENT", 0, "How much of the matrix dynamic leaves to the counters (default: 25)", 2},
    {"weights", OPTION_WEIGHTS, "FROM", 0,
     "Weights of the shares: measured (default); by kind of core, such as P=2,E=1; or e_bw x clock of a platform, by "
     "its name",
     2},
    {"slow-member", OPTION_SLOW_MEMBER, "I:SPEED", 0,
     "Emulate a slow member: member I of the team, counted from 0, works at this share of its speed, such as 1:0.5", 2},
    {0},
};

/** A number that begins with a digit, > 0 and at most `most`; else NaN. */
static double positive(const char *text, double most)
{
    char *end;
    double value = isdigit((unsigned char)*text) ? strtod(text, &end) : (double)NAN;
    return value > 0 && value <= most && *end == '\0' ? value : (double)NAN;
}

static void parse_schedules(struct plan_schedules *schedules, const char *list, struct argp_state *state)
{
    schedules->count = 0;
    for (const char *at = list;; at++) {
        char name[16] = "";
        size_t length = strcspn(at, ",");
        enum schedule_kind kind = SCHEDULE_KINDS;
        if (length < sizeof name)
            memcpy(name, at, length);
        if (schedule_find(name, &kind))
            argp_error(state, "--schedule is static, weighted or dynamic, or several separated by commas, not '%.*s'",
                       (int)length, at);
        for (size_t i = 0; i < schedules->count; i++) {
            if (schedules->kinds[i] == kind)
                argp_error(state, "--schedule names %s twice", name);
        }
        schedules->kinds[schedules->count++] = kind;
        at += length;
        if (!*at)
            return;
    }
}

static void parse_slow_member(struct plan_schedules *schedules, const char *text, struct argp_state *state)
{
    char *end;
    unsigned long member = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : SESSION_CPUS_MAX;
    double speed = member < SESSION_CPUS_MAX && *end == ':' ? positive(end + 1, 1) : (double)NAN;
    if (!(speed >= 0.01 && speed < 1))
        argp_error(state,
                   "--slow-member takes a member and its speed, from 0.01 to less than 1, such as 1:0.5, not '%s'",
                   text);
    schedules->slow_member = (unsigned)member;
    schedules->slow_speed = speed;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct schedule_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT: options->schedules.tail_share = SCHEDULE_TAIL_SHARE; return 0;
    case OPTION_SCHEDULE: parse_schedules(&options->schedules, argument, state); return 0;
    case OPTION_TAIL:
        options->schedules.tail_share = positive(argument, 100) / 100;
        options->tail_given = true;
        if (isnan(options->schedules.tail_share))
            argp_error(state, "--tail takes a number of percent, above 0 and up to 100, not '%s'", argument);
        return 0;
    case OPTION_WEIGHTS: options->weights = strcmp(argument, "measured") == 0 ? NULL : argument; return 0;
    case OPTION_SLOW_MEMBER: parse_slow_member(&options->schedules, argument, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp schedule_argp = {.options = option_table, .parser = parse};

static int kind_named(const char *name, size_t length)
{
    for (int kind = 0; kind < CORE_KINDS; kind++) {
        const char *known = core_kind_name((enum core_kind)kind);
        if (strlen(known) == length && strncasecmp(known, name, length) == 0)
            return kind;
    }
    return -1;
}

/** "P=2,E=1" into weights. */
static int read_weights(const char *text, struct plan_schedules *schedules, char *why, size_t size)
{
    for (const char *at = text;; at++) {
        size_t name = strcspn(at, "=,"), length = strcspn(at, ",");
        int kind = kind_named(at, name);
        char number[32] = "";
        if (kind < 0)
            return refuse(-EINVAL, why, size, "--weights=%s: no kind of core '%.*s'; there are P, E and LP", text,
                          (int)name, at);
        if (at[name] == '=' && length - name - 1 < sizeof number)
            memcpy(number, at + name + 1, length - name - 1);
        double weight = positive(number, 1e18);
        if (isnan(weight) || schedules->weights[kind] > 0)
            return refuse(-EINVAL, why, size, "--weights=%s: give one number above 0 for each kind, such as P=2,E=1",
                          text);
        schedules->weights[kind] = weight;
        at += length;
        if (!*at)
            return 0;
    }
}

int schedule_options_settle(struct schedule_options *options, char *why, size_t size)
{
    struct plan_schedules *schedules = &options->schedules;
    bool dynamic = false, uneven = false;
    for (size_t i = 0; i < schedules->count; i++) {
        dynamic = dynamic || schedules->kinds[i] == SCHEDULE_DYNAMIC;
        uneven = uneven || schedules->kinds[i] != SCHEDULE_STATIC;
    }
    if (options->tail_given && !dynamic)
        return refuse(-EINVAL, why, size, "--tail needs --schedule=dynamic");
    if (options->weights && !uneven)
        return refuse(-EINVAL, why, size, "--weights needs --schedule=weighted or dynamic");
    if (!options->weights)
        return 0;
    schedules->weights_source = options->weights;
    if (strchr(options->weights, '='))
        return read_weights(options->weights, schedules, why, size);
    int error = described_find(options->weights, &options->platform, why, size);
    if (error)
        return -EINVAL;
    options->has_platform = true;
    schedules->platform = &options->platform;
    return 0;
}

void schedule_options_release(struct schedule_options *options)
{
    if (options->has_platform)
        described_free(&options->platform);
    options->has_platform = false;
}
