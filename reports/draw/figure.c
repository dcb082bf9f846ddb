/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/figure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "registry.h"
#include "reports/draw/citation.h"
#include "reports/draw/embedded_text.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/latex.h"
#include "reports/draw/svg_compact.h"
#include "reports/select/machines/reference_platforms.h"
#include "reports/select/run/remedy.h"
#include "results/files/file_replace.h"
#include "results/files/need.h"

#define DECLARE(name) extern const struct figure name;
REGISTRY_FIGURES(DECLARE)

#define ENTRY(name) &name,
static const struct figure *const registered[] = {REGISTRY_FIGURES(ENTRY) NULL};

static int by_rank(const void *a, const void *b)
{
    const struct figure *left = *(const struct figure *const *)a, *right = *(const struct figure *const *)b;
    return left->rank != right->rank ? left->rank - right->rank : strcmp(left->name, right->name);
}

size_t figure_list(const struct figure **figures, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; registered[i] && count < capacity; i++)
        figures[count++] = registered[i];
    qsort(figures, count, sizeof(const struct figure *), by_rank);
    return count;
}

const struct figure *figure_find(const char *name)
{
    for (size_t i = 0; registered[i]; i++) {
        const struct figure *figure = registered[i];
        if (strcmp(figure->name, name) == 0)
            return figure;
    }
    return NULL;
}

bool figure_format_known(const char *format)
{
    return strcmp(format, "svg") == 0 || strcmp(format, "png") == 0 || strcmp(format, "pdf") == 0 ||
           strcmp(format, "tex") == 0;
}

bool figure_missing(const struct figure *figure, const struct view *view, char *text, size_t size)
{
    FILE *out = need_buffer(text, size);
    char remedy[512];
    bool missing = false;
    text[0] = 0;
    if (!out)
        return false;
    for (enum view_type type = 0; type < VIEW_TYPES; type++) {
        if (!(figure->needs & NEEDS(type)) || view->of[type].count)
            continue;
        fprintf(out, "%sno '%s' records (`%s` measures them)", missing ? ", " : "", view_type_name(type),
                remedy_of(view, view_type_command(type), remedy, sizeof remedy));
        missing = true;
    }
    fclose(out);
    return missing;
}

static void say_nothing_to_draw(const struct figure *figure, const struct view *view, int error, char *why, size_t size)
{
    char remedy[768];
    if (error != -ENODATA)
        snprintf(why, size, "figure %s: %s", figure->name, strerror(-error));
    else if (figure->platforms && !figure->needs)
        snprintf(why, size,
                 "figure %s: neither the run nor the platforms state what it draws; give --platform with %s%s%s%s",
                 figure->name, figure->lacking ? figure->lacking : "gammas", figure->measured_by ? ", such as `" : "",
                 figure->measured_by ? figure->measured_by : "", figure->measured_by ? "` writes" : "");
    else
        snprintf(why, size, "figure %s: %s holds %s%s; `%s` measures it", figure->name, view->path,
                 figure->lacking ? "no " : "nothing to draw", figure->lacking ? figure->lacking : "",
                 remedy_of(view, figure->measured_by ? figure->measured_by : "kneepoint characterize", remedy,
                           sizeof remedy));
}

int figure_select(const struct figure *figure, const struct view *view, char **settings, char **data, char *why,
                  size_t size)
{
    char missing[1024];
    *settings = *data = NULL;
    if (figure_missing(figure, view, missing, sizeof missing)) {
        snprintf(why, size, "figure %s: %s holds %s", figure->name, view->path, missing);
        return -ENODATA;
    }
    size_t settings_length, data_length;
    FILE *settings_stream = need_stream(settings, &settings_length);
    FILE *data_stream = need_stream(data, &data_length);
    int error = !settings_stream || !data_stream ? -ENOMEM
                : figure->frame                  ? figure->frame->write(figure, view, settings_stream, data_stream)
                                                 : figure->write(view, settings_stream, data_stream);
    if (settings_stream && need_close(settings_stream) != 0)
        error = -ENOMEM;
    if (data_stream && need_close(data_stream) != 0)
        error = -ENOMEM;
    if (error) {
        free(*settings);
        free(*data);
        *settings = *data = NULL;
        say_nothing_to_draw(figure, view, error, why, size);
    }
    return error;
}

