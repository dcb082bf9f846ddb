/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ratio is said not to be reproduced where its interval here and the paper's range are apart, with the cause that stands
 * beside the claim, and nothing is said of one that was not measured or that agrees.
 */
#include "reports/findings/finding.h"

#include "reports/select/run/testing.h"

#define TIMED(format, sequence, m, k, time, low, high)                                                                 \
    "{'type':'gemv','name':'" format "." sequence ".avx2','format':'" format "','sequence':'" sequence                 \
    "','origin':'kneepoint','isa':'avx2','format_bits':16,'bits':16,'m':" #m ",'k':" #k                                \
    ",'threads':2,'protocol':'cold','exact':true,'packed_bytes':1000,'time_s':{'median':" #time ",'ci95':[" #low       \
    "," #high "]}}"
#define MODEL(format, sequence, time, low, high)                                                                       \
    TIMED(format, sequence, 1536, 1536, time, low, high)                                                               \
    "," TIMED(format, sequence, 4096, 1536, time, low, high) "," TIMED(format, sequence, 1536, 4096, time, low, high)
#define HEAD "," TIMED("f16", "dot", 32002, 1536, 1e-6, 0.99e-6, 1.01e-6)

static const char *rows_of(const struct finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(findings[i].title, "Headline ratios that are not reproduced here") == 0)
            return findings[i].rows;
    }
    return "";
}

static void holds(const char *records, const char *expected)
{
    struct finding *findings = calloc(FINDINGS_MAX, sizeof *findings);
    MADE_RUN(run, records);
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    if (*expected)
        assert_contains(rows_of(findings, count), expected);
    else
        assert_string_equal(rows_of(findings, count), "");
    free(findings);
}

TEST(what_differs_is_said_with_its_cause)
{
    const char *slow = RECORDS(MODEL("tl2", "bitnet_tl2_0", 1e-5, 0.99e-5, 1.01e-5),
                               MODEL("tmac2", "tmac", 1e-5, 0.99e-5, 1.01e-5) HEAD);
    holds(slow, "TL2_0 over T-MAC\t0.9");
    holds(slow, "\t2\t1.66 to 2.32\tIntel i7-13700H\tT-MAC's look-ups, with one scale");
}

TEST(what_agrees_or_was_not_measured_is_not)
{
    holds(RECORDS(MODEL("tl2", "bitnet_tl2_0", 1e-5, 0.99e-5, 1.01e-5),
                  MODEL("tmac2", "tmac", 2e-5, 1.98e-5, 2.02e-5) HEAD),
          "");
    holds(MODEL("tl2", "bitnet_tl2_0", 1e-5, 0.99e-5, 1.01e-5) HEAD, "");
    /* an interval that reaches the paper's range */
    holds(
        RECORDS(MODEL("tl2", "bitnet_tl2_0", 1e-5, 0.4e-5, 1.6e-5), MODEL("tmac2", "tmac", 1e-5, 0.4e-5, 1.6e-5) HEAD),
        "");
}

RUN_TESTS(NULL, NULL)
