/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "unit_test.h"

/** What a process wrote and how it ended. */
struct ending {
    char out[2048], err[2048];
    int exit_code;
};

enum { PARSED = 77 };

static error_t parse_threads(int key, char *argument, struct argp_state *state)
{
    int *threads = state->input;
    if (key == 't') {
        *threads = atoi(argument);
        if (*threads < 1)
            argp_error(state, "'%s' is no number of threads", argument);
        return *threads == 13 ? EINVAL : 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
    {"threads", 't', "N", 0, "team size", 0}, {"secretly", 'x', NULL, OPTION_HIDDEN, NULL, 0}, {0}};
static const struct argp argp = {.options = options, .parser = parse_threads, .doc = "Counts."};

static void read_back(FILE *file, char *text, size_t size)
{
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* Parse in a child process, since a wrong option exits. A child that came through ends with PARSED. */
static struct ending parse(char *argument)
{
    struct ending ending;
    FILE *out = tmpfile(), *err = tmpfile();
    assert_non_null(out);
    assert_non_null(err);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(err), STDERR_FILENO);
        char name[] = "kneepoint count";
        char *argv[] = {name, argument, NULL};
        int threads = 0;
        int code = parse_options(&argp, 2, argv, &threads);
        fprintf(stderr, "after");
        exit(code ? code : PARSED);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    ending.exit_code = WEXITSTATUS(status);
    read_back(out, ending.out, sizeof ending.out);
    read_back(err, ending.err, sizeof ending.err);
    return ending;
}

TEST(test_right_option_is_silent_and_stderr_works_after)
{
    struct ending ending = parse("--threads=2");
    assert_int_equal(ending.exit_code, PARSED);
    assert_string_equal(ending.out, "");
    assert_string_equal(ending.err, "after");
}

TEST(test_unknown_option_is_one_line_with_a_hint)
{
    struct ending ending = parse("--thread-count=2");
    assert_int_equal(ending.exit_code, EXIT_USAGE);
    assert_string_equal(ending.out, "");
    assert_string_equal(ending.err, "kneepoint count: unrecognized option '--thread-count=2'; "
                                    "`kneepoint count --help` lists the options\n");
}

TEST(test_an_option_that_is_near_one_is_told_which)
{
    static const struct {
        char given[24];
        const char *meant; /* NULL: none is near */
    } cases[] = {{"--treads=2", "--threads"},
                 {"--THREADS", "--threads"},
                 {"--hlep", "--help"},
                 {"--th'reads", NULL},
                 {"--secretyl", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char given[24], expected[200], hint[64] = "";
        strcpy(given, cases[i].given);
        struct ending ending = parse(given);
        if (cases[i].meant)
            snprintf(hint, sizeof hint, "; did you mean '%s'?", cases[i].meant);
        snprintf(expected, sizeof expected,
                 "kneepoint count: unrecognized option '%s'; `kneepoint count --help` lists the options%s\n", given,
                 hint);
        assert_int_equal(ending.exit_code, EXIT_USAGE);
        assert_string_equal(ending.err, expected);
    }
}

TEST(test_missing_argument_is_one_line)
{
    struct ending ending = parse("-t");
    assert_int_equal(ending.exit_code, EXIT_USAGE);
    assert_string_equal(ending.err, "kneepoint count: option requires an argument -- 't'; "
                                    "`kneepoint count --help` lists the options\n");
}

TEST(test_error_of_the_parser_is_one_line)
{
    struct ending ending = parse("--threads=many");
    assert_int_equal(ending.exit_code, EXIT_USAGE);
    assert_string_equal(ending.err, "kneepoint count: 'many' is no number of threads; "
                                    "`kneepoint count --help` lists the options\n");
}

TEST(test_positional_argument_that_nobody_takes_is_one_line)
{
    struct ending ending = parse("stray");
    assert_int_equal(ending.exit_code, EXIT_USAGE);
    assert_string_equal(ending.err,
                        "kneepoint count: Too many arguments; `kneepoint count --help` lists the options\n");
}

TEST(test_error_returned_by_the_parser_is_usage)
{
    assert_int_equal(parse("--threads=13").exit_code, EXIT_USAGE);
}

TEST(test_help_goes_to_standard_output)
{
    struct ending ending = parse("--help");
    assert_int_equal(ending.exit_code, 0);
    assert_non_null(strstr(ending.out, "--threads=N"));
    assert_string_equal(ending.err, "");
}

/** What the calls write to standard error while it is a file. */
static void written(void (*calls)(void), char *text, size_t size)
{
    FILE *file = tmpfile();
    int kept = dup(STDERR_FILENO);
    assert_true(file && kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    calls();
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
}

static void draw_short(void)
{
    struct progress progress;
    progress_begin(&progress, "gamma");
    progress_update(&progress, 0.5, 30, "first");
    progress_end(&progress);
}

static void draw_long(void)
{
    struct progress_part part = {.begin_fraction = 0.5, .end_fraction = 1};
    progress_begin(&part.progress, "gamma");
    part.progress.started_s -= 90; /* as if a minute and a half had passed */
    progress_part_show(&part, 0, "first");
    progress_part_show(&part, 0.5, "within the same minute");
    part.progress.last_s -= 61;
    progress_update(&part.progress, 2, 3725, "second");
    part.progress.last_s -= 61;
    part.begin_fraction = 0;
    progress_part_show(&part, 0, "third");
    progress_end(&part.progress);
}

TEST(test_progress_is_a_line_a_minute_where_there_is_no_terminal)
{
    char text[512];
    written(draw_short, text, sizeof text);
    assert_string_equal(text, "");
    written(draw_long, text, sizeof text);
    assert_string_equal(text,
                        "gamma  50%, 1:30 left: first\ngamma 100%, 1 h 02 left: second\ngamma   0%, ? left: third\n");
}

RUN_TESTS(NULL, NULL)
