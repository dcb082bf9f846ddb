/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the figures of apt-llm select.
 */
#include "micro/shape.h"
#include "reports/draw/figure_testing.h"

#define PRODUCT(type, format, sequence, isa, m, k, tokens, us, rest)                                                   \
    "{'type':'" type "','name':'" format "." sequence "." isa "','format':'" format "','sequence':'" sequence          \
    "','isa':'" isa "','m':" #m ",'k':" #k ",'n':" #tokens ",'threads':1,'protocol':'cold','exact':true,'time_s':{"    \
    "'median':" #us "e-6,'ci95':[1e-6,1e-3]}" rest "}"
#define SQUARE(format, sequence, isa, tokens, us, rest)                                                                \
    PRODUCT("gemm", format, sequence, isa, 4096, 4096, tokens, us, rest)
#define GAMMA_OF(format, isa, gamma)                                                                                   \
    "{'type':'gamma','name':'" format ".x." isa "','format':'" format "','sequence':'x','isa':'" isa                   \
    "','accumulators':2,'gamma':{'median':" #gamma "},'usable':true,'best':true}"

/* int8 takes 0.25 cycles, of each pair 0.05: the boundary is 5 pairs, and 64 / 10 / 0.05 / N before. */
#define MULTIPLY ",'multiply_roof_ops_per_cycle':256"
static const char crossing[] =
    RECORDS(BETA(1, 40e9, 10.0, true), GAMMA_OF("w1a2", "avx512_vpopcntdq", 0.1),
            GAMMA_OF("w2a2", "avx512_vpopcntdq", 0.2), SQUARE("int8_vnni4", "tile", "avx512_vnni", 64, 200, MULTIPLY),
            SQUARE("int8_vnni4", "tile", "avx512_vnni", 4, 20, MULTIPLY),
            SQUARE("int2_planes", "tile", "avx512_vnni", 4, 10, MULTIPLY),
            SQUARE("w1", "a2_popcount", "avx512_vpopcntdq", 64, 100, ""),
            SQUARE("w2", "a2_popcount", "avx512_vpopcntdq", 64, 160, ""),
            SQUARE("w4", "a2_popcount", "avx512_vpopcntdq", 64, 320, ""),
            SQUARE("w2", "a2_popcount", "avx512_vpopcntdq", 4, 12.5, ""));

TEST(the_boundary_is_predicted_and_measured)
{
    freed char *settings, *data;
    select_records("apt_crossover", crossing, &settings, &data);
    assert_contains(settings, "panels = 2\n", "'AVX-512, against int8', 'AVX-512, against the narrowest integers'",
                    "array panel_predicted[2] = [1, 1]");
    assert_contains(
        settings,
        "'to cross at p·q = 5.0 (γ 0.25 / 0.05), measured 5.0, N = 64'"); /* 4 wins 1.25 times, 8 loses as much... */
    assert_contains(settings, "array height_at[3] = [2, 4, 8]", "'W1A2: 2', 'W2A2: 4', 'W4A2: 8'");
    assert_contains(data, "64 2 0.000 2 1 0x", "64 8 0.000 0.625 1 0x");
    assert_contains(data, "4 4 0.000 1.6 1 0x"); /* against int8 */
    assert_contains(data, "4 4 0.000 0.8 1 0x"); /* against int2 */
    assert_contains(
        data,
        "W2A2, 4 tokens: 0.80 times as fast; w2.a2_popcount.avx512_vpopcntdq 12.5 us, int2_planes.tile.avx512_vnni 10 us");
}

/* Where only the few pairs that win have samples enough, it is not known what the others do. */
TEST(what_was_not_measured_has_not_won)
{
    freed char *settings, *data;
    static const char lines[] =
        RECORDS(SQUARE("w1", "a2_harley", "avx2", 64, 10, ""), SQUARE("int8_vnni4", "tile", "avx2", 64, 50, ""),
                SQUARE("w4", "a4_harley", "avx2", 4, 100, ""), SQUARE("int8_vnni4", "tile", "avx2", 4, 20, ""));
    select_records("apt_crossover", lines, &settings, &data);
    assert_contains(data, "64 nan 0\n");
    assert_lacks(settings, "all won");
}

