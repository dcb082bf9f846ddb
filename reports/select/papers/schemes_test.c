/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/papers/schemes.h"
#include "reports/select/run/testing.h"

/* A product of 4096 x 4096 with this many tokens, in microseconds. */
#define PRODUCT(type, format, sequence, isa, tokens, threads, us, rest)                                                \
    "{'type':'" type "','name':'" format "." sequence "." isa "','format':'" format "','sequence':'" sequence          \
    "','isa':'" isa "','m':4096,'k':4096,'n':" #tokens ",'threads':" #threads                                          \
    ",'protocol':'cold','exact':true,'time_s':{'median':" #us "e-6,'ci95':[1e-6,1e-3]}" rest "}"
#define GEMM(format, sequence, isa, tokens, us) PRODUCT("gemm", format, sequence, isa, tokens, 1, us, "")

TEST(bits_are_read_from_the_names)
{
    static const struct {
        const char *format, *sequence;
        unsigned weights, activations; /* 0: it is not bit-serial */
    } table[] = {
        {"w1", "a2_popcount", 1, 2},  {"w4", "a8", 4, 8},           {"w2_planes", "a1_harley", 2, 1},
        {"w3a4", "carry_save", 3, 4}, {"w1a8", "a2", 1, 8},         {"w1", "popcount", 0, 0},
        {"w1", "a9_popcount", 0, 0},  {"w1", "a16_popcount", 0, 0}, {"w12", "a2", 0, 0},
        {"w1x", "a2", 0, 0},          {"int2_planes", "a2", 0, 0},  {"", "", 0, 0},
        {"w0", "a2", 0, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct scheme_bits bits = {0, 0};
        json_t *record = json_pack("{s:s, s:s}", "format", table[i].format, "sequence", table[i].sequence);
        bool is_serial = scheme_bits_of(record, &bits);
        json_decref(record);
        if (is_serial != (table[i].weights > 0) ||
            (is_serial && (bits.weights != table[i].weights || bits.activations != table[i].activations)))
            fail_msg("%s %s: %d, %u %u", table[i].format, table[i].sequence, is_serial, bits.weights, bits.activations);
    }
}

TEST(a_machine_runs_what_lesser_ones_run)
{
    assert_true(scheme_machine_runs(MACHINE_AVX2, "avx2"));
    assert_false(scheme_machine_runs(MACHINE_AVX2, "avx_vnni"));
    assert_true(scheme_machine_runs(MACHINE_AVX_VNNI, "avx2"));
    assert_true(scheme_machine_runs(MACHINE_AVX512, "avx_vnni"));
    assert_true(scheme_machine_runs(MACHINE_AVX512, "avx512_vpopcntdq"));
    assert_false(scheme_machine_runs(MACHINE_AVX512, "amx_int8"));
    assert_true(scheme_machine_runs(MACHINE_AMX, "avx512_vnni"));
    assert_false(scheme_machine_runs(MACHINE_AMX, "neon"));
    assert_true(scheme_machine_runs(MACHINE_DOTPROD, "neon"));
    assert_false(scheme_machine_runs(MACHINE_NEON, "neon_dotprod"));
    assert_false(scheme_machine_runs(MACHINE_NEON, "avx2"));
    assert_false(scheme_machine_runs(MACHINE_AMX, "reference"));
    assert_true(scheme_machine_runs(MACHINES, "reference"));
}

TEST(the_fastest_of_a_scheme_is_chosen_among_what_the_machine_runs)
{
    MADE_RUN(run,
             RECORDS(GEMM("int8_vnni4", "tile", "avx2", 64, 900), GEMM("int8_vnni4", "tile", "avx512_vnni", 64, 200),
                     GEMM("w1", "a2_popcount", "avx512_vpopcntdq", 64, 100), GEMM("w1", "a2_harley", "avx2", 64, 300),
                     GEMM("w1", "a1_harley", "avx2", 64, 150),
                     PRODUCT("gemm", "int8_rows", "onednn", "reference", 64, 1, 210, ",'plugin':'onednn'"),
                     PRODUCT("gemm", "int8_vnni4", "fast", "avx512_vnni", 64, 1, 5, ",'plugin':'other'")));
    struct scheme_query query = {4096, 4096, 64, 1, MACHINE_AVX512};
    struct scheme_cell cell = scheme_fastest(&run.view, &schemes[SCHEME_INT8], &query);
    assert_string_equal(view_text(cell.row, "isa"), "avx512_vnni");
    assert_near(scheme_ops_per_s(&cell), 2 * 4096.0 * 4096 * 64 / 200e-6, 1e3);
    assert_near(view_median(scheme_planes_fastest(&run.view, (struct scheme_bits){1, 2}, &query).row, "time_s"), 100e-6,
                1e-12);
    query.machine = MACHINE_AVX_VNNI;
    assert_near(view_median(scheme_fastest(&run.view, &schemes[SCHEME_INT8], &query).row, "time_s"), 900e-6, 1e-12);
    assert_near(view_median(scheme_fastest(&run.view, &schemes[SCHEME_W1A2], &query).row, "time_s"), 300e-6, 1e-12);
    assert_null(scheme_fastest(&run.view, &schemes[SCHEME_ONEDNN], &query).row);
    query.machine = MACHINES;
    assert_string_equal(view_text(scheme_fastest(&run.view, &schemes[SCHEME_ONEDNN], &query).row, "format"),
                        "int8_rows");
    query.n = 16;
    cell = scheme_fastest(&run.view, &schemes[SCHEME_INT8], &query);
    assert_null(cell.row);
    assert_true(isnan(scheme_ops_per_s(&cell)));
}

/* A wrong or impossible result is no result, nor is a warm one. */
TEST(what_is_not_valid_does_not_count)
{
    MADE_RUN(run, RECORDS(PRODUCT("gemm", "w1", "a2_popcount", "avx2", 64, 1, 5, ",'above_roof':true"),
                          PRODUCT("gemm", "w1", "a2_nibble", "avx2", 64, 2, 7, ""),
                          "{'type':'gemm','format':'w1','sequence':'a2_x','isa':'avx2',"
                          "'m':4096,'k':4096,'n':64,'threads':1,'protocol':'warm',"
                          "'exact':true,'time_s':{'median':1e-6}}"));
    struct scheme_query query = {4096, 4096, 64, 1, MACHINES};
    assert_null(scheme_fastest(&run.view, &schemes[SCHEME_W1A2], &query).row);
    query.threads = 2;
    assert_non_null(scheme_fastest(&run.view, &schemes[SCHEME_W1A2], &query).row);
    assert_int_equal(scheme_team(&run.view), 2);
    remake_run(&run, "{}", SMALL_RUN);
    assert_int_equal(scheme_team(&run.view), 0);
}

TEST(one_token_is_a_gemv_or_a_gemm)
{
    MADE_RUN(run, RECORDS(GEMM("w2", "a2_popcount", "avx2", 1, 60),
                          PRODUCT("gemv", "w2", "a2_popcount", "avx2", 1, 1, 50, ""),
                          PRODUCT("gemv", "tmac2", "tmac", "avx2", 1, 1, 70, ""),
                          PRODUCT("gemv", "w2", "a2_popcount", "avx2", 64, 1, 5, "")));
    struct scheme_query query = {4096, 4096, 1, 1, MACHINES};
    assert_near(view_median(scheme_fastest(&run.view, &schemes[SCHEME_W2A2], &query).row, "time_s"), 50e-6, 1e-12);
    assert_near(view_median(scheme_fastest(&run.view, &schemes[SCHEME_TMAC], &query).row, "time_s"), 70e-6, 1e-12);
    query.n = 64;
    assert_null(scheme_fastest(&run.view, &schemes[SCHEME_W2A2], &query).row);
}

TEST(integers_hold_the_weights)
{
    MADE_RUN(run, RECORDS(GEMM("int8_vnni4", "tile", "avx2", 64, 400), GEMM("int4_vnni4", "tile", "avx2", 64, 300),
                          GEMM("int2_planes", "tile", "avx2", 64, 200), GEMM("int1_planes", "tile", "avx2", 64, 100)));
    static const double us[9] = {0, 100, 200, 300, 300, 400, 400, 400, 400};
    struct scheme_query query = {4096, 4096, 64, 1, MACHINES};
    for (unsigned bits = 1; bits <= 8; bits++)
        assert_near(view_median(scheme_integers_fastest(&run.view, bits, &query).row, "time_s"), us[bits] * 1e-6,
                    1e-12);
    query.n = 4;
    assert_null(scheme_integers_fastest(&run.view, 1, &query).row);
}

TEST(planes_are_listed_by_their_pairs)
{
    struct scheme_bits bits[8];
    MADE_RUN(run,
             RECORDS(GEMM("w3", "a4_popcount", "avx2", 64, 1), GEMM("w2", "a2_popcount", "avx2", 64, 1),
                     GEMM("w1", "a4_popcount", "avx2", 64, 1), GEMM("w2", "a2_nibble", "avx2", 1, 1),
                     GEMM("w1", "a1_popcount", "avx512_vpopcntdq", 1, 1), GEMM("int2_planes", "tile", "avx2", 1, 1)));
    assert_int_equal(scheme_planes(&run.view, MACHINES, bits, 8), 4);
    assert_true(bits[0].weights == 1 && bits[0].activations == 1);
    assert_true(bits[1].weights == 1 && bits[1].activations == 4);
    assert_true(bits[2].weights == 2 && bits[2].activations == 2);
    assert_true(bits[3].weights == 3 && bits[3].activations == 4);
    assert_int_equal(scheme_planes(&run.view, MACHINE_AVX2, bits, 8), 3);
    assert_int_equal(scheme_planes(&run.view, MACHINES, bits, 2), 2);
}

RUN_TESTS(NULL, NULL)
