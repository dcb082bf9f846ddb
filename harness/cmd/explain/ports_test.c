/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/explain/explain_command.h"

#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

static const char view[] =
    "\n\nResources:\n[0]   - XxAGU0\n[1]   - XxALU\n[2.0] - XxFPP\n[2.1] - XxFPP\n\n\n"
    "Resource pressure per iteration:\n[0]    [1]    [2.0]  [2.1]  \n -     1.00   0.50   1.50   \n\n"
    "Resource pressure by instruction:\n[0]    [1]    [2.0]  [2.1]  Instructions:\n"
    " -      -     0.50   0.50   vpand\t%ymm0, %ymm1, %ymm2\n -     1.00    -     1.00   vpaddd\t%ymm0, %ymm1, %ymm2\n";

static void assert_written(const char *text, size_t width, const char *wanted)
{
    char *written = NULL;
    size_t length;
    FILE *stream = open_memstream(&written, &length);
    assert_non_null(stream);
    ports_write(stream, text, width);
    fclose(stream);
    assert_string_equal(written, wanted);
    free(written);
}

TEST(resources_that_are_taken_are_columns_and_their_units_sums)
{
    assert_written(view, 0,
                   "      ALU   FPP\n     1.00  2.00  all of it\n        -  1.00  vpand %ymm0, %ymm1, %ymm2\n"
                   "     1.00  1.00  vpaddd %ymm0, %ymm1, %ymm2\n");
}

TEST(instructions_are_cut_to_the_width)
{
    assert_written(view, 37,
                   "      ALU   FPP\n     1.00  2.00  all of it\n        -  1.00  vpand %ymm0, %ymm1, \n"
                   "     1.00  1.00  vpaddd %ymm0, %ymm1,\n");
}

/* Where there is no room for an instruction beside all of them, as on cores with 13 that are taken. */
TEST(what_is_taken_least_is_left_out)
{
    assert_written(view, 36,
                   "      FPP\n     2.00  all of it\n     1.00  vpand %ymm0, %ymm1, %ymm2\n"
                   "     1.00  vpaddd %ymm0, %ymm1, %ymm\n    least taken and not shown: ALU\n");
    assert_written(view, 12,
                   "      FPP\n     2.00  a\n     1.00  v\n     1.00  v\n    least taken and not shown: ALU\n");
}

TEST(sums_of_100_and_more_keep_their_column)
{
    assert_written(
        "\n\nResources:\n[0] - XxALU\n[1] - XxFPP\n\n\nResource pressure per iteration:\n[0] [1]\n110.00 99.99\n\n"
        "Resource pressure by instruction:\n[0] [1] Instructions:\n1099.60 99.996 nop\n",
        80, "      ALU   FPP\n    110.0 99.99  all of it\n     1100 100.0  nop\n");
}

TEST(what_is_no_such_view_stays)
{
    assert_written("Resources:\nnone\n", 80, "Resources:\nnone\n");
    assert_written("", 80, "");
}

RUN_TESTS(NULL, NULL)
