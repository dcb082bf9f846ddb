/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "reports/select/run/view.h"

/** The question of the report under which a figure stands, in the order of the page. */
enum figure_section {
    FIGURE_UNPLACED, /* of no figure: each names its section */
    FIGURE_FIRST,    /* on the first screen */
    FIGURE_MEMORY,
    FIGURE_SEQUENCES,
    FIGURE_GEMV,
    FIGURE_GEMM,
    FIGURE_TOKENS,
    FIGURE_MODEL,
    FIGURE_PAPERS,
    FIGURE_SECTIONS
};

#define NEEDS(type) (1u << (type))

struct figure;

/** What several figures have in common: how a description selects, and reports/draw/frames/<name>.gnuplot, which draws. */
struct frame {
    const char *name;
    int (*write)(const struct figure *figure, const struct view *view, FILE *settings, FILE *data); /* as a figure's */
};

/**
 * A figure is two files: reports/figures/<paper>/<name>.gp, which draws, and <name>.c beside it, which selects what it
 * draws and defines `const struct figure figure_<name>`. Make finds it by its .c; no other file is edited.
 *
 * In the output folder each figure is four: <name>.dat, <name>.gp (style and settings included, so that `gnuplot
 * <name>.gp` draws it again by hand), <name>.txt (caption, units, source, run) and <name>.svg, .png, .pdf or .tex, which
 * includes <name>-inc.pdf.
 */
struct figure {
    const char *name;
    const char *title;
    const char *caption;         /* how to read it, in plain words */
    const char *units;           /* what the axes count */
    int rank;                    /* place in the report, ascending */
    enum figure_section section; /* under which question, there */
    unsigned needs;              /* NEEDS() of each record type without which there is nothing to draw */
    /* Comma list of machines drawn where the view names none, "": none; NULL: draws a run alone. With it and without needs no
     * run is necessary. */
    const char *platforms;
    bool of_runs;            /* of several runs in one picture (view.runs); not in the report of one */
    bool platforms_alone;    /* nothing of a run is in it, whether there is one or not, */
    bool of_devices;         /* but products of its OpenCL devices */
    const char *paper;       /* whose stated numbers stand in it, of roofline/papers; NULL: none */
    const char *lacking;     /* what it cannot be drawn without, for a message; NULL: "nothing to draw" */
    const char *measured_by; /* command whose records it selects from; NULL: characterize's */

    /**
     * Select from the records: numbers and labels to data (gnuplot blocks), counts, ranges and series to settings
     * (gnuplot assignments that the .gp reads). @return 0, or -ENODATA when the records hold nothing to draw.
     */
    int (*write)(const struct view *view, FILE *settings, FILE *data);

    const struct frame
        *frame;     /* selects and draws it as `of` says, instead of write() and a .gp of its own; NULL: none does */
    const void *of; /* of the frame's type */
};

/** All figures by rank. @return how many were written. */
#define FIGURES_MAX 64
size_t figure_list(const struct figure **figures, size_t capacity);

/** NULL: there is no figure of that name. */
const struct figure *figure_find(const char *name);

/** Whether gnuplot can be asked for this format: "svg", "png", "pdf", "tex". */
bool figure_format_known(const char *format);

/**
 * Say which records a figure lacks and which command measures them, on one line.
 * @return whether something is missing; text is empty otherwise.
 */
bool figure_missing(const struct figure *figure, const struct view *view, char *text, size_t size);

/** The data and the settings as text; caller frees both. @return 0, -ENODATA (why says what is missing), -ENOMEM. */
int figure_select(const struct figure *figure, const struct view *view, char **settings, char **data, char *why,
                  size_t size);

/** How a figure is drawn. */
struct figure_form {
    const char *format; /* svg, png, pdf, tex */
    bool narrow;        /* for a column of a paper, 3.5 inches wide, without its heading */
};

/**
 * Draw a figure into an existing folder. The picture appears under its name only when complete.
 * @return 0; -ENODATA lacking records; -ENOTSUP the figure has no narrow form (its settings state no narrow_height);
 * -ENOENT no gnuplot, or one too old (.dat and .gp are there); other errno. One line in why.
 */
int figure_draw(const struct figure *figure, const struct view *view, const char *folder,
                const struct figure_form *form, char *why, size_t size);

/** Whether there is something to draw. @return 0, or as figure_draw() before it draws, with one line in why */
int figure_try(const struct figure *figure, const struct view *view, char *why, size_t size);

/** A drawn picture as text; the caller frees. NULL, and errno, if it cannot be read. */
char *figure_read(const char *path);

/** Colours by bits per weight, told apart by colour-blind readers (Okabe and Ito). 0xRRGGBB. */
unsigned figure_colour(double bits);

/** "8-bit", "2-bit, paper", "2-bit, ours" into text. Weights of 8 bits and more have no paper's and ours. */
void figure_family_label(const json_t *record, char *text, size_t size);

/** The same of a gamma record, with what it was measured on: "2-bit, ours, int2_planes.prefix.avx512_vnni ×12",
 * or "2-bit, as published, int2_vnni4.envelope.avx_vnni ×4". */
void figure_sequence_label(const json_t *gamma, bool as_published, char *text, size_t size);
