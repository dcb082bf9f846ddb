/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tokens per second from cells and from the model, the paper's values, and the figures made of both.
 */
#include "reports/select/papers/bitnet.h"

#include "reports/draw/figure_testing.h"

/* A cold cell: one microsecond is 1e-6. */
#define CELL(format, sequence, origin, bits, m, k, time)                                                               \
    "{'type':'gemv','name':'" format "." sequence ".avx2','format':'" format "','sequence':'" sequence                 \
    "','origin':'" origin "','isa':'avx2','format_bits':" #bits ",'bits':" #bits ",'m':" #m ",'k':" #k                 \
    ",'threads':2,'protocol':'cold','exact':true,'packed_bytes':" #m "000,'gamma_used':'" format                       \
    ".sums@4','time_s':{'median':" #time "},'bytes_per_s':{'median':6e9},'bytes_per_cycle_per_core':{'median':1.5}}"

/* The four shapes of bitnet-700m: 96, 48, 24 of the layers, and the head. */
#define LAYERS(format, sequence, origin, bits, a, b, c)                                                                \
    RECORDS(CELL(format, sequence, origin, bits, 1536, 1536, a), CELL(format, sequence, origin, bits, 4096, 1536, b),  \
            CELL(format, sequence, origin, bits, 1536, 4096, c))
#define HEAD CELL("f16", "dot", "kneepoint", 16, 32002, 1536, 4e-3)
#define SUMS(format, bits, bytes, gamma)                                                                               \
    "{'type':'gamma','name':'" format ".sums','format':'" format "','sequence':'sums','isa':'avx2','origin':'x',"      \
    "'accumulators':4,'usable':true,'best':true,'format_bits':" #bits ",'bytes_per_vector':" #bytes                    \
    ",'gamma':{'median':" #gamma "}}"

TEST(tokens_are_the_sum_of_a_tokens_gemvs)
{
    MADE_RUN(run, RECORDS(BETA(2, 12e9, 3.0, true), LAYERS("i2_s", "bitnet", "bitnet-cpp", 2, 1e-5, 2e-5, 4e-5), HEAD,
                          CELL("i2_s", "mask", "kneepoint", 2, 1536, 1536, 5e-6)));
    struct token_bound bound = token_bound(&run.view, "bitnet-700m", &(struct token_kernel){"i2_s", "bitnet"}, 2);
    assert_near(bound.seconds, 96 * 1e-5 + 48 * 2e-5 + 24 * 4e-5 + 4e-3, 1e-12);
    assert_near(bound.bytes, 96 * 1536e3 + 48 * 4096e3 + 24 * 1536e3 + 32002e3, 1);
    assert_near(bound.measured, 1, 1e-12);
    /* with one thread, of another model, or another kernel nothing was measured, and nothing can be modelled */
    assert_true(isnan(token_bound(&run.view, "bitnet-700m", &(struct token_kernel){"i2_s", "bitnet"}, 1).seconds));
    assert_true(isnan(token_bound(&run.view, "bitnet-7b", &(struct token_kernel){"i2_s", "bitnet"}, 2).seconds));
    assert_true(isnan(token_bound(&run.view, "gpt", &(struct token_kernel){"i2_s", "bitnet"}, 2).seconds));
    assert_true(isnan(token_bound(&run.view, "bitnet-700m", &(struct token_kernel){"tl2", "bitnet_tl2_0"}, 2).seconds));
}

#define TIMED(format, sequence, m, k, time, low, high)                                                                 \
    "{'type':'gemv','name':'" format "." sequence ".avx2','format':'" format "','sequence':'" sequence                 \
    "','origin':'kneepoint','isa':'avx2','format_bits':16,'bits':16,'m':" #m ",'k':" #k                                \
    ",'threads':2,'protocol':'cold','exact':true,'packed_bytes':1000,'time_s':{'median':" #time ",'ci95':[" #low       \
    "," #high "]}}"

