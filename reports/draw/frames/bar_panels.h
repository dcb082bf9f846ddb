/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/draw/figure.h"
#include "reports/papers/papers.h"

/**
 * Panels of bars: what a paper states beside what was measured, one panel a shape, a model or a machine, drawn by
 * reports/draw/frames/bar_panels.gnuplot. A figure adds panels, groups and bars in the order in which they are drawn, and the frame
 * opens the paper and finds places, axes, heights and the legend:
 *
 *     static void add(struct bar_panels *bars)
 *     {
 *         bars_panel(bars, "times as fast", "prefill, %u threads", bars->team);
 *         bars_group(bars, "Llama3-8B");
 *         bars_add(bars, &(struct bar){.value = 3.5, .colour = 0x009e73, .key = "W1A2"}, "W1A2: %.2f times as fast", 3.5);
 *         bars_level(bars, bars_stated(bars, "models_fp16_mean", 0), 2, "the paper's mean");
 *     }
 *     ...
 *     .frame = &bar_frame,
 *     .paper = "apt-llm",
 *     .frame = &bar_frame,
 *     .of = &(const struct bar_form){.add = add, .columns = 2, .plot_height = 220},
 *
 * A bar whose value is not above 0 keeps its place and is not drawn; a panel without a bar is left out, and a figure without a
 * panel has nothing to draw. The legend has each key that was drawn, once, in order of appearance. The .dat has a block for each
 * panel: place, value, low, high, colour, opacity, kind (0 a bar, 1 a text at the foot, else gnuplot's point type plus 100), the
 * highest mark on it, text above it, text on hover.
 */
enum { BAR_TEXT = 96, BAR_PANELS_MOST = 8, BAR_TEXTS_MOST = 192, BAR_LEVELS_MOST = 24, BAR_KEYS_MOST = 24 };

struct bar {
    double value, low, high; /* low and high: a 95% interval; 0 or NaN: it has none */
    unsigned colour;         /* 0xRRGGBB */
    double opacity;          /* 0 is 1; a bar that is not opaque has an outline */
    const char *key;         /* in the legend; NULL: it is not there */
    char text[32];           /* above the bar; "above|below" are two lines */
    bool unsure;             /* it may not be the fastest: it is pale, which the legend says */
};

struct bar_panels;
struct bar_form {
    void (*add)(struct bar_panels *bars); /* all of it, of bars->view */
    size_t columns;    /* panels side by side; in a column of a paper they stand one below the other */
    int plot_height;   /* of a panel, pixels */
    int width;         /* of the picture, pixels; 0: 1080 */
    double gap;        /* between groups, in bars; 0: 1 */
    bool from_one;     /* values are ratios: a line at 1 */
    bool one_axis;     /* all panels have the same y axis */
    bool logarithmic;  /* y axes are, and say so */
    bool turned;       /* tics are long: they are turned */
    bool shared;       /* tics are those of the panel below: only the last panel of a column has them */
    bool upright;      /* texts above bars are turned by 90 degrees, and left out in a column of a paper */
    const char *under; /* below the tics: what they count; NULL: nothing */
};

struct bar_panels {
    const struct bar_form *form;
    const struct view *view;
    const char *paper;    /* the figure's, which bars_stated() is of */
    struct papers papers; /* of it */
    FILE *data;

    /* add() may set them */
    double gap;    /* of the groups that follow */
    unsigned team; /* the heading says how many threads; 0: it does not */

    /* set by the functions below */
    struct bar_text {
        char text[BAR_TEXT];
        double at;
        size_t panel;
    } tics[BAR_TEXTS_MOST], headings[BAR_TEXTS_MOST];
    struct bar_level {
        double value;
        int dash;
        size_t panel;
    } levels[BAR_LEVELS_MOST];
    struct bar_key {
        enum bar_key_kind { BAR_KEY_BAR, BAR_KEY_LINE, BAR_KEY_MARK } kind;
        char title[96];
        unsigned colour;
        double opacity; /* of a bar */
        int style;      /* dash or point type */
    } keys[BAR_KEYS_MOST];
    struct bar_panel {
        char title[128], unit[64];
        double least, most, end;
    } panels[BAR_PANELS_MOST];
    size_t tic_count, heading_count, level_count, key_count, panel_count;
    size_t unsure;    /* bars that may not be the fastest */
    size_t before[5]; /* counts when the panel began */
    double place, group_at, heading_at;
    size_t bars;           /* of the panel */
    bool texts, two_lines; /* above bars */
    struct bar pending;    /* the bar added last */
    char hover[256];       /* its text */
    double mark;           /* the highest mark on it; 0: none */
    char *rows;            /* of the panel */
    size_t rows_size;
    FILE *block; /* writes rows */
};

/** Begin a panel. @param unit  title of its y axis */
__attribute__((format(printf, 3, 4))) void bars_panel(struct bar_panels *panels, const char *unit, const char *title,
                                                      ...);

/** Leave out the panel that was begun last. */
void bars_leave_out(struct bar_panels *panels);

/** The groups that follow stand under this heading. */
__attribute__((format(printf, 2, 3))) void bars_heading(struct bar_panels *panels, const char *text, ...);

/** Begin a group of bars. @param tic  below it; "above|below" are two lines */
__attribute__((format(printf, 2, 3))) void bars_group(struct bar_panels *panels, const char *tic, ...);

/** A bar in the next place. The format and what follows are said on hover. */
__attribute__((format(printf, 3, 4))) void bars_add(struct bar_panels *panels, const struct bar *bar, const char *hover,
                                                    ...);

/** A key of the legend that is no bar's own. */
void bars_key(struct bar_panels *panels, const char *title, unsigned colour, double opacity);

/** A text in the next place instead of a bar: why there is none. */
void bars_note(struct bar_panels *panels, const char *text);

/** A mark over the bar that was added last. @param type  gnuplot's point type */
__attribute__((format(printf, 6, 7))) void bars_mark(struct bar_panels *panels, double value, int type, unsigned colour,
                                                     const char *key, const char *hover, ...);

/** A line across the panel, unless value is NaN. @param dash  gnuplot's dash type */
void bars_level(struct bar_panels *panels, double value, int dash, const char *key);

/** A value of a column of the figure's paper, in its own unit; NaN where it states none. */
double bars_stated(const struct bar_panels *panels, const char *column, size_t row);

/** Of a figure whose `of` is a struct bar_form. */
extern const struct frame bar_frame;

/** Tests only: they add panels between its steps. @return 0; -ENODATA: no panel has a bar */
int bars_write(struct bar_panels *panels, FILE *settings);
