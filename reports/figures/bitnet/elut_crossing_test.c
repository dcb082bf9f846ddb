/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows where look-ups take as long as their tables: which records say so, and what is drawn of them.
 */

#include "reports/draw/figure_testing.h"

#define TABLES(name, kernel, quantizer, k, time)                                                                       \
    "{'type':'prepare','name':'" name "','kernel':'" kernel "','isa':'avx2','k':" #k ",'quantizer':" quantizer         \
    ",'time_s':{'median':" #time "}}"
#define PRODUCT(format, sequence, m, k, threads, protocol, bits, time)                                                 \
    "{'type':'gemv','name':'" format "." sequence ".avx2','format':'" format "','sequence':'" sequence                 \
    "','origin':'kneepoint','isa':'avx2','format_bits':2,'bits':" #bits ",'m':" #m ",'k':" #k ",'threads':" #threads   \
    ",'protocol':'" protocol "','exact':true,'packed_bytes':1000,'time_s':{'median':" #time "}}"
/* A row takes 10 ns. */
#define SWEEP(format, sequence, k)                                                                                     \
    RECORDS(PRODUCT(format, sequence, 256, k, 1, "warm", 2, 256e-8),                                                   \
            PRODUCT(format, sequence, 64, k, 1, "warm", 2, 64e-8),                                                     \
            PRODUCT(format, sequence, 128, k, 1, "warm", 2, 128e-8))

TEST(each_kernel_has_its_crossing)
{
    freed char *settings, *data;
    select_records("elut_crossing",
                   RECORDS(TABLES("tables", "tl2.bytes.avx2", "null", 4096, 25e-7),
                           TABLES("operand", "tl2.bytes.avx2", "'per_tensor.avx2'", 4096, 9e-6),
                           TABLES("tables", "elut4.bytes.avx2", "null", 4096, 32e-7),
                           TABLES("operand", "tl1.floats.avx2", "null", 4096, 160e-8), SWEEP("tl2", "bytes", 4096),
                           SWEEP("elut4", "bytes", 4096), SWEEP("tl1", "floats", 4096),
                           /* of which none counts */
                           PRODUCT("elut4", "bytes", 320, 4096, 1, "cold", 2, 1e-9),
                           PRODUCT("elut4", "bytes", 321, 4096, 2, "warm", 2, 1e-9),
                           PRODUCT("elut4", "bytes", 32, 4096, 1, "warm", 4, 1e-9)),
                   &settings, &data);
    assert_contains(settings,
                    "array line_title[3] = ['tl1.floats.avx2, 3^2', 'elut4.bytes.avx2, 4^2', 'tl2.bytes.avx2, 3^3']");
    assert_contains(
        data, "\n9 160 1 \"tl1.floats.avx2, C = 3, g = 2: tables take as long as the look-ups of 160 rows, ",
        "\n16 320 0 \"elut4.bytes.avx2, C = 4, g = 2: tables take as long as the look-ups of 320 rows (in proportion",
        "\n27 250 1 ");
    assert_lacks(data, "\n32 ");
}

TEST(the_k_of_most_kernels_is_drawn)
{
    freed char *settings, *data;
    select_records("elut_crossing",
                   RECORDS(TABLES("tables", "tl2.bytes.avx2", "null", 4096, 2e-6),
                           TABLES("tables", "tl2.bytes.avx2", "null", 1536, 2e-6),
                           TABLES("tables", "elut5.bytes.avx2", "null", 1536, 1e-6), SWEEP("tl2", "bytes", 4096),
                           SWEEP("tl2", "bytes", 1536), SWEEP("elut5", "bytes", 1536)),
                   &settings, &data);
    assert_contains(settings, "K = 1536, one thread'\nlines = 2\n");
}

TEST(without_a_sweep_the_command_is_named)
{
    /* a kernel whose indices are no groups, and one with too few shapes */
    MADE_RUN(run, RECORDS(TABLES("tables", "tmac2.bytes.avx2", "null", 4096, 2e-6), SWEEP("tmac2", "bytes", 4096),
                          TABLES("tables", "tl1.bytes.avx2", "null", 4096, 2e-6),
                          PRODUCT("tl1", "bytes", 64, 4096, 1, "warm", 2, 1e-6)));
    assert_missing("elut_crossing", &run.view, "kneepoint gemv --warm --threads=1 --shape=64x4096");
}

RUN_TESTS(NULL, NULL)