TEST(the_interval_of_a_token_is_that_of_independent_gemvs)
{
    MADE_RUN(run, RECORDS(TIMED("i2_s", "bitnet", 1536, 1536, 1e-5, 9e-6, 1.2e-5),
                          TIMED("i2_s", "bitnet", 4096, 1536, 2e-5, 2e-5, 2e-5),
                          TIMED("i2_s", "bitnet", 1536, 4096, 4e-5, 3.6e-5, 4.2e-5),
                          TIMED("f16", "dot", 32002, 1536, 4e-3, 4e-3, 4e-3)));
    struct token_bound bound = token_bound(&run.view, "bitnet-700m", &(struct token_kernel){"i2_s", "bitnet"}, 2);
    double low = 96 * 1e-6, longer = 24 * 4e-6, high = 96 * 2e-6, most = 24 * 2e-6;
    assert_near(bound.seconds - bound.ci95[0], sqrt(low * low + longer * longer), 1e-12);
    assert_near(bound.ci95[1] - bound.seconds, sqrt(high * high + most * most), 1e-12);
}

#define BESIDE(m, k, threads, protocol, roof)                                                                          \
    "{'type':'gemv','name':'i2_s.mask.avx2','format':'i2_s','m':" #m ",'k':" #k ",'threads':" #threads                 \
    ",'protocol':'" protocol "','roof_bytes_per_s':{'median':" #roof "}}"

TEST(a_models_roof_is_that_beside_its_gemvs)
{
    MADE_RUN(run,
             RECORDS(BETA(2, 12e9, 3.0, true), BESIDE(1536, 1536, 2, "cold", 20e9), BESIDE(4096, 1536, 2, "cold", 22e9),
                     BESIDE(1536, 4096, 2, "cold", 30e9), BESIDE(1536, 4096, 2, "warm", 90e9),
                     BESIDE(1536, 4096, 1, "cold", 15e9), BESIDE(777, 777, 2, "cold", 1e9)));
    assert_near(token_roof(&run.view, "bitnet-700m", 2), 22e9, 1);
    assert_near(token_roof(&run.view, "bitnet-700m", 1), 15e9, 1);
    assert_near(token_roof(&run.view, "bitnet-7b", 2), 12e9, 1); /* the run's */
    assert_true(isnan(token_roof(&run.view, "bitnet-7b", 1)));
}

TEST(our_layouts_of_a_format_count_as_it)
{
    MADE_RUN(run, RECORDS(LAYERS("tq2_0", "mask", "kneepoint", 2.06, 1e-5, 2e-5, 4e-5), HEAD,
                          CELL("tq2_0_m16", "mask", "kneepoint", 2.06, 1536, 1536, 9e-6),
                          CELL("tq2_0_m16", "paper", "bitnet-cpp", 2.06, 1536, 1536, 1e-6),
                          CELL("tq2_00", "mask", "kneepoint", 2.06, 1536, 1536, 1e-6)));
    struct token_bound bound = token_bound(&run.view, "bitnet-700m", &(struct token_kernel){"tq2_0", NULL}, 2);
    assert_near(bound.seconds, 96 * 9e-6 + 48 * 2e-5 + 24 * 4e-5 + 4e-3, 1e-12);
}

#define PREPARED(m, k, time, prepare)                                                                                  \
    "{'type':'gemv','name':'tl2.s.avx2','format':'tl2','sequence':'bitnet_tl2_0','origin':'bitnet-cpp','isa':'avx2',"  \
    "'format_bits':1.67,'bits':1.67,'m':" #m ",'k':" #k ",'threads':2,'protocol':'cold','exact':true,"                 \
    "'packed_bytes':1000,'prepare_s':" #prepare ",'time_s':{'median':" #time "}}"