/* The caption that is written next to the picture. Caller frees. */
static char *caption_text(const struct figure *figure, const struct view *view)
{
    char *text = NULL, origin[CITATION_MAX];
    size_t length;
    FILE *out = need_stream(&text, &length);
    if (!out)
        return NULL;
    citation_of(figure, view, origin, sizeof origin);
    fprintf(out, "%s\n\n%s\n\nUnits: %s\nMeasured: %s\n", figure->title, figure->caption, figure->units, origin);
    for (size_t i = 0; figure->platforms && i < view->platform_count; i++)
        fprintf(out, "Modelled: %s (%s), %s\n", view->platforms[i].title, view->platforms[i].name,
                *view->platforms[i].source ? view->platforms[i].source : "no source stated");
    if (figure->paper)
        fprintf(out, "Stated: %s (kneepoint papers %s)\n", figure->paper, figure->paper);
    fprintf(out, "Drawn by: kneepoint %s, figure %s; data %s.dat, script %s.gp\n", KNEEPOINT_VERSION, figure->name,
            figure->name, figure->name);
    return need_close(out) == 0 ? text : NULL;
}

/* The script that is written next to the data: settings of this run, the common style, the drawing. Caller frees. */
static char *script_text(const struct figure *figure, const struct view *view, const char *settings, bool narrow)
{
    char *text = NULL;
    size_t length;
    FILE *out = need_stream(&text, &length);
    if (!out)
        return NULL;
    char script[128], subtitle[384];
    snprintf(script, sizeof script, figure->frame ? "%s.gnuplot" : "%s.gp",
             figure->frame ? figure->frame->name : figure->name);
    citation_origin(figure, view, subtitle, sizeof subtitle);
    fprintf(out,
            "# Draws %s.svg from %s.dat: gnuplot %s.gp, or gnuplot -e \"format='png'\" %s.gp (svg, png, pdf, tex).\n",
            figure->name, figure->name, figure->name, figure->name);
    fprintf(out, "# Written by kneepoint %s.\n\nfigure = '%s'\nheading = ", KNEEPOINT_VERSION, figure->name);
    gnuplot_write_string(out, figure->title);
    fputs("\nsubtitle = ", out);
    gnuplot_write_string(out, subtitle);
    fprintf(out, "\n%s%s\n%s\n%s", narrow ? "narrow = 1\n" : "", settings, embedded_text("reports/draw/style.gnuplot"),
            embedded_text_below(figure->frame ? "reports/draw" : "reports/figures", script));
    return need_close(out) == 0 ? text : NULL;
}

static int put(const char *folder, const char *name, const char *suffix, const char *text, char *why, size_t size)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffix) >= (int)sizeof path) {
        snprintf(why, size, "the path of %s is too long; choose a shorter --output", folder);
        return -ENAMETOOLONG;
    }
    return file_replace(path, text, strlen(text), why, size);
}

char *figure_read(const char *path)
{
    char *text = NULL, chunk[65536];
    size_t length;
    FILE *in = fopen(path, "re"), *out = in ? need_stream(&text, &length) : NULL;
    for (size_t got; out && (got = fread(chunk, 1, sizeof chunk, in)) > 0;)
        fwrite(chunk, 1, got, out);
    int error = !in || ferror(in) ? errno : 0;
    if (in)
        fclose(in);
    if (out)
        need_close(out);
    if (error) {
        free(text);
        text = NULL;
        errno = error;
    }
    return text;
}

