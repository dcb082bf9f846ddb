/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "harness/selftest/selftest.h"
#include "results/records/record.h"

static const char command_name[] = "selftest";

enum { LINES_MOST = 32, NAME_COLUMNS = 16, VERDICT_COLUMNS = 12 };

struct options {
    const char *cpu;
    bool json, workers;
};

static const struct argp_option option_table[] = {
    {"cpu", 'c', "CPU", 0, "Check this CPU (default: the first one that a team would use)", 0},
    {"workers", 'w', NULL, 0,
     "Also compare what is measured in another process, where plug-ins run, with the same measured in this one; takes "
     "some seconds",
     0},
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'c': options->cpu = argument; return 0;
    case 'w': options->workers = true; return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "takes no argument, but was given '%s'", argument); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/** @param former  the line before, NULL for the first: a reason that it gave already is not repeated */
static void print_line(const struct selftest_line *line, const struct selftest_line *former)
{
    const char *verdict = selftest_verdict_name(line->verdict);
    bool bold = line->verdict == SELFTEST_FAIL;
    printf("%s%-*s%s%-*s %s\n", bold ? console_bold() : "", VERDICT_COLUMNS, verdict, bold ? console_plain() : "",
           NAME_COLUMNS, line->name, line->claim);
    bool same = former && former->verdict == line->verdict && strcmp(former->detail, line->detail) == 0;
    printf("%*s %s\n", VERDICT_COLUMNS + NAME_COLUMNS, "", same ? "for the same reason" : line->detail);
    fflush(stdout);
}

static int show_line(const struct selftest_line *line, const struct selftest_line *former, bool json)
{
    if (!json) {
        print_line(line, former);
        return 0;
    }
    json_auto_t *record = selftest_record(line);
    return record ? record_write_line(stdout, record) : -ENOMEM;
}

static void print_sum(const struct selftest_line *lines, size_t count)
{
    size_t of[3] = {0};
    for (size_t i = 0; i < count; i++)
        of[lines[i].verdict]++;
    printf("\n%zu pass, %zu fail, %zu cannot be tested here\n", of[SELFTEST_PASS], of[SELFTEST_FAIL],
           of[SELFTEST_UNAVAILABLE]);
}

static int check_all(struct session *session, bool workers, bool json)
{
    static const struct selftest_check *const parts[] = {selftest_clock_checks, selftest_silence_checks,
                                                         selftest_counters_checks, selftest_worker_checks};
    struct selftest_line lines[LINES_MOST];
    size_t count = 0;
    for (size_t p = 0; p < sizeof parts / sizeof parts[0] - !workers; p++) {
        for (const struct selftest_check *check = parts[p]; check->name && count < LINES_MOST; check++) {
            selftest_run(check, session, &lines[count]);
            int error = show_line(&lines[count], count ? &lines[count - 1] : NULL, json);
            count++;
            if (error)
                return complain(EXIT_USAGE, command_name, "cannot write the records: %s", strerror(-error));
        }
    }
    if (!json)
        print_sum(lines, count);
    return selftest_exit_code(lines, count);
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .doc =
            "Test the instrument itself on this machine: clocks, counters, the checks that reject a sample, memory. "
            "Each line says pass, fail, or why it cannot be tested here.\vExit: 0 nothing failed, 1 a check failed, 2 "
            "usage or environment.",
    };
    struct options options = {0};
    int code = parse_options(&argp, argc, argv, &options);
    if (code)
        return code;
    struct session_request request = {.team = {.threads = 1, .cpus = options.cpu}};
    struct session *session;
    char why[SESSION_WHY];
    code = command_session_open(command_name, &request, &session);
    if (code)
        return code;
    if (!topology_is_this_machine(session->machine.topology))
        code = complain(EXIT_USAGE, command_name,
                        "the topology that HWLOC_* variables name is not this machine; unset them to test this one");
    else if (!session_team(session, 1, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    else {
        session_dissolve_team(session); /* checks make their own */
        command_session_warn_busy(command_name, session);
        code = check_all(session, options.workers, options.json);
    }
    return command_session_close(command_name, session, code);
}

const struct command command_selftest = {
    .name = command_name,
    .summary = "tests of the clocks, counters and checks of this tool on this machine",
    .run = run,
};