/* Tables are made once for q, k and v, once for o, for gate and up, and for down, in each of 24 layers. */
TEST(preparation_is_in_the_bound_as_often_as_inputs_differ)
{
    MADE_RUN(run, RECORDS(PREPARED(1536, 1536, 1e-5, 1e-6), PREPARED(4096, 1536, 2e-5, 1e-6),
                          PREPARED(1536, 4096, 4e-5, 3e-6), HEAD));
    struct token_bound bound = token_bound(&run.view, "bitnet-700m", &(struct token_kernel){"tl2", "bitnet_tl2_0"}, 2);
    double preparing = 48 * 1e-6 + 24 * 1e-6 + 24 * 3e-6;
    assert_near(bound.prepare_s, preparing, 1e-12);
    assert_near(bound.seconds, 96 * 1e-5 + 48 * 2e-5 + 24 * 4e-5 + 4e-3 + preparing, 1e-12);
}

TEST(what_was_not_measured_is_modelled_and_marked)
{
    MADE_RUN(run, RECORDS(BETA(2, 12e9, 3.0, true), SUMS("i2_s", 2, 8.0, 8.0),
                          CELL("i2_s", "bitnet", "bitnet-cpp", 2, 1536, 1536, 1e-5), HEAD));
    struct token_bound bound = token_bound(&run.view, "bitnet-700m", &(struct token_kernel){"i2_s", "bitnet"}, 2);
    /* the clock of the cells is 2 GHz, so B/gamma of 1 byte per cycle is 4 GB/s on two cores, below the roof */
    double modelled = (48 * 4096.0 * 1536 + 24 * 1536.0 * 4096) / 4 / 4e9;
    assert_near(bound.seconds, 96 * 1e-5 + modelled + 4e-3, 1e-9);
    assert_true(bound.measured > 0.3 && bound.measured < 0.9);
}

TEST(wrong_warm_and_impossible_cells_do_not_count)
{
    MADE_RUN(run, RECORDS(LAYERS("i2_s", "bitnet", "bitnet-cpp", 2, 1e-5, 2e-5, 4e-5), HEAD
                          ",{'type':'gemv','name':'x','format':'i2_s','sequence':'paper','m':1536,'k':1536,'"
                          "threads':2,'protocol':"
                          "'warm','exact':true,'time_s':1e-9}"
                          ",{'type':'gemv','name':'y','format':'i2_s','sequence':'paper','m':1536,'k':1536,'threads':2,"
                          "'protocol':"
                          "'cold','exact':true,'above_roof':true,'time_s':1e-9}"
                          ",{'type':'gemv','name':'z','format':'i2_s','sequence':'paper','m':1536,'k':1536,'threads':2,"
                          "'protocol':"
                          "'cold','exact':false,'within_bound':false,'time_s':1e-9}"));
    struct token_bound bound = token_bound(&run.view, "bitnet-700m", &(struct token_kernel){"i2_s", "bitnet"}, 2);
    assert_near(bound.seconds, 96 * 1e-5 + 48 * 2e-5 + 24 * 4e-5 + 4e-3, 1e-12);
}

TEST(values_are_the_papers)
{
    double values[BITNET_SIZES];
    struct papers papers;
    char why[256];
    assert_int_equal(papers_open(BITNET_PAPER, &papers, why, sizeof why), 0);
    bitnet_stated(&papers, 0, BITNET_TL2_0, values);
    assert_true(values[0] == 126.99 && values[7] == 1.69);
    bitnet_stated(&papers, 0, BITNET_F16, values);
    assert_true(values[4] == 1.78 && isnan(values[5])); /* N/A */
    for (size_t machine = 0; machine < BITNET_MACHINES; machine++) {
        for (int system = 0; system < BITNET_SYSTEMS; system++) {
            bitnet_stated(&papers, machine, (enum bitnet_system)system, values);
            for (size_t size = 0; size < BITNET_SIZES; size++)
                assert_true(values[size] > 0 || (system == BITNET_F16 && size >= 5));
        }
    }
    papers_free(&papers);
}

#define SMALL_MODEL                                                                                                    \
    RECORDS(BETA(2, 12e9, 3.0, true), LAYERS("i2_s", "bitnet", "bitnet-cpp", 2, 1e-5, 2e-5, 4e-5),                     \
            LAYERS("i2_s", "mask", "kneepoint", 2, 5e-6, 1e-5, 2e-5),                                                  \
            LAYERS("f16", "dot", "kneepoint", 16, 1e-4, 2e-4, 4e-4), HEAD)