/* What gnuplot wrote, with values on hover. A file that is not there is reported by the rename that follows. */
static int title_values(const char *path, char *why, size_t size)
{
    char *drawn = figure_read(path), *titled = drawn ? hover_titles(drawn) : NULL;
    int error = drawn || errno == ENOENT ? 0 : -errno;
    if (error)
        snprintf(why, size, "cannot read %s: %s", path, strerror(-error));
    if (drawn && !titled) {
        snprintf(why, size, "not enough memory for %s", path);
        error = -ENOMEM;
    }
    if (titled)
        error = file_replace(path, titled, strlen(titled), why, size);
    free(drawn);
    free(titled);
    return error;
}

/* Of a .tex what it includes is a file of its own, <name>-inc.pdf, so that it is not taken for the figure as PDF. */
static int name_graphic(const char *name, const char *folder, const char *unfinished, const char *caption, char *why,
                        size_t size)
{
    char tex[4096], from[4096], to[4096], named[128];
    snprintf(named, sizeof named, "%s-inc", name);
    snprintf(tex, sizeof tex, "%s/%s.tex", folder, unfinished);
    snprintf(from, sizeof from, "%s/%s.pdf", folder, unfinished);
    snprintf(to, sizeof to, "%s/%s.pdf", folder, named);
    char *drawn = figure_read(tex), *text = drawn ? latex_text(drawn, unfinished, named, caption) : NULL;
    int error = 0;
    if (drawn && !text) {
        snprintf(why, size, "not enough memory for %s", tex);
        error = -ENOMEM;
    }
    if (text)
        error = file_replace(tex, text, strlen(text), why, size);
    if (!error && rename(from, to) != 0) {
        error = -errno;
        snprintf(why, size, "cannot write %s: %s", to, strerror(-error));
    }
    free(drawn);
    free(text);
    return error;
}

/* The picture for LaTeX, and what its caption says. */
static int write_latex(const struct figure *figure, const struct view *view, const char *folder, const char *unfinished,
                       char *why, size_t size)
{
    char cited[CITATION_MAX], *caption = NULL;
    size_t length;
    citation_of(figure, view, cited, sizeof cited);
    FILE *out = need_stream(&caption, &length);
    if (out) {
        bool ends = strchr("?!.", figure->title[strlen(figure->title) - 1]);
        fprintf(out, "%s%s %s Measured: %s.", figure->title, ends ? "" : ".", figure->caption, cited);
        need_close(out);
    }
    int error = caption ? name_graphic(figure->name, folder, unfinished, caption, why, size) : -ENOMEM;
    if (!caption)
        snprintf(why, size, "figure %s: not enough memory", figure->name);
    free(caption);
    return error;
}

/* Let gnuplot draw under another name, then rename, so that a picture is complete or absent. */
static int draw(const struct figure *figure, const struct view *view, const char *folder, const char *format, char *why,
                size_t size)
{
    char script[128], name[128], unfinished[160], from[4096], graphic[4096], to[4096];
    snprintf(script, sizeof script, "%s.gp", figure->name);
    snprintf(name, sizeof name, ".%s.%ld", figure->name, (long)getpid());
    snprintf(unfinished, sizeof unfinished, "%s.%s", name, format);
    snprintf(graphic, sizeof graphic, "%s/%s.pdf", folder, name);
    snprintf(from, sizeof from, "%s/%s", folder, unfinished);
    snprintf(to, sizeof to, "%s/%s.%s", folder, figure->name, format);
    int error = gnuplot_run(folder, script, format, unfinished, why, size);
    if (!error && strcmp(format, "svg") == 0)
        error = title_values(from, why, size);
    if (!error && strcmp(format, "tex") == 0)
        error = write_latex(figure, view, folder, name, why, size);
    if (!error && rename(from, to) != 0) {
        error = -errno;
        snprintf(why, size, "cannot write %s: %s", to, strerror(-error));
    }
    if (error) {
        unlink(from);
        unlink(graphic);
        unlink(to); /* an older picture does not belong to the data now next to it */
    }
    return error;
}

