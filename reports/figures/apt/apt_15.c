/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>
#include <string.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/kernels/device_rows.h"
#include "reports/select/papers/schemes.h"

enum { STAGES = 3, ISAS = 4, SETS = ISAS + DEVICES_SHOWN, TOKENS = 64 };

static const unsigned colours[SETS] = {0x009e73, 0x0072b2, 0xe69f00, 0xcc79a7, 0x56b4e9, 0xd55e00};

/* A stage of the ablation: of which kernels, and its place in the paper's column of speed-ups. */
static const struct stage {
    const char *title, *sequence;
    size_t stated; /* SIZE_MAX: it is the base */
} stages[STAGES] = {
    {"basic", "a2_basic", SIZE_MAX},
    {"+ scheduling", "a2_scheduling", 0},
    {"+ mapping", "a2_popcount", 2},
};

/* Bars of an instruction set or of a device. */
struct bars {
    const char *isa;
    const json_t *row[STAGES];
};

struct asked {
    const char *isa, *sequence;
};

static bool is_asked(const void *of, const json_t *row)
{
    const struct asked *asked = of;
    const char *sequence = view_text(row, "sequence");
    struct scheme_bits bits;
    return scheme_bits_of(row, &bits) && bits.weights == 1 && bits.activations == 2 &&
           strcmp(view_text(row, "isa"), asked->isa) == 0 && strcmp(sequence, asked->sequence) == 0;
}

static const json_t *row_of(const struct view *view, const struct scheme_query *query, const char *isa,
                            const char *sequence)
{
    const struct asked asked = {isa, sequence};
    const struct gemm_query where = {
        .m = query->m, .k = query->k, .n = query->n, .threads = query->threads, .cold = true};
    return best_among(view, VIEW_GEMM, is_asked, &asked, &where).row;
}

/* The instruction sets whose first stage was measured. */
static size_t bars_of(const struct view *view, const struct scheme_query *query, struct bars bars[ISAS])
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMM].count && count < ISAS; i++) {
        const char *isa = view_text(view->of[VIEW_GEMM].rows[i], "isa");
        bool is_there = false;
        for (size_t b = 0; b < count; b++)
            is_there |= strcmp(bars[b].isa, isa) == 0;
        if (is_there || !row_of(view, query, isa, stages[0].sequence))
            continue;
        bars[count].isa = isa;
        for (size_t s = 0; s < STAGES; s++)
            bars[count].row[s] = row_of(view, query, isa, stages[s].sequence);
        count++;
    }
    return count;
}

/* Those of the run's devices, with the same text and other macros. @return how many */
static size_t device_bars(const struct view *view, const struct device_shown *devices, size_t count, struct bars *bars)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        struct bars *of = &bars[found];
        of->isa = devices[i].title;
        for (size_t s = 0; s < STAGES; s++) {
            char kernel[32];
            snprintf(kernel, sizeof kernel, "w1.%s", stages[s].sequence);
            of->row[s] = device_row(view, &devices[i], kernel, CELLS_REFERENCE_M, CELLS_REFERENCE_K, TOKENS);
        }
        found += of->row[0] != NULL;
    }
    return found;
}

static void add_bar(struct bar_panels *panel, double ratio, double time_s, unsigned colour, const char *key,
                    const char *what)
{
    struct bar bar = {ratio, .colour = colour, .key = key};
    char time[32] = "";
    if (time_s > 0)
        snprintf(time, sizeof time, "%.4g us, ", 1e6 * time_s);
    snprintf(bar.text, sizeof bar.text, time_s > 0 ? "%.2f|%.0f us" : "%.2f", ratio, 1e6 * time_s);
    bars_add(panel, &bar, "%s: %s%.2f times as fast as basic", what, time, ratio);
}

static void add(struct bar_panels *panel)
{
    const struct scheme_query query = {CELLS_REFERENCE_M, CELLS_REFERENCE_K, TOKENS, scheme_team(panel->view),
                                       MACHINES};
    struct bars bars[SETS];
    struct device_shown devices[DEVICES_SHOWN];
    size_t count = bars_of(panel->view, &query, bars);
    count += device_bars(panel->view, devices, devices_shown(panel->view, devices), bars + count);
    if (!count)
        return;
    bars_panel(panel, "times as fast as basic", "W1A2, 64/4k/4k, %u thread%s", query.threads, plural(query.threads));
    for (size_t s = 0; s < STAGES; s++) {
        bars_group(panel, "%s", stages[s].title);
        add_bar(panel, stages[s].stated == SIZE_MAX ? 1 : bars_stated(panel, "ablation", stages[s].stated), 0, 0xb0b0b0,
                "the paper, RTX 3090", "the paper, RTX 3090");
        for (size_t b = 0; b < count; b++) {
            const double base = view_median(bars[b].row[0], "time_s"), time = view_median(bars[b].row[s], "time_s");
            char key[96];
            snprintf(key, sizeof key, "here, %.80s", bars[b].isa);
            add_bar(panel, base / time, time, colours[b], key, view_text(bars[b].row[s], "name"));
        }
    }
}

const struct figure figure_apt_15 = {
    .name = "apt_15",
    .title = "Memory scheduling, then kernel mapping [apt-llm, Fig. 15]",
    .caption =
        "How many times as fast as the first stage. Basic: each pair of planes is a separate product, which is "
        "written to memory; afterwards the products are shifted and added. With scheduling, the pairs of a block are "
        "added in registers, and the next block of weights is fetched while this one is multiplied; the block has 8 "
        "rows and 4 tokens in both. With mapping, the block is the one that was tuned for this instruction set. Grey is the paper's GPU, whose shared "
        "memory is far smaller than the caches that hold the products here: what goes to memory on the GPU costs more "
        "there. 4,096 rows and columns from memory, 64 tokens. On an OpenCL device basic reads activations "
        "as they lie, scheduling brings them to local memory first, and mapping is the fastest variant.",
    .units = "times as fast as basic",
    .lacking = "stages w1.a2_basic, w1.a2_scheduling and w1.a2_popcount with 64 tokens on 4096x4096",
    .measured_by = "kneepoint gemm --tokens=64 --threads=1 w1.a2",
    .rank = 72,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMM),
    .paper = "apt-llm",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 1, .plot_height = 230, .width = 760},
};
