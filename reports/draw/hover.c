/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/svg_compact.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"

/* As gnuplot 5.4 writes them. */
static const char label_begin[] = "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'";
static const char label_end[] = "')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>";
static const char mark_begin[] = "<use xlink:href='#gpPt6' transform='translate(";
static const char bar_begin[] = "<polygon fill";
static const char plot_begin[] = "<g id=\"";

/** Pixels that a value may lie off the edge of its bar, which gnuplot rounds. */
#define ON_EDGE 1.0

struct box {
    double left, right, top, bottom;
};

struct boxes {
    struct box *of;
    size_t count;
};

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

/* A polygon of four corners. */
static bool read_box(const char *polygon, struct box *box)
{
    const char *points = strstr(polygon, "points = '");
    double x[4], y[4];
    if (!points || points > polygon + strcspn(polygon, "\n") ||
        sscanf(points, "points = '%lf,%lf %lf,%lf %lf,%lf %lf,%lf", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2], &x[3],
               &y[3]) != 8)
        return false;
    box->left = fmin(fmin(x[0], x[1]), fmin(x[2], x[3]));
    box->right = fmax(fmax(x[0], x[1]), fmax(x[2], x[3]));
    box->top = fmin(fmin(y[0], y[1]), fmin(y[2], y[3]));
    box->bottom = fmax(fmax(y[0], y[1]), fmax(y[2], y[3]));
    return true;
}

static struct boxes find_boxes(const char *svg)
{
    struct boxes boxes = {.of = need(count_of(svg, bar_begin) + 1, sizeof *boxes.of)};
    for (const char *at = strstr(svg, bar_begin); boxes.of && at; at = strstr(at + 1, bar_begin))
        boxes.count += read_box(at, &boxes.of[boxes.count]);
    return boxes;
}

/* A vertical bar ends in its value at the top, a horizontal one at the right. */
static bool ends_in(const struct box *box, double x, double y)
{
    bool upright = fabs(y - box->top) <= ON_EDGE && x > box->left && x < box->right;
    bool lying = fabs(x - box->right) <= ON_EDGE && y > box->top && y < box->bottom;
    return upright || lying;
}

/* The smallest bar that ends in the point, since backgrounds are boxes too; NULL if no bar does. */
static const struct box *bar_at(const struct boxes *boxes, double x, double y)
{
    const struct box *smallest = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < boxes->count; i++) {
        const struct box *box = &boxes->of[i];
        double area = (box->right - box->left) * (box->bottom - box->top);
        if (area < least && ends_in(box, x, y)) {
            smallest = box;
            least = area;
        }
    }
    return smallest;
}

/* What the pointer meets: the bar of the mark, or the mark. @return past it */
static const char *write_target(const struct boxes *boxes, const char *mark, FILE *out)
{
    double x, y;
    const char *end = strstr(mark, "/>");
    if (!end || sscanf(mark + sizeof mark_begin - 1, "%lf,%lf", &x, &y) != 2)
        return mark;
    const struct box *bar = bar_at(boxes, x, y);
    if (bar)
        fprintf(out,
                "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' fill='currentColor' stroke='none' opacity='0'/>",
                bar->left, bar->top, bar->right - bar->left, bar->bottom - bar->top);
    else
        fwrite(mark, 1, (size_t)(end + 2 - mark), out);
    return end + 2;
}

/* @return past the opening of the group and its target; at itself if this is no label as expected */
static const char *write_label(const struct boxes *boxes, const char *label, FILE *out)
{
    const char *text = label + sizeof label_begin - 1, *end = strstr(text, label_end);
    if (!end)
        return label;
    fputs("<g class=\"value\"><title>", out);
    fwrite(text, 1, (size_t)(end - text), out);
    fputs("</title>", out);
    const char *after = end + sizeof label_end - 1, *mark = after + strspn(after, " \t\n");
    return strncmp(mark, mark_begin, sizeof mark_begin - 1) == 0 ? write_target(boxes, mark, out) : after;
}

/* `<g id="knee_plot_3" ><title>knee_plot_3</title>` without its title. @return past it, or at itself */
static const char *write_plot(const char *group, FILE *out)
{
    const char *opened = group + strcspn(group, ">\n"), *close = strstr(group, "</title>");
    if (strncmp(opened, "><title>", 8) != 0 || !close || close > group + strcspn(group, "\n"))
        return group;
    fwrite(group, 1, (size_t)(opened + 1 - group), out);
    return close + strlen("</title>");
}

char *hover_titles(const char *svg)
{
    char *text = NULL;
    size_t length;
    struct boxes boxes = find_boxes(svg);
    FILE *out = need_stream(&text, &length);
    for (const char *at = svg; boxes.of && out && *at;) {
        const char *after = at;
        if (strncmp(at, label_begin, sizeof label_begin - 1) == 0)
            after = write_label(&boxes, at, out);
        else if (strncmp(at, plot_begin, sizeof plot_begin - 1) == 0)
            after = write_plot(at, out);
        if (after == at)
            fputc(*after++, out);
        at = after;
    }
    bool failed = !boxes.of || !out || ferror(out);
    if (out && need_close(out) != 0)
        failed = true;
    free(boxes.of);
    if (failed) {
        free(text);
        return NULL;
    }
    return text;
}
