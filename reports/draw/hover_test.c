/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/svg_compact.h"

#include "reports/select/run/testing.h"

#define LABEL(text, x, y)                                                                                              \
    "\t<g onmousemove=\"gnuplot_svg.showHypertext(evt,'" text                                                          \
    "')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>\n"                                               \
    "\t<use xlink:href='#gpPt6' transform='translate(" #x "," #y ") scale(5.00)' opacity='0.00'/></g>\n"
#define BAR(left, top, right, bottom)                                                                                  \
    "\t\t<polygon fill = 'rgb(0,0,0)' points = '" #left "," #bottom " " #right "," #bottom " " #right "," #top         \
    " " #left "," #top " '/>\n"
#define TITLE(text) "<g class=\"value\"><title>" text "</title>"
#define MARK(x, y)  "<use xlink:href='#gpPt6' transform='translate(" #x "," #y ") scale(5.00)' opacity='0.00'/></g>\n"

TEST(a_label_becomes_a_title)
{
    freed char *text = hover_titles("<svg>\n" LABEL("a &amp; b: it's 2.5", 10.00, 20.50) LABEL("c", 1, 2) "</svg>\n");
    assert_string_equal(text, "<svg>\n\t" TITLE("a &amp; b: it's 2.5") MARK(10.00, 20.50) "\t" TITLE("c")
                                  MARK(1, 2) "</svg>\n");
}

TEST(a_value_on_the_end_of_a_bar_is_the_bars)
{
    /* an upright bar before a background whose top it does not reach, and a lying one */
    freed char *text = hover_titles(BAR(0, 0, 500, 300) BAR(10, 20, 30, 300) BAR(100, 40, 160, 60) LABEL("up", 20, 20.4)
                                        LABEL("right", 159.6, 50) LABEL("none", 20, 100));
    assert_contains(text, TITLE("up") "<rect x='10.00' y='20.00' width='20.00' height='280.00' ",
                    TITLE("right") "<rect x='100.00' y='40.00' width='60.00' height='20.00' ",
                    TITLE("none") MARK(20, 100));
    assert_contains(text, BAR(10, 20, 30, 300)); /* what is seen stays */
}

TEST(of_two_bars_the_smaller_counts)
{
    freed char *text = hover_titles(BAR(0, 20, 100, 90) BAR(10, 20, 30, 90) LABEL("v", 20, 20));
    assert_contains(text, "<rect x='10.00' y='20.00' width='20.00' height='70.00' ");
}

TEST(titles_of_plots_are_left_out)
{
    char *text =
        hover_titles("<title>knee</title>\n<g id=\"knee_plot_3\" ><title>knee_plot_3</title>\n<g id=\"canvas\">\n");
    assert_string_equal(text, "<title>knee</title>\n<g id=\"knee_plot_3\" >\n<g id=\"canvas\">\n");
    free(text);
}

TEST(what_is_not_as_expected_stays)
{
    static const char *const odd[] = {
        "",
        "<svg/>",
        "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'cut",
        "<g id=\"a\"",
        "<polygon fill = 'x' points = '1,2 3,4 '/>",
        "<polygon fill",
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char *text = hover_titles(odd[i]);
        assert_string_equal(text, odd[i]);
        free(text);
    }
    freed char *text = hover_titles("<g onmousemove=\"gnuplot_svg.showHypertext(evt,'v')\" "
                                    "onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>\n\t"
                                    "<use xlink:href='#gpPt6' transform='translate(x)'/></g>");
    assert_string_equal(text, TITLE("v") "<use xlink:href='#gpPt6' transform='translate(x)'/></g>");
}

RUN_TESTS(NULL, NULL)