TEST(table_7_has_a_panel_for_the_host_and_two_of_the_paper)
{
    freed char *settings, *data;
    MADE_RUN(run, SMALL_MODEL);
    select_figure("bitnet_1_7", &run, &settings, &data);
    /* 1/6.88 ms, ours 1/5.44 ms; Float16 1/32.8 ms */
    assert_contains(data, "\n8 145.35 145.35 145.35 0xd55e00 0.35 0 183.82 ",
                    "I2_S, 700M, our fastest, not decoded: at most 183.8 tokens/s",
                    "\n1 30.488 30.488 30.488 0x7f7f7f 0.35 0 0 ", "TL2_0, 100B: 1.69 tokens/s");
    *strstr(data, "# Apple") = 0;
    assert_lacks(data, "Float16, 30B: "); /* N/A on the first machine */
    assert_contains(settings, "'this host, 2 threads: decoded, or what its cold GEMVs allow'");
    free(settings);
    free(data);
    select_figure("bitnet_ratios", &run, &settings, &data);
    assert_contains(data, "1 4.767 6.029 4.08 2.152 \"700M\"", "2 nan nan 5.176 2.411 \"1.5B\"");
    assert_contains(settings, "array claim_i7[3] = [6.25, 1.33, 2.32]\n", "array claim_m2[3] = [NaN, 1.65, 1.19]\n");
    free(settings);
    free(data);
    select_figure("bitnet_10", &run, &settings, &data);
    assert_contains(settings, "array line_title[2] = ['I2_S', 'I2_S, ours']",
                    "has_roof = 1\npasses = 0\nthreads_min = 2\n");
    assert_contains(data, "2 145.35 ");
}

#define PASS(format, sequence, origin, threads, context, head, tokens)                                                 \
    "{'type':'decode','name':'" format "." sequence ".avx2','model':'bitnet-700m','format':'" format                   \
    "','sequence':'" sequence "','origin':'" origin "','threads':" #threads ",'context':" #context ",'head':'" head    \
    ".dot.avx2','head_format':'" head "','tokens_per_s':{'median':" #tokens "}}"

/* Each line's passes are a block after all lines, of its kernel and with a head of 16 bits alone. */
TEST(passes_are_beside_the_lines_of_their_kernels)
{
    freed char *settings, *data;
    select_records("bitnet_10",
                   RECORDS(SMALL_MODEL, PASS("i2_s", "mask", "kneepoint", 2, 512, "f16", 120),
                           PASS("i2_s", "bitnet", "bitnet-cpp", 2, 512, "q6_k", 130)),
                   &settings, &data);
    assert_contains(settings, "passes = 1\n");
    assert_contains(data, "\nNaN NaN NaN\n\n\n# threads, tokens/s of a pass, GB/s of weights\n2 120 ");
    assert_lacks(data, "2 130 ");
}

/* A pass takes the place of the bound of its kernel, not of another one's; one with a head of few bits, of a smaller team, or
 * with a schedule takes none. */
