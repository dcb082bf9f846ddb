/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/svg_compact.h"

#include "reports/select/run/testing.h"

#define STYLE(width) "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"" width "\">\n"
#define GRID(d)      STYLE("0.60") "\t<path stroke='rgb(217, 217, 217)' class=\"gridline\"  d='" d "'/></g>\n"
#define TIC(d, y, text)                                                                                                \
    STYLE("1.20")                                                                                                      \
    "\t<path stroke='rgb( 26,  26,  26)'  d='" d "'/>\t<g transform=\"translate(59.50," y                              \
    ")\" stroke=\"none\" fill=\"rgb(26,26,26)\" font-family=\"sans\" font-size=\"11.00\"  text-anchor=\"end\">\n"      \
    "\t\t<text>" text "</text>\n\t</g>\n</g>\n"

static char *compact(const char *svg)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    svg_compact(svg, out);
    fclose(out);
    return text;
}

static char *path(const char *data)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    svg_path_write(data, strlen(data), out);
    fclose(out);
    return text;
}

static void assert_text(char *text, const char *expected)
{
    assert_string_equal(text, expected);
    free(text);
}

TEST(a_line_is_its_steps)
{
    assert_text(path("M70.00,226.00 L276.70,226.00  "), "M70,226h206.7");
    assert_text(path("M1,2 L1,9.04 L3.26,9 \n L3,8"), "M1,2v7h2.3l-.3-1");
}

TEST(points_on_a_straight_line_are_left_out_and_corners_stay)
{
    assert_text(path("M0,0 L1,1 L2,2 L3,3 L3,4"), "M0,0l3,3v1");
    assert_text(path("M0,0 L4,0 L2,0"), "M0,0h4h-2");   /* there and back */
    assert_text(path("M5,5 M0,0 L1,0 M9,9"), "M0,0h1"); /* starts that nothing is drawn from */
    assert_text(path("M0,0 L0,0"), "M0,0h0");
}

TEST(what_is_no_line_stays_and_nonsense_ends)
{
    assert_text(path("M0,1.330 L1.265,0.411 z"), "M0,1.330 L1.265,0.411 z");
    assert_text(path(""), "");
    static const char *const odd[] = {"M", "M,", "L1", "M1,", "M1,2 L", "--,,..", "1,2,3", "M-,1 L2,-"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        free(path(odd[i]));
}

TEST(axes_are_one_grid_one_line_and_texts)
{
    assert_text(compact("<g id=\"gnuplot_canvas\">\n" GRID("M70,226 L276.7,226") TIC("M70,226 L81.2,226", "229.50", "1")
                            GRID("M70,191.8 L276.7,191.8") TIC("M70,191.8 L81.2,191.8", "195.30", "8") "</g>\n"),
                "<g fill=\"none\" stroke=\"currentColor\"><g stroke-width=\"0.6\">"
                "<path stroke=\"#d9d9d9\" d=\"M70,226h206.7M70,191.8h206.7\"/></g><g stroke-width=\"1.2\">"
                "<path stroke=\"#1a1a1a\" d=\"M70,226h11.2M70,191.8h11.2\"/>"
                "<text x=\"59.5\" y=\"229.5\" font-size=\"11\" text-anchor=\"end\">1</text>"
                "<text x=\"59.5\" y=\"195.3\" font-size=\"11\" text-anchor=\"end\">8</text></g></g>");
}

TEST(lines_of_a_plot_keep_their_order)
{
    assert_text(
        compact(STYLE("1.2") "<path stroke='rgb(213,  94,   0)' d='M0,0 L1,0'/></g>" STYLE(
            "1.2") "<path stroke='rgb(  0, 114, 178)' stroke-dasharray='5.8,2.9' d='M0,0 L1,0'/></g>" STYLE("1.2") "<path stroke='rgb(213,  94,   0)' d='M0,5 L1,5'/></g>"),
        "<g stroke-width=\"1.2\"><path stroke=\"#d55e00\" d=\"M0,0h1\"/>"
        "<path stroke=\"#0072b2\" stroke-dasharray=\"5.8,2.9\" d=\"M0,0h1\"/>"
        "<path stroke=\"#d55e00\" d=\"M0,5h1\"/></g>");
}

TEST(values_symbols_and_boxes_keep_place_and_colour)
{
    char *text = compact(
        "<defs><circle id='gpDot' r='0.5'/>\n<path id='gpPt1' d='M-1,-1 L1,1'/>\n"
        "<circle id='gpPt5' r='1'/><use xlink:href='#gpPt5' id='gpPt6'/></defs>\n" STYLE(
            "1.20") "<use xlink:href='#gpPt6' transform='translate(10.04,20.50) scale(4.50)' color='rgb(  0, 158, 115)'/>"
                    "<use xlink:href='#gpPt6' transform='translate(30,2) scale(4.50)' color='rgb(  0, 158, 115)'/>"
                    "</g><g stroke='none' shape-rendering='crispEdges'>"
                    "<polygon fill = 'rgb(213,  94,   0)' fill-opacity = '0.85' points = '1,2 5,2 5,9 1,9 '/></g>"
                    "<g class=\"value\"><title>v 1 &lt; 2</title>"
                    "<use xlink:href='#gpPt6' transform='translate(7,8) scale(7.30)' opacity='0.00'/></g>"
                    "<g class=\"value\"><title>w</title><rect x='1.00' y='2.00' width='3.50' height='4.00' fill='x'/></g>");
    assert_text(
        text,
        "<defs><circle id='gpPt5' r='1'/><use xlink:href='#gpPt5' id='gpPt6'/></defs>"
        "<g color=\"#009e73\" stroke-width=\"1.2\"><use href=\"#gpPt6\" transform=\"translate(10,20.5)scale(4.5)\"/>"
        "<use href=\"#gpPt6\" transform=\"translate(30,2)scale(4.5)\"/></g>"
        "<g class=\"boxes\"><path fill=\"#d55e00\" fill-opacity=\"0.85\" d=\"M1,2h4v7h-4z\"/></g>"
        "<circle class=\"value\" cx=\"7\" cy=\"8\" r=\"7.3\"><title>v 1 &lt; 2</title></circle>"
        "<rect class=\"value\" x=\"1\" y=\"2\" width=\"3.5\" height=\"4\"><title>w</title></rect>");
}

TEST(what_is_not_known_stays)
{
    assert_text(compact("<desc>by gnuplot</desc><g clip-path=\"url(#c)\"><image x='1'/>a &amp; b</g>"),
                "<g clip-path=\"url(#c)\"><image x='1'/>a &amp; b</g>");
    assert_text(compact("<g transform=\"rotate(5)\"><text><tspan>x</tspan></text></g>"),
                "<g transform=\"rotate(5)\"><text><tspan>x</tspan></text></g>");
    static const char *const odd[] = {"",
                                      "<",
                                      "<g",
                                      "<g >",
                                      "</g></g>",
                                      "<path ",
                                      "<use />",
                                      "<defs>",
                                      "<text",
                                      "<polygon >",
                                      "<g class=\"value\"><title>",
                                      "<desc>"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        free(compact(odd[i]));
}

RUN_TESTS(NULL, NULL)
