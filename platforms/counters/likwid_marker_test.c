/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/backends.h"
#include "platforms/counters/fake_library.h"
#include "platforms/counters/likwid_marker.h"

static int set_up(void **state)
{
    static struct fake_machine machine;
    fake_machine_open(&machine);
    setenv("LIKWID_FILEPATH", "/nonexistent/likwid.txt", 1);
    setenv("LIKWID_MODE", "1", 1);
    *state = &machine;
    return 0;
}

static int tear_down(void **state)
{
    unsetenv("LIKWID_FILEPATH");
    unsetenv("LIKWID_MODE");
    fake_machine_close(*state);
    return 0;
}

TEST_GIVEN_BY(without_likwid_perfctr_nothing_is_loaded, struct fake_machine *machine, set_up, tear_down)
{
    struct likwid_marker *marker = (struct likwid_marker *)machine;
    char why[128];
    unsetenv("LIKWID_FILEPATH");
    assert_false(likwid_marker_is_wanted());
    assert_int_equal(likwid_marker_open(&machine->system, &marker, why, sizeof why), -ENODEV);
    assert_null(marker);
    likwid_marker_thread(marker);
    assert_int_equal(likwid_marker_begin(marker, "cell"), 0);
    assert_int_equal(likwid_marker_end(marker, "cell"), 0);
    likwid_marker_close(marker);
}

TEST_GIVEN_BY(regions_reach_the_library, struct fake_machine *machine, set_up, tear_down)
{
    struct fake_library library;
    struct likwid_marker *marker;
    char why[128], log[128], line[256];
    skip_if(!counters_backend_likwid.open, "not on this machine: built without likwid");
    snprintf(log, sizeof log, "%s/log", machine->root);
    setenv("FAKE_LIKWID_LOG", log, 1);
    fake_library_build(&library, machine, "counters/fixtures/fake_likwid.c", "GOOD");
    machine->system.libraries = library.names;
    assert_true(likwid_marker_is_wanted());
    assert_int_equal(likwid_marker_open(&machine->system, &marker, why, sizeof why), 0);
    likwid_marker_thread(marker);
    assert_int_equal(likwid_marker_begin(marker, "beta.2"), 0);
    assert_int_equal(likwid_marker_end(marker, "beta.2"), 0);
    setenv("FAKE_LIKWID_LOG", "/nonexistent/log", 1);
    assert_int_equal(likwid_marker_begin(marker, "lost"), -EIO);
    setenv("FAKE_LIKWID_LOG", log, 1);
    likwid_marker_close(marker);
    FILE *file = fopen(log, "re");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_string_equal(line, "init() thread() start(beta.2) stop(beta.2) close() ");
}

TEST_GIVEN_BY(a_missing_or_old_library_is_named, struct fake_machine *machine, set_up, tear_down)
{
    struct fake_library library;
    struct likwid_marker *marker;
    char why[256];
    skip_if(!counters_backend_likwid.open, "not on this machine: built without likwid");
    assert_int_equal(likwid_marker_open(&machine->system, &marker, why, sizeof why), -ENOENT);
    assert_string_equal(why, "it is not installed");
    fake_library_build(&library, machine, "counters/fixtures/fake_likwid.c", "LACKS_A_SYMBOL");
    machine->system.libraries = library.names;
    assert_int_equal(likwid_marker_open(&machine->system, &marker, why, sizeof why), -ELIBBAD);
    assert_non_null(strstr(why, "has no likwid_markerStopRegion"));
}

RUN_TESTS(NULL, NULL)