/* Without gamma or beta the points are shown alone, and one of a lesser machine makes a panel of that. */
TEST(points_need_no_prediction)
{
    freed char *settings, *data;
    static const char lines[] =
        RECORDS(SQUARE("w1", "a2_harley", "avx2", 64, 100, ""), SQUARE("int8_vnni4", "tile", "avx2", 64, 50, ""),
                SQUARE("int8_vnni4", "tile", "avx_vnni", 64, 20, ""),
                PRODUCT("gemv", "w1", "a2_harley", "avx2", 4096, 4096, 1, 10, ""),
                PRODUCT("gemv", "int8_vnni4", "dot", "avx2", 4096, 4096, 1, 80, ""));
    select_records("apt_crossover", lines, &settings, &data);
    assert_contains(settings, "panels = 4\n", "array panel_predicted[4] = [0, 0, 0, 0]", "'N = 64: none won'",
                    "x_min = 1\n");
    assert_contains(data, "64 2 0.000 0.5 1 0x");
    assert_contains(data, "64 2 0.000 0.2 1 0x"); /* AVX-VNNI has the planes of AVX2 and its own integers */
    assert_contains(data, "1 2 0.000 8 1 0x");
    assert_missing_of("apt_crossover", SQUARE("w1", "a2_harley", "avx2", 64, 100, ""), "kneepoint gemm --threads=1");
    assert_missing_of(
        "apt_crossover",
        RECORDS(SQUARE("w1", "a2_harley", "avx2", 64, 100, ""), SQUARE("int8_vnni4", "tile", "avx2", 64, 50, "")),
        "two numbers of tokens"); /* one number of tokens crosses nothing */
    assert_missing_of("apt_crossover", SMALL_RUN, "kneepoint gemm");
}

TEST(products_stand_beside_the_papers_ratios)
{
    freed char *settings, *data;
    static const char lines[] = RECORDS(SQUARE("bf16", "tile", "avx512_bf16", 64, 1000, ""),
                                        SQUARE("w1", "a2_popcount", "avx512_vpopcntdq", 64, 250, ""),
                                        PRODUCT("gemv", "tmac2", "tmac", "avx2", 1024, 4096, 1, 20, ""));
    select_records("apt_9_11", lines, &settings, &data);
    assert_contains(settings, "panels = 1\n"); /* of the others no planes */
    assert_contains(settings, "Table II");
    assert_contains(data,
                    " 8.5899 8.5899 8.5899 0x009e73 1 0 6.2 \"8.59\" \"W1A2, 4096×4096: 8.59 Top/s, "
                    "w1.a2_popcount.avx512_vpopcntdq; 4.00 times f16 or bf16\"",
                    "W1A2, 4096×4096: the paper's 2.89 times FP16");
    assert_lacks(data, "14336×4096"); /* that of Table III is not measured */
    assert_contains(settings, "array key_title[3] = ['the paper’s ratio', 'f16, bf16', 'W1A2']"); /* what is drawn */
    assert_missing_of("apt_9_11", SQUARE("bf16", "tile", "avx512_bf16", 64, 1000, ""), "products of planes");
}

TEST(the_stages_are_relative_to_the_first)
{
    freed char *settings, *data;
    static const char lines[] = RECORDS(SQUARE("w1", "a2_basic", "avx512_vpopcntdq", 64, 1500, ""),
                                        SQUARE("w1", "a2_scheduling", "avx512_vpopcntdq", 64, 1000, ""),
                                        SQUARE("w1", "a2_popcount", "avx512_vpopcntdq", 64, 750, ""),
                                        SQUARE("w1", "a2_harley", "avx2", 64, 10, ""),
                                        SQUARE("w1", "a1_popcount", "avx512_vpopcntdq", 64, 5, ""));
    select_records("apt_15", lines, &settings, &data);
    assert_contains(settings, "array key_title[2] = ['the paper, RTX 3090', 'here, avx512_vpopcntdq']");
    assert_contains(
        data, "1 1 1 1 0xb0b0b0 1 0 0 \"1.00\" \"the paper, RTX 3090: 1.00 times as fast as basic\"",
        "5 1.5 1.5 1.5 0x009e73 1 0 0 \"1.50|1000 us\" \"w1.a2_scheduling.avx512_vpopcntdq: 1000 us, 1.50 times as fast as basic\"",
        "7 3.22 3.22 3.22 0xb0b0b0",
        "8 2 2 2 0x009e73 1 0 0 \"2.00|750 us\" \"w1.a2_popcount.avx512_vpopcntdq: 750 us, 2.00 times as fast as basic\"");
    assert_missing_of("apt_15", SQUARE("w1", "a2_popcount", "avx512_vpopcntdq", 64, 750, ""), "w1.a2_basic");
}

/* A device stands beside the instruction sets under its own name, and that of a CPU says so. */
TEST(stages_and_schemes_of_a_device)
{
    freed char *settings, *data, *schemes_of, *bars;
    const char *const lines = RECORDS(SQUARE("w1", "a2_basic", "avx512_vpopcntdq", 64, 1500, ""),
                                      SQUARE("w1", "a2_scheduling", "avx512_vpopcntdq", 64, 1000, ""),
                                      ON_DEVICE("gemm", "w1.a2_basic", 4096, 4096, 64, 4e-3, 5e11),
                                      ON_DEVICE("gemm", "w1.a2_scheduling", 4096, 4096, 64, 2e-3, 1e12),
                                      ON_DEVICE("gemm", "w1.a2_popcount", 4096, 4096, 64, 1e-3, 2e12),
                                      ON_DEVICE("gemm", "w1.a2_popcount", 4096, 4096, 32, 1e-4, 2e12),
                                      ON_DEVICE("gemm", "f16.rows", 4096, 4096, 64, 3e-3, 7e11),
                                      ON_DEVICE("gemv", "f16.rows", 1024, 4096, 0, 1e-3, 1e9));
    select_records("apt_15", lines, &settings, &data);
    assert_contains(settings, "'here, avx512_vpopcntdq', 'here, EPYC (a CPU)']");
    assert_contains(data, "\"opencl:0/w1.a2_scheduling.4096x4096x64: 2000 us, 2.00 times as fast as basic\"",
                    "\"opencl:0/w1.a2_popcount.4096x4096x64: 1000 us, 4.00 times as fast as basic\"");
    select_records("apt_9_11", lines, &schemes_of, &bars);
    assert_contains(schemes_of, "'EPYC (a CPU): 64 tokens, square weights (Table II, Fig. 9)'",
                    "'EPYC (a CPU): 1 token, weights of Llama3-8B (Table IV, Fig. 11)'");
    assert_lacks(schemes_of, "(a CPU): 64 tokens, weights of Llama3-8B"); /* none was measured */
    assert_contains(bars, "W1A2, 4096×4096: 2.15 Top/s, opencl:0/w1.a2_popcount.4096x4096x64; 3.00 times f16 or bf16");
}