static int draw_selected(const struct figure *figure, const struct view *view, const char *folder,
                         const struct figure_form *form, char *why, size_t size)
{
    char *settings, *data;
    int error = figure_select(figure, view, &settings, &data, why, size);
    if (error)
        return error;
    if (form->narrow && !strstr(settings, "narrow_height = ")) {
        snprintf(why, size, "figure %s has no form for a column; leave --column out", figure->name);
        free(settings);
        free(data);
        return -ENOTSUP;
    }
    char *script = script_text(figure, view, settings, form->narrow), *caption = caption_text(figure, view);
    if (!script || !caption) {
        snprintf(why, size, "figure %s: not enough memory", figure->name);
        error = -ENOMEM;
    }
    if (!error)
        error = put(folder, figure->name, "dat", data, why, size);
    if (!error)
        error = put(folder, figure->name, "gp", script, why, size);
    if (!error)
        error = put(folder, figure->name, "txt", caption, why, size);
    if (!error)
        error = draw(figure, view, folder, form->format, why, size);
    free(settings);
    free(data);
    free(script);
    free(caption);
    return error;
}

/* The view with the figure's own machines where it names none. Let go of the platforms afterwards, also after an error. */
static int add_machines(const struct figure *figure, struct view *view, struct reference_platforms *platforms,
                        char *why, size_t size)
{
    *platforms = (struct reference_platforms){.count = 0};
    if (!figure->platforms || view->platform_count)
        return 0;
    int error = reference_platforms_add(platforms, figure->platforms, why, size);
    view->platforms = platforms->of;
    view->platform_count = platforms->count;
    return error;
}

int figure_draw(const struct figure *figure, const struct view *view, const char *folder,
                const struct figure_form *form, char *why, size_t size)
{
    struct reference_platforms platforms;
    struct view with = *view;
    int error = add_machines(figure, &with, &platforms, why, size);
    if (!error)
        error = draw_selected(figure, &with, folder, form, why, size);
    reference_platforms_free(&platforms);
    return error;
}

int figure_try(const struct figure *figure, const struct view *view, char *why, size_t size)
{
    struct reference_platforms platforms;
    struct view with = *view;
    char *settings = NULL, *data = NULL;
    int error = add_machines(figure, &with, &platforms, why, size);
    if (!error)
        error = figure_select(figure, &with, &settings, &data, why, size);
    free(settings);
    free(data);
    reference_platforms_free(&platforms);
    return error;
}

unsigned figure_colour(double bits)
{
    if (bits > 24)
        return 0xa8a8a8; /* greys: floats */
    if (bits > 12)
        return 0x7a7a7a;
    if (bits > 6)
        return 0x0072b2; /* blue */
    if (bits > 3.2)
        return 0xcc79a7; /* reddish purple */
    if (bits > 2.3)
        return 0xe69f00; /* orange */
    if (bits > 1.8)
        return 0xd55e00; /* vermillion */
    if (bits > 1.2)
        return 0x56b4e9; /* sky blue: ternary */
    return 0x009e73;     /* bluish green */
}

void figure_family_label(const json_t *record, char *text, size_t size)
{
    double bits = view_format_bits(record);
    snprintf(text, size, "%.3g-bit%s", bits, bits > 6 ? "" : view_is_paper(record) ? ", paper" : ", ours");
}

void figure_sequence_label(const json_t *gamma, bool as_published, char *text, size_t size)
{
    char family[64];
    figure_family_label(gamma, family, sizeof family);
    if (as_published)
        snprintf(family, sizeof family, "%.3g-bit, as published", view_format_bits(gamma));
    snprintf(text, size, "%s, %s ×%.0f", family, view_text(gamma, "name"), view_number(gamma, "accumulators"));
}
