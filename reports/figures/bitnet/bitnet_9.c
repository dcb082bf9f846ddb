/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/machines/reference_platforms.h"
#include "reports/select/papers/bitnet.h"
#include "roofline/ebw.h"
#include "roofline/overlap.h"

enum { STEPS = 121 };

static const char model[] = "bitnet-3.8b";

/* Bandwidths of the machine, bytes per second. */
static const double least = 4e9, most = 1000e9;

/* The matrices of the model. */
struct matrices {
    struct shape shapes[SHAPES_MAX];
    size_t count;
};

/* A vertical line. */
struct machine {
    double rate; /* GB/s */
    char label[128];
};

/* What a curve is drawn for. */
struct curve {
    const struct matrices *of;
    double bits, gamma; /* gamma 0: no up-convert at all */
    double hz;
    unsigned threads;
    double omega; /* how far reading and computing overlap; NaN: fully, min(beta, B/gamma) */
};

static double gemv_seconds(const struct curve *curve, const struct shape *shape, double bits, double gamma, double rate)
{
    double weights = (double)(shape->m * shape->k), memory_s = weights * bits / 8 / rate;
    double compute_s = gamma * weights / 32 / (curve->hz * curve->threads);
    return isfinite(curve->omega) ? overlap_time(memory_s, compute_s, curve->omega) : fmax(memory_s, compute_s);
}

/* Of the model, on a machine with these cores and this bandwidth. The output head is in 16-bit floats. */
static double tokens_per_s(const struct curve *curve, double rate)
{
    double seconds = 0;
    for (size_t i = 0; i < curve->of->count; i++) {
        const struct shape *shape = &curve->of->shapes[i];
        bool head = shape_is_head(shape);
        seconds += shape->count * gemv_seconds(curve, shape, head ? 16 : curve->bits, head ? 0 : curve->gamma, rate);
    }
    return 1 / seconds;
}

/* omega of a kernel: of the widest team that has one, by the name of its sequence, else of any of its sequences; NaN without. */
static double omega_of(const struct view *view, const struct token_kernel *kernel)
{
    const json_t *gamma = token_gamma(view, kernel);
    double omega = NAN, threads = 0;
    for (int named = 1; named >= 0 && isnan(omega); named--) {
        for (size_t i = 0; i < view->of[VIEW_OMEGA].count; i++) {
            const json_t *row = view->of[VIEW_OMEGA].rows[i];
            bool is_it =
                named ? strcmp(view_text(row, "name"), view_text(gamma, "name")) == 0 : token_kernel_is(kernel, row);
            if (!is_it || !isfinite(view_median(row, "omega")) || !(view_number(row, "threads") > threads))
                continue;
            omega = view_median(row, "omega");
            threads = view_number(row, "threads");
        }
    }
    return omega;
}

static void write_curve(const struct curve *curve, FILE *data)
{
    fprintf(data, "# bandwidth in GB/s, tokens/s; %g bits, gamma %.3g cycles, omega %.3g, knee %.4g GB/s\n",
            curve->bits, curve->gamma, curve->omega,
            curve->threads * curve->hz * roofline_knee(roofline_vector_bytes(curve->bits), curve->gamma) / 1e9);
    for (size_t i = 0; i < STEPS; i++) {
        double rate = least * pow(most / least, (double)i / (STEPS - 1));
        fprintf(data, "%.5g %.5g\n", rate / 1e9, tokens_per_s(curve, rate));
    }
    fputs("\n\n", data);
}

/* How much less the look-ups would take if one with its addition and conversion took as long as a multiply-add [C.2];
 * NaN unless both were measured. */
static double lookup_saving(const struct view *view)
{
    return view_median(bitnet_c2(view, "mad"), "gamma") / view_median(bitnet_c2(view, "tbl_add_cvt"), "gamma");
}

/* The curve of a kernel; gamma 0 without one. */
static struct curve curve_of(const struct view *view, const struct matrices *of, const struct token_kernel *kernel,
                             unsigned threads)
{
    const json_t *gamma = token_gamma(view, kernel);
    return (struct curve){.of = of,
                          .bits = gamma ? view_bits(gamma) : NAN,
                          .gamma = gamma ? view_median(gamma, "gamma") : NAN,
                          .hz = view_busy_clock_hz(view, threads),
                          .threads = threads,
                          .omega = omega_of(view, kernel)};
}

/*
 * Curves as block 1 and following; block 0, the points measured on this host, comes first. points[0] is how many are of
 * the paper's kernels, points[1] of ours.
 */
static void write_points(const struct view *view, const enum bitnet_system *shown, size_t count, unsigned team,
                         size_t points[2], FILE *data)
{
    double roof = view_median(view_roof(view, "memory", team), "bytes_per_s") / 1e9;
    points[0] = points[1] = 0;
    fputs("# read roof of the host in GB/s, tokens/s that its measured GEMVs allow, colour, ours, kernel\n", data);
    for (size_t i = 0; i < 2 * count; i++) {
        const struct bitnet_column *column = &bitnet_columns[shown[i / 2]];
        struct token_bound bound = token_bound(view, model, i % 2 ? &column->ours : &column->paper, team);
        if (!(bound.measured > 0.999))
            continue;
        fprintf(data, "%.5g %.5g 0x%06x %zu \"%s%s\"\n", roof, 1 / bound.seconds, column->colour, i % 2, column->title,
                i % 2 ? ", ours" : "");
        points[i % 2]++;
    }
    gnuplot_end_block(data, points[0] || points[1], 4, 1);
}

