/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/settings.h"

/* Appendix C.2 of bitnet.cpp: one multiply-add against one look-up against look-up, add and convert. */
static const struct {
    const char *sequence, *title, *instruction;
    double published_ns; /* [bitnet-cpp, C.2], i5-13400F; NaN: it states none */
    bool required;       /* the figure is not drawn without it */
} instructions[] = {
    {"mad", "MAD", "vpmaddubsw", 3.77, true},
    {"tbl", "TBL", "vpshufb", 3.70, true},
    {"tbl_add_cvt", "TBL + ADD + CVT", "16 of 32 bytes", 6.20, true},
    {"tbl_add_cvt_whole", "TBL + ADD + CVT", "all 32 bytes", (double)NAN, false},
};
enum { INSTRUCTIONS = sizeof instructions / sizeof *instructions };

static const json_t *best_of(const struct view *view, const char *sequence)
{
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (strcmp(view_text(row, "format"), "c2") == 0 && strcmp(view_text(row, "sequence"), sequence) == 0 &&
            view_flag(row, "best") && view_median(row, "gamma") > 0)
            return row;
    }
    return NULL;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    const json_t *row[INSTRUCTIONS];
    double most = 0;
    for (size_t i = 0; i < INSTRUCTIONS; i++) {
        row[i] = best_of(view, instructions[i].sequence);
        if (!row[i] && instructions[i].required)
            return -ENODATA;
    }
    double mad = view_median(row[0], "gamma");
    fputs(
        "# place, ratio to MAD measured, published, cycles a register measured, ns published, uops, texts of both bars\n",
        data);
    /* the whole register, which no paper states, has no place where it was not measured */
    size_t bars = row[INSTRUCTIONS - 1] ? INSTRUCTIONS : INSTRUCTIONS - 1;
    for (size_t i = 0; i < bars; i++) {
        double measured = view_median(row[i], "gamma") / mad;
        double published = instructions[i].published_ns / instructions[0].published_ns;
        /* 0 and no text for what is not there: gnuplot fails on a format of what is no number */
        fprintf(data, "%zu %.6g %.6g %.6g %.6g %.3g ", i + 1, measured > 0 ? measured : 0,
                published > 0 ? published : 0, measured > 0 ? view_median(row[i], "gamma") : 0,
                published > 0 ? instructions[i].published_ns : 0,
                measured > 0 ? view_number(row[i], "uops_per_vector") : 0);
        if (measured > 0)
            fprintf(data, "\"%.2f×\" \"%.2f\" ", measured, view_median(row[i], "gamma"));
        else
            fputs("\"\" \"–\" ", data);
        if (published > 0)
            fprintf(data, "\"%.2f×\" \"%.2f ns\"\n", published, instructions[i].published_ns);
        else
            fputs("\"\" \"–\"\n", data);
        most = fmax(most, fmax(measured, published));
    }
    fprintf(settings, "width = 720\nheight = 470\nnarrow_height = 400\nbars = %zu\ny_max = %g\n", bars, 1.25 * most);
    set_texts(settings, "bar_title", bars, i, instructions[i].title);
    set_texts(settings, "bar_instruction", bars, i, instructions[i].instruction);
    return 0;
}

const struct figure figure_c2 = {
    .name = "c2",
    .title = "Multiply-add against look-up [bitnet-cpp, Appendix C.2]",
    .caption =
        "Time of one register relative to the multiply-add: measured here in core cycles (above the bar), and the "
        "paper's 3.77, 3.70 and 6.20 ns on an i5-13400F. The paper's \"68% longer\" compares the third with the "
        "second. One conversion widens 16 of the 32 bytes looked up to words, so the third does half the work of the "
        "others. The last bar, if `kneepoint gamma c2` measured it, is the whole register, which takes a second "
        "conversion, a second addition and an extraction.",
    .units = "time relative to the multiply-add; core cycles a register, published ns",
    .lacking = "multiply-add and look-ups of bitnet.cpp",
    .measured_by = "kneepoint gamma c2 --json >FILE",
    .rank = 44,
    .section = FIGURE_SEQUENCES,
    .needs = NEEDS(VIEW_GAMMA),
    .write = write,
};
