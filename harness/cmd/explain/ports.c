/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See ports.h.
 */
#include "harness/cmd/explain/explain_command.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS_MOST = 64, NAME_SIZE = 48, INDENT = 4, LEAST_WIDTH = 5, TEXT_LEAST = 20 };

struct unit {
    char name[NAME_SIZE];
    size_t resource; /* the first unit of this name */
};

struct view {
    struct unit unit[UNITS_MOST];
    size_t units, prefix;   /* letters that all names begin with */
    double sum[UNITS_MOST]; /* an iteration, of a resource */
    bool shown[UNITS_MOST];
    const char *iteration, *instructions; /* the lines below their headings of units */
};

/** The line after the one that begins with these words; NULL without one. */
static const char *line_after(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    at = at ? strchr(at, '\n') : NULL;
    return at ? at + 1 : NULL;
}

/** "[12.0] - Zn3FPP45", a line each. @return whether there are any, and not too many */
static bool read_units(struct view *view, const char *text)
{
    const char *at = line_after(text, "Resources:");
    for (; at && *at == '['; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        const char *name = strstr(at, "- ");
        if (!name || view->units == UNITS_MOST)
            return false;
        struct unit *unit = &view->unit[view->units];
        snprintf(unit->name, sizeof unit->name, "%.*s", (int)strcspn(name + 2, " \n"), name + 2);
        unit->resource = view->units;
        for (size_t u = view->units; u-- > 0;) {
            if (strcmp(view->unit[u].name, unit->name) == 0)
                unit->resource = view->unit[u].resource;
        }
        view->units++;
    }
    return view->units > 0;
}

static void find_prefix(struct view *view)
{
    const char *first = view->unit[0].name;
    view->prefix = strlen(first);
    for (size_t u = 1; u < view->units; u++) {
        size_t same = 0;
        while (same < view->prefix && view->unit[u].name[same] == first[same])
            same++;
        view->prefix = same;
    }
    for (size_t u = 0; u < view->units; u++) { /* a name that is nothing but a number says too little */
        while (view->prefix && !isupper((unsigned char)view->unit[u].name[view->prefix]))
            view->prefix--;
    }
}

/** The pressures of a line, summed by resource. @return what follows them, NULL if they are not numbers */
static const char *read_line(const struct view *view, const char *line, double sum[UNITS_MOST])
{
    memset(sum, 0, UNITS_MOST * sizeof *sum);
    for (size_t u = 0; u < view->units; u++) {
        char *end;
        line += strspn(line, " ");
        double value = strtod(line, &end);
        if (end == line && *line != '-')
            return NULL;
        line = end == line ? line + 1 : end;
        sum[view->unit[u].resource] += value;
    }
    return line + strspn(line, " ");
}

static bool read_view(struct view *view, const char *text)
{
    view->iteration = line_after(text, "Resource pressure per iteration:");
    view->instructions = line_after(text, "Resource pressure by instruction:");
    if (!view->iteration || !view->instructions || !read_units(view, text))
        return false;
    view->iteration = line_after(view->iteration, "[");
    view->instructions = line_after(view->instructions, "[");
    if (!view->iteration || !view->instructions || !read_line(view, view->iteration, view->sum))
        return false;
    for (size_t u = 0; u < view->units; u++)
        view->shown[u] = view->sum[u] > 0;
    find_prefix(view);
    return true;
}

static int width_of(const struct view *view, size_t u)
{
    size_t length = strlen(view->unit[u].name + view->prefix);
    return (int)(length > LEAST_WIDTH ? length : LEAST_WIDTH);
}

/** Leave out what is taken least, until an instruction has room beside the rest. */
static void fit(struct view *view, size_t width)
{
    for (;;) {
        size_t used = INDENT - 1, columns = 0, least = 0;
        for (size_t u = 0; u < view->units; u++) {
            if (!view->shown[u])
                continue;
            used += (size_t)width_of(view, u) + 1;
            if (!columns++ || view->sum[u] < view->sum[least])
                least = u;
        }
        if (!width || columns < 2 || used + 2 + TEXT_LEAST <= width)
            return;
        view->shown[least] = false;
    }
}

static void write_left_out(FILE *stream, const struct view *view)
{
    const char *before = "    least taken and not shown:";
    for (size_t u = 0; u < view->units; u++) {
        if (view->shown[u] || !(view->sum[u] > 0))
            continue;
        fprintf(stream, "%s %s", before, view->unit[u].name + view->prefix);
        before = "";
    }
    if (!*before)
        fputc('\n', stream);
}

/** Of 100 and more fewer digits after the point, so that they keep their column. */
static int digits_of(double sum)
{
    return sum < 99.995 ? 2 : sum < 999.95 ? 1 : 0;
}

/** @return columns that they take */
static size_t write_sums(FILE *stream, const struct view *view, const double *sum)
{
    size_t used = (size_t)fprintf(stream, "%*s", INDENT - 1, "");
    for (size_t u = 0; u < view->units; u++) {
        if (!view->shown[u])
            continue;
        if (!sum)
            used += (size_t)fprintf(stream, " %*s", width_of(view, u), view->unit[u].name + view->prefix);
        else if (sum[u] > 0)
            used += (size_t)fprintf(stream, " %*.*f", width_of(view, u), digits_of(sum[u]), sum[u]);
        else
            used += (size_t)fprintf(stream, " %*s", width_of(view, u), "-");
    }
    return used;
}

/** An instruction, its tab a blank, in what is left of the width. */
static void write_instruction(FILE *stream, const char *text, size_t used, size_t width)
{
    size_t length = strcspn(text, "\n"), most = width > used + 2 ? width - used - 2 : length;
    fputs("  ", stream);
    for (size_t i = 0; i < length && i < most; i++)
        fputc(text[i] == '\t' ? ' ' : text[i], stream);
    fputc('\n', stream);
}

void ports_write(FILE *stream, const char *text, size_t width)
{
    struct view view = {0};
    double sum[UNITS_MOST];
    if (!read_view(&view, text)) {
        fputs(text, stream);
        return;
    }
    fit(&view, width);
    write_sums(stream, &view, NULL);
    fputc('\n', stream);
    write_instruction(stream, "all of it", write_sums(stream, &view, view.sum), width);
    for (const char *line = view.instructions; line && *line && *line != '\n';) {
        const char *after = read_line(&view, line, sum);
        if (!after)
            break;
        write_instruction(stream, after, write_sums(stream, &view, sum), width);
        line = strchr(after, '\n') ? strchr(after, '\n') + 1 : NULL;
    }
    write_left_out(stream, &view);
}
