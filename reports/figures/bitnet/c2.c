/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/papers/bitnet.h"

/* Appendix C.2 of bitnet.cpp: one multiply-add against one look-up against look-up, add and convert. */
static const struct {
    const char *sequence, *title, *avx2, *neon;
    double published_ns; /* [bitnet-cpp, C.2], i5-13400F; NaN: it states none */
    bool required;       /* the figure is not drawn without it */
} instructions[] = {
    {"mad", "MAD", "vpmaddubsw", "smlal", 3.77, true},
    {"tbl", "TBL", "vpshufb", "tbl", 3.70, true},
    {"tbl_add_cvt", "TBL+ADD+CVT", "16 of 32 bytes", "8 of 16 bytes", 6.20, true},
    {"tbl_add_cvt_whole", "TBL+ADD+CVT", "all 32 bytes", "all 16 bytes", (double)NAN, false},
};
enum { INSTRUCTIONS = sizeof instructions / sizeof *instructions };

static const char *instruction(size_t number, const json_t *row)
{
    const char *isa = view_text(row, "isa");
    if (number == 0 && strcmp(isa, "neon_dotprod") == 0)
        return "sdot";
    return strncmp(isa, "neon", strlen("neon")) == 0 ? instructions[number].neon : instructions[number].avx2;
}

static void add(struct bar_panels *bars)
{
    const json_t *row[INSTRUCTIONS];
    for (size_t i = 0; i < INSTRUCTIONS; i++) {
        row[i] = bitnet_c2(bars->view, instructions[i].sequence);
        if (!row[i] && instructions[i].required)
            return;
    }
    const double mad = view_median(row[0], "gamma");
    bars_panel(bars, "time relative to MAD", "%s", "");
    /* the whole register, which no paper states, has no place where it was not measured */
    for (size_t i = 0; i < INSTRUCTIONS && row[i]; i++) {
        const double cycles = view_median(row[i], "gamma"), ns = instructions[i].published_ns;
        struct bar measured = {cycles / mad, .colour = 0x0072b2, .key = "measured here (core cycles of 32 bytes)"},
                   published = {ns / instructions[0].published_ns, .colour = 0xb0b0b0, .key = "published (ns)"};
        bars_group(bars, "%s|%s", instructions[i].title, instruction(i, row[i]));
        snprintf(measured.text, sizeof measured.text, "%.2f|%.2f cycles", measured.value, cycles);
        bars_add(bars, &measured, "measured: %.3f cycles of 32 bytes, %.3f of MAD, %g uops", cycles, measured.value,
                 view_number(row[i], "uops_per_vector"));
        snprintf(published.text, sizeof published.text, "%.2f|%.2f ns", published.value, ns);
        if (isnan(ns))
            bars_note(bars, "not stated");
        else
            bars_add(bars, &published, "published: %.2f ns, %.3f of MAD", ns, published.value);
    }
}

const struct figure figure_c2 = {
    .name = "c2",
    .title = "Multiply-add against look-up [bitnet-cpp, Appendix C.2]",
    .caption =
        "Time relative to the multiply-add: measured here in core cycles (above the bar), and the paper's 3.77, 3.70 "
        "and 6.20 ns on an i5-13400F. Measured are 32 bytes, a register of AVX2 or two of Neon. The paper's \"68% "
        "longer\" compares the third with the second. One conversion widens half of the bytes looked up to words, so "
        "the third does half the work of the others. The last bar, if `kneepoint gamma c2` measured it, is all bytes, "
        "with a second conversion and addition, which on Neon are one instruction.",
    .units = "time relative to the multiply-add; core cycles of 32 bytes, published ns",
    .lacking = "multiply-add and look-ups of bitnet.cpp",
    .measured_by = "kneepoint gamma c2 --json >FILE",
    .rank = 44,
    .section = FIGURE_SEQUENCES,
    .needs = NEEDS(VIEW_GAMMA),
    .paper = BITNET_PAPER,
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 1, .plot_height = 270, .width = 720},
};