TEST(decoded_rates_and_bounds_look_different)
{
    freed char *settings, *data;
    static const char passes[] = RECORDS(
        PASS("i2_s", "bitnet", "bitnet-cpp", 2, 64, "bf16", 120),
        PASS("i2_s", "bitnet", "bitnet-cpp", 2, 64, "i2_s", 150), PASS("i2_s", "mask", "kneepoint", 1, 64, "bf16", 200),
        PASS("f16", "dot", "kneepoint", 2, 32, "f16", null), PASS("tl2", "bytes", "kneepoint", 2, 32, "f16", 99),
        "{'type':'decode','cell':'x','name':'f16.dot.avx2','model':'bitnet-700m','format':'f16','sequence':'dot',"
        "'origin':'kneepoint','threads':2,'head_format':'bf16','tokens_per_s':{'median':77}}");
    char *records;
    assert_true(asprintf(&records, "%s,%s", SMALL_MODEL, passes) > 0);
    MADE_RUN(run, records);
    free(records);
    select_figure("bitnet_1_7", &run, &settings, &data);
    assert_contains(data, "I2_S, 700M: 120 tokens/s, decoded over 64 positions",
                    "Float16, 700M, not decoded: at most 30.49 tokens/s by its measured GEMVs",
                    "TL2_0, 700M, our fastest: 99 tokens/s, decoded over 32 positions");
    assert_lacks(data, "TL2_0, 700M: 99"); /* the paper's was neither measured nor modelled */
    static const char *const keys[] = {"'bound: measured GEMVs'", "'bound, partly the model'", "'our fastest kernel'",
                                       "'bound of our fastest kernel'"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_contains(settings, keys[i]);
}

TEST(a_curve_bends_where_its_up_convert_binds)
{
    freed char *settings, *data;
    MADE_RUN(
        run,
        RECORDS(BETA(2, 12e9, 3.0, true), SUMS("tl2", 1.67, 6.68, 2.0),
                CELL("tl2", "bitnet_tl2_0", "bitnet-cpp", 1.67, 64, 64, 1e-6),
                "{'type':'gamma','name':'c2.mad.avx2','format':'c2','sequence':'mad','accumulators':4,'best':true,"
                "'bytes_per_vector':32,'gamma':{'median':3}},"
                "{'type':'gamma','name':'c2.tbl_add_cvt.avx2','format':'c2','sequence':'tbl_add_cvt','accumulators':4,"
                "'best':true,'bytes_per_vector':32,'gamma':{'median':6}}"));
    select_figure("bitnet_9", &run, &settings, &data);
    /* two cores of 2 GHz and 3.34 bytes per cycle; half of gamma: twice of it; without up-convert no knee */
    assert_contains(data, "1.67 bits, gamma 2 cycles, omega nan, knee 13.36 GB/s",
                    "1.67 bits, gamma 1 cycles, omega nan, knee 26.72 GB/s");
    assert_contains(settings, "any_points = 0\nany_ours = 0\n"); /* no model was measured: not in the legend */
    assert_contains(settings, "lines = 3\n", "'TL2_0', 'TL2_0, look-up like a MAD', 'TL2_0, memory alone'");
}

#define C2(sequence, isa, gamma)                                                                                       \
    "{'type':'gamma','name':'c2." sequence "." isa "','isa':'" isa "','format':'c2','sequence':'" sequence             \
    "','accumulators':4,'best':true,'bytes_per_vector':32,'uops_per_vector':2,'gamma':{'median':" #gamma "}}"

TEST(instructions_are_those_of_the_machine)
{
    freed char *settings, *data;
    MADE_RUN(run, RECORDS(C2("mad", "neon", 4), C2("mad", "neon_dotprod", 1), C2("tbl", "neon", 2),
                          C2("tbl_add_cvt", "neon", 2), C2("tbl_add_cvt_whole", "neon", 3)));
    select_figure("c2", &run, &settings, &data);
    assert_contains(settings, "'MAD|sdot'"); /* the faster of two */
    assert_contains(settings, "'TBL|tbl'", "'TBL+ADD+CVT|8 of 16 bytes'", "'TBL+ADD+CVT|all 16 bytes'");
    assert_contains(data, "\"1.00|1.00 cycles\"", "\"3.00|3.00 cycles\"");
    free(settings);
    free(data);
    remake_run(&run, "{}", RECORDS(C2("mad", "neon", 4), C2("tbl", "neon", 2), C2("tbl_add_cvt", "neon", 2)));
    select_figure("c2", &run, &settings, &data);
    assert_contains(settings, "'MAD|smlal'");
}

TEST(what_is_missing_names_the_command_that_measures_it)
{
    static const char *const figures[] = {"bitnet_1_7", "bitnet_8", "bitnet_9", "bitnet_10", "bitnet_ratios"};
    MADE_RUN(run, SMALL_RUN);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        assert_missing(figures[i], &run.view, "`kneepoint gemv --cold --model=bitnet-");
}

RUN_TESTS(NULL, NULL)
