/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings/finding.h"
#include "reports/select/run/testing.h"

#define SQUARE(type, format, sequence, isa, tokens, us)                                                                \
    "{'type':'" type "','name':'" format "." sequence "." isa "','format':'" format "','sequence':'" sequence          \
    "','isa':'" isa "','m':4096,'k':4096,'n':" #tokens ",'threads':1,'protocol':'cold','exact':true,'time_s':{"        \
    "'median':" #us "e-6,'ci95':[1e-6,1e-3]}}"

TEST(who_wins_and_who_does_not_is_said)
{
    static struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, RECORDS(SQUARE("gemm", "w1", "a2_popcount", "avx512_vpopcntdq", 64, 100),
                          SQUARE("gemm", "w2", "a2_popcount", "avx512_vpopcntdq", 64, 200),
                          SQUARE("gemm", "w3", "a4_popcount", "avx512_vpopcntdq", 64, 500),
                          SQUARE("gemm", "int8_vnni4", "tile", "avx512_vnni", 64, 250),
                          SQUARE("gemm", "int2_planes", "tile", "avx512_vnni", 64, 150),
                          SQUARE("gemv", "w2", "a2_popcount", "avx512_vpopcntdq", 1, 20),
                          SQUARE("gemv", "int2_planes", "prefix", "avx512_vnni", 1, 16)));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_int_equal(count, 1);
    assert_string_equal(findings[0].title, "Where counting bits beats multiplying integers");
    assert_string_equal(findings[0].rows, "W1A2\tAVX-512\t64\t2.50\t1.50\t\tyes\n"
                                          "W2A2\tAVX-512\t64\t1.25\t0.75\t0.80\tin part\n"
                                          "W3A4\tAVX-512\t64\t0.50\t0.50\t\tno\n");
}

TEST(without_integers_nothing_is_said)
{
    static struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, SQUARE("gemm", "w1", "a2_popcount", "avx2", 64, 100));
    assert_int_equal(findings_collect(&run.view, findings, FINDINGS_MAX), 0);
}

RUN_TESTS(NULL, NULL)
