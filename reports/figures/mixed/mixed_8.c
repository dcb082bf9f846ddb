/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/kernels/device_rows.h"
#include "reports/select/papers/mixed.h"

/* The orders of section 5.3 and, last, our sequence on int8, which has no weights in floats to order. */
enum { ORDERS = 4, PANELS = 2, WIDTHS = 2 };

static const struct {
    const char *title, *sequence;
    unsigned colour;
} orders[ORDERS] = {{"scales, weights, then products (buffered)", "buffered", 0x7f7f7f},
                    {"in one pass (fused)", "fused", 0xe69f00},
                    {"in one pass, a step ahead (overlapped)", "overlapped", 0x56b4e9},
                    {"int8, ours (lanes)", "lanes", 0x0072b2}};

/* Sequences of one length of registers are compared, on whichever instruction set is fastest at it. */
static const struct {
    const char *title, *isas[3];
} widths[WIDTHS] = {{"256 bits", {"avx2", "avx_vnni"}}, {"512 bits", {"avx512", "avx512_vnni", "avx512_vbmi_vnni"}}};

static bool is_of_width(size_t width, const json_t *row)
{
    const char *isa = view_text(row, "isa");
    for (size_t i = 0; i < sizeof widths[width].isas / sizeof *widths[width].isas && widths[width].isas[i]; i++) {
        if (strcmp(isa, widths[width].isas[i]) == 0)
            return true;
    }
    return false;
}

struct asked {
    size_t order, width;
};

static bool is_asked(const void *of, const json_t *row)
{
    const struct asked *asked = of;
    return strcmp(view_text(row, "format"), "mixed24") == 0 &&
           strcmp(view_text(row, "sequence"), orders[asked->order].sequence) == 0 && is_of_width(asked->width, row);
}

/* The best accumulators of the best instruction set. */
static const json_t *gamma_of(const struct view *view, const struct asked *asked)
{
    return best_among(view, VIEW_GAMMA, is_asked, asked, NULL).row;
}

/* The fastest GEMV from memory of one thread. */
static const json_t *gemv_of(const struct view *view, const struct asked *asked)
{
    const struct gemm_query query = {
        .m = CELLS_REFERENCE_M, .k = CELLS_REFERENCE_K, .n = 1, .threads = 1, .cold = true};
    return best_among(view, VIEW_GEMV, is_asked, asked, &query).row;
}

static const struct panel {
    const char *title, *field, *unit;
    const json_t *(*row_of)(const struct view *view, const struct asked *asked);
    double scale; /* of the field to the unit */
} panels[PANELS] = {{"in registers: γ, core cycles on the bars", "gamma", "cycles per output vector", gamma_of, 1},
                    {"GEMV 4096×4096 from memory, one thread: µs on the bars", "time_s", "µs", gemv_of, 1e6}};

static void add_order(struct bar_panels *bars, const struct panel *panel, size_t order, const json_t *row,
                      const struct bounded *base)
{
    const struct bounded own = best_bounded(row, panel->field), ratio = ratio_of(base, &own);
    const double takes = panel->scale * own.value;
    struct bar bar = {base->value / own.value, .colour = orders[order].colour, .key = orders[order].title};
    bar.low = order ? ratio.low : 0; /* buffering has no interval against itself */
    bar.high = order ? ratio.high : 0;
    snprintf(bar.text, sizeof bar.text, takes < 10 ? "%.2f" : takes < 100 ? "%.1f" : "%.0f", takes);
    bars_add(bars, &bar, "%s: %.3g times as fast, %.4g %s, %s", orders[order].title, bar.value, takes, panel->unit,
             row ? view_text(row, "name") : "");
}

static const json_t *of_device(const struct view *view, const struct device_shown *device, size_t order)
{
    char kernel[32];
    snprintf(kernel, sizeof kernel, "mixed24.%s", orders[order].sequence);
    return device_row(view, device, kernel, CELLS_REFERENCE_M, CELLS_REFERENCE_K, 0);
}

static void add_device(struct bar_panels *bars, const struct panel *panel, const struct device_shown *device)
{
    const struct bounded base = best_bounded(of_device(bars->view, device, 0), panel->field);
    bars_group(bars, device->is_cpu ? "%.32s|a CPU, no GPU" : "%.32s", device->name);
    for (size_t o = 0; o < ORDERS; o++)
        add_order(bars, panel, o, of_device(bars->view, device, o), &base);
}

static void add_panel(struct bar_panels *bars, const struct panel *panel, const bool *drawn)
{
    struct device_shown devices[DEVICES_SHOWN];
    const size_t shown = panel->row_of == gemv_of ? devices_shown(bars->view, devices) : 0;
    bars_panel(bars, "times as fast as buffered", "%s", panel->title);
    bars_level(bars, bars_stated(bars, "overlapped_most", 0), 2, "the most on a GPU, in the paper");
    for (size_t w = 0; w < WIDTHS; w++) {
        if (!drawn[w])
            continue;
        const struct bounded base = best_bounded(panel->row_of(bars->view, &(struct asked){0, w}), panel->field);
        bars_group(bars, "%s", widths[w].title);
        for (size_t o = 0; o < ORDERS; o++)
            add_order(bars, panel, o, panel->row_of(bars->view, &(struct asked){o, w}), &base);
    }
    for (size_t i = 0; i < shown; i++) {
        if (of_device(bars->view, &devices[i], 0))
            add_device(bars, panel, &devices[i]);
    }
}

/* Lengths of which an order can be compared with buffering, in registers or from memory. @return how many */
static size_t find_widths(const struct view *view, bool drawn[WIDTHS])
{
    size_t count = 0;
    for (size_t w = 0; w < WIDTHS; w++) {
        drawn[w] = false;
        for (size_t p = 0; p < PANELS; p++) {
            for (size_t o = 1; o < ORDERS && panels[p].row_of(view, &(struct asked){0, w}); o++)
                drawn[w] = drawn[w] || panels[p].row_of(view, &(struct asked){o, w});
        }
        count += drawn[w];
    }
    return count;
}

static void add(struct bar_panels *bars)
{
    bool drawn[WIDTHS];
    const size_t count = find_widths(bars->view, drawn);
    for (size_t p = 0; count && p < PANELS; p++)
        add_panel(bars, &panels[p], drawn);
}

const struct figure figure_mixed_8 = {
    .name = "mixed_8",
    .title = "Orders of dequantization [mixed-2-4-16, Fig. 8]",
    .caption =
        "The format of 2- and 4-bit groups, dequantized to floats in the three orders of the paper's section 5.3: "
        "scales first, then weights into a buffer, then the products (buffered); all of it in one pass (fused); and "
        "with the scales of the next step computed while this one is multiplied (overlapped), each as many times as "
        "fast as the first with registers of the same length, 95% intervals; the number on a bar is what it takes. "
        "Beside them is our int8 sequence, which never converts weights to floats. The dashed line is the paper's: up "
        "to 3.92 on a GPU, over a kernel that it does not name; there dequantizing otherwise waits until all weights "
        "are loaded. An out-of-order core overlaps much of it by itself. An OpenCL device of the run stands beside it under its name.",
    .units = "times as fast as buffered; on the bars core cycles per output vector, and us",
    .rank = 91,
    .section = FIGURE_PAPERS,
    .lacking = "gammas or cold GEMVs of mixed24.buffered and another order",
    .measured_by = "kneepoint gemv --cold --threads=1 mixed24.buffered mixed24.fused mixed24.overlapped mixed24.lanes",
    .paper = MIXED_PAPER,
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = PANELS, .plot_height = 290, .from_one = true},
};
