/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The back ends of libraries, compiled as where the library's header is missing.
 */
#include <string.h>

#define WITHOUT_PAPI            1
#define WITHOUT_LIKWID          1
#define counters_backend_papi   papi_without_its_header
#define counters_backend_likwid likwid_without_its_header
#define likwid_probe            likwid_probe_without_its_header
#include "platforms/counters/backends/likwid.c"
#include "platforms/counters/backends/papi.c"
#include "unit_test.h"

static void the_probe_names_the_header_and_its_package(const struct counters_backend *backend, const char *cause,
                                                       const char *package)
{
    struct counters_system host;
    struct counters_probe probe;
    counters_system_host(&host);
    probe_clear(&probe, backend);
    backend->probe(&host, 0, &probe);
    assert_null(backend->open);
    assert_false(probe.works);
    assert_string_equal(probe.reason.cause, cause);
    assert_non_null(strstr(probe.reason.remedy, package));
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        assert_int_equal(probe.of[q].grade, COUNTER_UNAVAILABLE);
        assert_string_equal(probe.of[q].reason.cause, cause);
    }
}

TEST(papi_says_what_its_build_lacked)
{
    the_probe_names_the_header_and_its_package(&papi_without_its_header, "kneepoint was built without papi.h of PAPI 7",
                                               "install libpapi-dev (Debian)");
}

TEST(likwid_says_what_its_build_lacked)
{
    the_probe_names_the_header_and_its_package(&likwid_without_its_header, "kneepoint was built without likwid.h",
                                               "install likwid (Debian)");
}

RUN_TESTS(NULL, NULL)