/* All layers of a model with so many tokens, the planes 4 times as fast as bf16. @return where the last record begins */
static size_t append_layers(char *lines, size_t size, int tokens)
{
    static struct shape shapes[SHAPES_MAX];
    size_t count = shapes_all(shapes, SHAPES_MAX), used = strlen(lines), last = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(shapes[i].model, "llama3-8b") != 0 || shape_is_head(&shapes[i]))
            continue;
        for (size_t kind = 0; kind < 2; kind++) {
            last = used;
            used += (size_t)snprintf(
                lines + used, size - used,
                "%s{'type':'gemm','name':'%s.x.avx2','format':'%s','sequence':'%s','isa':'avx2','m':%zu,'k':%zu,'n':%d,"
                "'threads':1,'protocol':'cold','exact':true,'time_s':{'median':%g}}",
                RECORDS(used ?, : ""), kind ? "bf16" : "w2", kind ? "bf16" : "w2", kind ? "tile" : "a2_nibble",
                shapes[i].m, shapes[i].k, tokens, (kind ? 4e-12 : 1e-12) * (double)shapes[i].m * (double)shapes[i].k);
        }
    }
    return last;
}

/* A shape less, and there is no bar. */
TEST(models_are_sums_of_their_layers)
{
    static char lines[16384];
    freed char *settings, *data;
    size_t last = append_layers(lines, sizeof lines, 64);
    select_records("apt_13", lines, &settings, &data);
    assert_lacks(settings, "whole passes");
    assert_contains(settings, "'prefill, 64 tokens, over f16 or bf16'", "panels = 1\n");
    assert_contains(settings, ", 3.99]\n"); /* the paper's most */
    assert_contains(data,
                    "Llama3-8B, W2A2, prefill, 64 tokens: 4.00 times as fast as f16 or bf16, 6.979 ms for all layers");
    assert_lacks(data, "int4");
    lines[last] = '\0';
    assert_missing_of("apt_13", lines, "on all shapes of");
}

#define PASS(type, format, sequence, head, length, rate)                                                               \
    "{'type':'" type "','name':'" format "." sequence ".avx2','format':'" format "','sequence':'" sequence             \
    "','isa':'avx2','model':'llama3-8b','head':'" head ".x','head_format':'" head "','threads':1,'context':" #length   \
    ",'tokens':" #length ",'tokens_per_s':{'median':" #rate "},'time_s':{'median':0.25}}"

/* A pass with the planes over one of the base with as many positions, beside the bars; one with another head is of no use. */
TEST(whole_passes_are_marked_over_the_bars)
{
    static char lines[16384];
    freed char *settings, *data;
    static const char passes[] =
        RECORDS("", PASS("prefill", "bf16", "tile", "bf16", 64, 8), PASS("prefill", "w2", "a2_nibble", "bf16", 64, 20),
                PASS("prefill", "w2", "a2_nibble", "bf16", 128, 90), PASS("prefill", "w2", "a4_nibble", "bf16", 64, 91),
                PASS("prefill", "w2", "a2_nibble", "w2", 64, 92), PASS("decode", "bf16", "tile", "bf16", 512, 2),
                PASS("decode", "w2", "a2_nibble", "bf16", 128, 93), PASS("decode", "w2", "a2_nibble", "bf16", 512, 3));
    append_layers(lines, sizeof lines, 64);
    append_layers(lines, sizeof lines, 1);
    strcat(lines, passes);
    select_records("apt_13", lines, &settings, &data);
    assert_contains(settings, "'whole passes'");
    assert_contains(
        data, " 2.5 2.5 2.5 0x1a1a1a 1 113 ",
        "Llama3-8B, W2A2, prefill, 64 tokens: a whole pass is 2.50 times as fast as f16 or bf16, 250 ms, 64 positions",
        "Llama3-8B, W2A2, decode, 1 token: a whole pass is 1.50 times as fast as f16 or bf16, 250 ms, 512 positions");
}

RUN_TESTS(NULL, NULL)