static void add_potential(const struct view *view, const struct matrices *of, unsigned team, struct series *lines,
                          FILE *data)
{
    const struct bitnet_column *tl2 = &bitnet_columns[BITNET_TL2_0];
    struct curve curve = curve_of(view, of, &tl2->paper, team);
    double saving = lookup_saving(view);
    if (!(curve.gamma > 0))
        return;
    curve.omega = NAN;
    if (saving > 0) {
        struct curve potential = curve;
        potential.gamma *= saving;
        series_add(lines, "TL2_0, look-up like a MAD", tl2->colour, 4, 2);
        write_curve(&potential, data);
    }
    curve.gamma = 0;
    series_add(lines, "TL2_0, memory alone", 0x1a1a1a, 3, 2);
    write_curve(&curve, data);
}

/* A kernel: with its omega, where that was measured, and thin what it would be if all overlapped. */
static void add_kernel(const struct view *view, const struct matrices *of, const struct bitnet_column *column,
                       bool ours, unsigned team, struct series *lines, FILE *data)
{
    struct curve curve = curve_of(view, of, ours ? &column->ours : &column->paper, team);
    char title[64];
    if (!(curve.gamma > 0 && curve.hz > 0))
        return;
    snprintf(title, sizeof title, "%s%s", column->title, ours ? ", ours" : "");
    if (isfinite(curve.omega)) {
        series_add(lines, title, column->colour, ours ? 2 : 1, 2);
        write_curve(&curve, data);
        curve.omega = NAN;
        title[0] = 0;
    }
    series_add(lines, title, column->colour, ours ? 2 : 1, *title ? 2 : 1);
    write_curve(&curve, data);
}

/* Put a machine among those of less bandwidth. */
static void add_machine(struct machine *machines, size_t *count, double rate, const char *label)
{
    size_t at = *count;
    for (; at && machines[at - 1].rate < rate; at--)
        machines[at] = machines[at - 1];
    machines[at].rate = rate;
    snprintf(machines[at].label, sizeof machines[at].label, "%s", label);
    ++*count;
}

/* Bandwidths of the described machines, and of the host, the highest first. */
static void write_machines(const struct view *view, unsigned team, FILE *settings)
{
    struct machine machines[REFERENCE_PLATFORMS_MAX + 1];
    size_t count = 0;
    double roof = view_median(view_roof(view, "memory", team), "bytes_per_s") / 1e9;
    char label[128];
    snprintf(label, sizeof label, "host, %.0f GB/s", roof);
    if (roof > 0)
        add_machine(machines, &count, roof, label);
    for (size_t i = 0; i < view->platform_count && i < REFERENCE_PLATFORMS_MAX; i++) {
        const struct described_platform *platform = &view->platforms[i];
        if (!(platform->peak_bytes_per_s > 0))
            continue;
        snprintf(label, sizeof label, "%.40s, %s%.0f GB/s", platform->title,
                 described_limit_words(platform->peak_limit), platform->peak_bytes_per_s / 1e9);
        add_machine(machines, &count, platform->peak_bytes_per_s / 1e9, label);
    }
    fprintf(settings, "machines = %zu\n", count);
    set_numbers(settings, "machine_at", count, i, machines[i].rate);
    set_texts(settings, "machine_title", count, i, "%s", machines[i].label);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    static const enum bitnet_system shown[] = {BITNET_TL2_0, BITNET_TMAC, BITNET_TQ1_0, BITNET_I2_S};
    enum { SHOWN = sizeof shown / sizeof *shown };
    struct series lines = {.prefix = "line"};
    struct matrices of;
    of.count = shapes_of(model, of.shapes, SHAPES_MAX);
    const unsigned widest = view_widest_team(view), team = widest ? widest : 1;
    size_t points[2];
    write_points(view, shown, SHOWN, team, points, data);
    for (size_t i = 0; i < 2 * SHOWN; i++)
        add_kernel(view, &of, &bitnet_columns[shown[i / 2]], i % 2, team, &lines, data);
    if (!lines.count)
        return -ENODATA;
    add_potential(view, &of, team, &lines, data);
    series_write(&lines, settings);
    write_machines(view, team, settings);
    fprintf(settings, "any_points = %d\nany_ours = %d\n", points[0] > 0, points[1] > 0);
    fprintf(settings, "threads = %u\nx_min = %g\nx_max = %g\nwidth = 1080\nheight = 560\nnarrow_height = %zu\n", team,
            least / 1e9, most / 1e9, 380 + 11 * (lines.count + 3));
    return 0;
}

const struct figure figure_bitnet_9 = {
    .name = "bitnet_9",
    .title = "What look-up tables could do with more bandwidth, 3.8B model [bitnet-cpp, Fig. 9]",
    .caption =
        "Modelled: the tokens per second that the GEMVs of bitnet-3.8b would allow on the cores of this host if "
        "memory gave them this much bandwidth. A thick curve overlaps reading and computing as far as was measured "
        "for the kernel (ω of one core). The thin one beside it is min(β, B/γ), with full overlap; it is the only one "
        "if ω was not measured. A curve rises until the up-convert of its format binds (the knee), and then a little "
        "more, since the output head in Float16 needs no up-convert. Full lines use the measured γ of the paper's "
        "sequences, dashed ones that of our best in the same format. If the sequences of C.2 were measured, another "
        "line shows TL2_0 as if a look-up with its addition and conversion took as long as one multiply-add, which is "
        "the hardware that the paper asks for; the dotted line has no up-convert at all. Points are measured on this "
        "host. Vertical lines are the bandwidth of the host and of the paper's machines; the model is of the host's "
        "cores, not theirs.",
    .units = "GB/s (1e9 bytes per second) that the memory gives; tokens per second; both logarithmic",
    .rank = 72,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GAMMA),
    .platforms = "i7-13700h,m2-ultra",
    .lacking = "gamma of bitnet.cpp's sequences",
    .measured_by = BITNET_COMMAND("bitnet-3.8b"),
    .write = write,
};
