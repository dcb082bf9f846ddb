/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/device_rows.h"
#include "reports/select/papers/schemes.h"

enum { TABLES = 3, SHAPES = 3 };

/* Tables II to IV. The paper's M are tokens, its N the rows of the weights. */
static const struct table {
    const char *title, *values; /* of its columns */
    double tokens;
    struct {
        double m, k;
        const char *title;
    } shapes[SHAPES];
} tables[TABLES] = {
    {"64 tokens, square weights (Table II, Fig. 9)",
     "ii",
     64,
     {{1024, 1024, "1024×1024"}, {2048, 2048, "2048×2048"}, {4096, 4096, "4096×4096"}}},
    {"64 tokens, weights of Llama3-8B (Table III, Fig. 10)",
     "iii",
     64,
     {{1024, 4096, "1024×4096"}, {14336, 4096, "14336×4096"}, {4096, 14336, "4096×14336"}}},
    {"1 token, weights of Llama3-8B (Table IV, Fig. 11)",
     "iv",
     1,
     {{1024, 4096, "1024×4096"}, {14336, 4096, "14336×4096"}, {4096, 14336, "4096×14336"}}},
};

/* Seconds of FP16 over those of a scheme, as the paper's table has them; NaN where it has none. */
static double stated_ratio(const struct bar_panels *bars, const struct table *table, const struct scheme *scheme,
                           size_t shape)
{
    char fp16[32], own[32];
    if (!scheme->column)
        return NAN;
    snprintf(fp16, sizeof fp16, "%s_fp16", table->values);
    snprintf(own, sizeof own, "%s_%s", table->values, scheme->column);
    return bars_stated(bars, fp16, shape) / bars_stated(bars, own, shape);
}

/* Operations per second of a scheme on a shape, and where the paper's ratio to FP16 would be. */
static void add_bar(struct bar_panels *bars, const struct table *table, size_t shape, const struct scheme *scheme,
                    const struct scheme_cell *cell, double ops, double f16)
{
    const double ratio = stated_ratio(bars, table, scheme, shape);
    struct bar bar = {.value = ops / 1e12, .colour = scheme->colour, .key = scheme->title};
    char here[64] = "";
    bar.unsure = !cell->known;
    snprintf(bar.text, sizeof bar.text, ops < 1e11 ? "%.3f" : "%.2f", ops / 1e12);
    if (ops / f16 > 0)
        snprintf(here, sizeof here, "; %.2f times f16 or bf16", ops / f16);
    bars_add(bars, &bar, "%s, %s: %.3g Top/s, %s%s", scheme->title, table->shapes[shape].title, ops / 1e12,
             cell->row ? view_text(cell->row, "name") : "", here);
    bars_mark(bars, ratio * f16 / 1e12, 12, 0x1a1a1a, "the paper's ratio", "%s, %s: the paper's %.2f times FP16",
              scheme->title, table->shapes[shape].title, ratio);
}

/* Left out unless planes were measured. */
static void add_table(struct bar_panels *bars, const struct table *table)
{
    bool planes = false;
    bars_panel(bars, "Top/s", "%s", table->title);
    for (size_t shape = 0; shape < SHAPES; shape++) {
        struct scheme_query query = {table->shapes[shape].m, table->shapes[shape].k, table->tokens, bars->team,
                                     MACHINES};
        const struct scheme_cell f16 = scheme_fastest(bars->view, &schemes[SCHEME_F16], &query);
        bars_group(bars, "%s", table->shapes[shape].title);
        for (size_t s = 0; s < SCHEMES; s++) {
            const struct scheme_cell cell = scheme_fastest(bars->view, &schemes[s], &query);
            add_bar(bars, table, shape, &schemes[s], &cell, scheme_ops_per_s(&cell), scheme_ops_per_s(&f16));
            planes |= cell.row && schemes[s].bits.weights;
        }
    }
    if (!planes)
        bars_leave_out(bars);
}

/* Kernels of devices by scheme, without those that have none. */
static const char *const of_devices[SCHEMES] = {
    [SCHEME_F16] = "f16.rows",          [SCHEME_INT8] = "int8_vnni4.dot", [SCHEME_INT2] = "int2_planes.mask",
    [SCHEME_INT1] = "int1_planes.mask", [SCHEME_W3A4] = "w3.a4_popcount", [SCHEME_W2A2] = "w2.a2_popcount",
    [SCHEME_W1A2] = "w1.a2_popcount",   [SCHEME_W1A1] = "w1.a1_popcount",
};

/* The same of a device of the run. Of one token its GEMVs. */
static void add_device(struct bar_panels *bars, const struct table *table, const struct device_shown *device)
{
    bars_panel(bars, "Top/s", "%.50s: %s", device->title, table->title);
    for (size_t shape = 0; shape < SHAPES; shape++) {
        const double m = table->shapes[shape].m, k = table->shapes[shape].k, n = table->tokens > 1 ? table->tokens : 0;
        const json_t *f16 = device_row(bars->view, device, of_devices[SCHEME_F16], m, k, n);
        bars_group(bars, "%s", table->shapes[shape].title);
        for (size_t s = 0; s < SCHEMES; s++) {
            if (!of_devices[s])
                continue;
            const struct scheme_cell cell = {device_row(bars->view, device, of_devices[s], m, k, n), true};
            const double operations = 2 * m * k * table->tokens;
            add_bar(bars, table, shape, &schemes[s], &cell, operations / view_median(cell.row, "time_s"),
                    operations / view_median(f16, "time_s"));
        }
    }
}

static void add(struct bar_panels *bars)
{
    struct device_shown devices[DEVICES_SHOWN];
    const size_t shown = devices_shown(bars->view, devices);
    bars->team = scheme_team(bars->view);
    for (size_t t = 0; t < TABLES; t++)
        add_table(bars, &tables[t]);
    for (size_t i = 0; i < TABLES * (shown > 0); i++) /* of the first: there is room for no more */
        add_device(bars, &tables[i], &devices[0]);
}

const struct figure figure_apt_9_11 = {
    .name = "apt_9_11",
    .title = "Products of planes, floats and integers [apt-llm, Tables II-IV, Fig. 9-11]",
    .caption =
        "Operations per second (a multiply and an add count two, whatever the width) of the fastest valid kernel of "
        "each kind, weights from memory. W1A2 multiplies 1-bit weights with 2-bit activations as planes, W1A1 is what "
        "the paper calls INT1. The int8, int4, int2 and int1 weights are multiplied with 8-bit activations, which "
        "carry more than those of 1 to 4 bits. A diamond is the paper's speed-up over FP16 on an RTX 3090, applied to "
        "our f16 or bf16: if it lies below the top of a bar, this CPU gains more over its own floats than that GPU "
        "did; if above, less. Its FP16 takes 2.4 times what its memory allows at 1/14k/4k (kneepoint papers apt-llm), "
        "which lifts the diamonds there. A pale bar may not be the fastest: too few samples of several kernels were "
        "kept to choose. Panels under the name of an OpenCL device are of its kernels in this run.",
    .units = "Top/s (1e12 operations per second)",
    .lacking = "products of planes (w1, w2, w3) on the shapes of the paper's tables",
    .measured_by =
        "kneepoint gemm --threads=1 --tokens=1,64 --shape=1024x1024 --shape=2048x2048 --shape=4096x4096 w1 w2 w3 f32 bf16 int8_vnni4",
    .rank = 70,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMM),
    .paper = "apt-llm",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 1, .plot_height = 190, .upright = true},
};
