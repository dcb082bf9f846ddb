/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/latex.h"

#include <stdlib.h>

#include "unit_test.h"

static void expect(const char *drawn, const char *latex)
{
    char *text = latex_text(drawn, ".hero.7", "hero-inc", NULL);
    assert_string_equal(text, latex);
    free(text);
}

TEST(texts_are_escaped_and_numbers_are_not)
{
    expect("      \\put(1,2){\\makebox(0,0)[r]{\\strut{}int1_planes.mask, 99% of β}}%\n",
           "      \\put(1,2){\\makebox(0,0)[r]{\\strut{}int1\\_planes.mask, 99\\% of \\ensuremath{\\beta}}}%\n");
    expect("\\put(1,2){\\makebox(0,0){\\strut{}$16$}}%\n", "\\put(1,2){\\makebox(0,0){\\strut{}$16$}}%\n");
    expect("\\put(1,2){\\makebox(0,0){\\strut{}$1\\times10^{-6}$}}%\n",
           "\\put(1,2){\\makebox(0,0){\\strut{}$1\\times10^{-6}$}}%\n");
    expect("\\put(1,2){\\rotatebox{-270}{\\makebox(0,0){\\strut{}bandwidth {x}}}}%\n",
           "\\put(1,2){\\rotatebox{-270}{\\makebox(0,0){\\strut{}bandwidth \\{x\\}}}}%\n");
}

/* Names come from anybody's records. */
TEST(no_text_is_a_command)
{
    expect("\\put(1,2){\\makebox(0,0){\\strut{}\\input{/etc/passwd}}}%\n",
           "\\put(1,2){\\makebox(0,0){\\strut{}\\textbackslash{}input\\{/etc/passwd\\}}}%\n");
    expect("\\put(1,2){\\makebox(0,0){\\strut{}$\\input{x}$}}%\n",
           "\\put(1,2){\\makebox(0,0){\\strut{}\\$\\textbackslash{}input\\{x\\}\\$}}%\n");
    expect("\\strut{}\\strut{}a_b", "\\strut{}\\textbackslash{}strut\\{\\}a\\_b"); /* a line that was cut */
}

TEST(the_graphic_has_the_name_that_it_will_have)
{
    expect("    \\put(0,0){\\includegraphics[width={252.00bp},height={229.00bp}]{.hero.7}}%\n",
           "    \\put(0,0){\\includegraphics[width={252.00bp},height={229.00bp}]{hero-inc}}%\n");
    expect("\\makeatletter\n", "\\makeatletter\n");
    expect("", "");
}

TEST(a_caption_stands_where_captions_can)
{
    char *text = latex_text("a\n", "x", "y", "50% of β");
    assert_string_equal(text,
                        "a\n\\providecommand{\\kneepointcaption}[1]{\\expandafter\\ifx\\csname @captype\\endcsname"
                        "\\relax\\else\\caption{#1}\\fi}%\n\\kneepointcaption{50\\% of \\ensuremath{\\beta}}%\n");
    free(text);
}

RUN_TESTS(NULL, NULL)
