/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/kernels/gemm_cells.h"
#include "reports/select/papers/schemes.h"
#include "results/files/need.h"
#include "roofline/crossover.h"

/** BESIDE: integers that hold the weights, each of which has a boundary of its own. */
enum { PLANES = 64, BESIDE = 3, STEPS_OF_DOUBLING = 8 };

static const struct holder {
    double bytes; /* of an output vector */
    size_t scheme;
} holders[BESIDE] = {{32, SCHEME_INT8}, {16, SCHEME_INT4}, {8, SCHEME_INT2}};

struct panel {
    enum scheme_machine machine;
    bool narrow;                          /* against the fastest integers that hold the weights, else int8 */
    double per_pair, gamma[BESIDE], beta; /* what the prediction rests on; NaN: not measured */
    struct scheme_bits bits[PLANES];      /* by p q */
    size_t planes, points;
    double tokens[GEMM_CELLS_TOKENS];   /* with points */
    double boundary[GEMM_CELLS_TOKENS]; /* measured, of each */
    size_t token_count;
    struct label {
        double tokens, pairs, place, ratio;
    } labels[PLANES * GEMM_CELLS_TOKENS]; /* of the points */
};

static double pairs_of(struct scheme_bits bits)
{
    return (double)(bits.weights * bits.activations);
}

/* ---- what the prediction rests on ---- */

struct asked {
    enum scheme_machine machine;
    struct scheme_bits bits;
};

static bool is_asked(const void *of, const json_t *row)
{
    const struct asked *asked = of;
    struct scheme_bits bits;
    return view_flag(row, "usable") && scheme_bits_of(row, &bits) && bits.weights == asked->bits.weights &&
           bits.activations == asked->bits.activations && scheme_machine_runs(asked->machine, view_text(row, "isa"));
}

/* Of the best planes of these bits on the machine; NaN: none was measured. */
static double gamma_of(const struct view *view, enum scheme_machine machine, struct scheme_bits bits)
{
    const struct asked asked = {machine, bits};
    return view_median(best_among(view, VIEW_GAMMA, is_asked, &asked, NULL).row, "gamma");
}

static double per_pair_of(const struct view *view, enum scheme_machine machine)
{
    double pairs[PLANES], gammas[PLANES];
    size_t count = 0;
    for (unsigned p = 1; p <= 8; p++) {
        for (unsigned q = 1; q <= 8; q++) {
            struct scheme_bits bits = {p, q};
            double gamma = gamma_of(view, machine, bits);
            if (gamma > 0 && count < PLANES) {
                pairs[count] = pairs_of(bits);
                gammas[count++] = gamma;
            }
        }
    }
    return crossover_cycles_per_pair(pairs, gammas, count);
}

/* Least cycles that multiplying an output vector of a width takes on the machine, with its operands in registers. */
static double multiply_gamma(const struct view *view, enum scheme_machine machine, const struct scheme *scheme)
{
    double most = NAN;
    for (size_t i = 0; i < view->of[VIEW_GEMM].count; i++) {
        const json_t *row = view->of[VIEW_GEMM].rows[i];
        if (scheme_is(scheme, row) && scheme_machine_runs(machine, view_text(row, "isa")))
            most = fmax(most, view_number(row, "multiply_roof_ops_per_cycle"));
    }
    return 64 / most;
}

/* ---- points ---- */

static struct scheme_cell integers_of(const struct view *view, const struct panel *panel, struct scheme_bits bits,
                                      const struct scheme_query *query)
{
    return panel->narrow ? scheme_integers_fastest(view, bits.weights, query)
                         : scheme_fastest(view, &schemes[SCHEME_INT8], query);
}

/* From grey, where both are as fast, to blue where planes are 4 times as fast and vermillion where integers are. */
static unsigned colour_of(double ratio)
{
    static const int grey[3] = {0xb0, 0xb0, 0xb0}, planes[3] = {0x00, 0x72, 0xb2}, integers[3] = {0xd5, 0x5e, 0x00};
    double share = fmin(1, 0.25 + 0.75 * fabs(log2(ratio)) / 2);
    unsigned colour = 0;
    for (size_t i = 0; i < 3; i++) {
        double end = ratio >= 1 ? planes[i] : integers[i];
        colour = colour << 8 | (unsigned)lround(grey[i] + share * (end - grey[i]));
    }
    return colour;
}

/* Planes of as many pairs stand beside each other: from -0.5 to 0.5 of the room between two numbers of tokens. */
static double beside(const struct panel *panel, size_t index)
{
    size_t before = 0, equal = 0;
    for (size_t i = 0; i < panel->planes; i++) {
        if (pairs_of(panel->bits[i]) == pairs_of(panel->bits[index])) {
            before += i < index;
            equal++;
        }
    }
    return equal > 1 ? ((double)before - (double)(equal - 1) / 2) / (double)equal : 0;
}

static void write_point(const struct panel *panel, size_t index, const struct scheme_query *query,
                        const struct scheme_cell *planes, const struct scheme_cell *integers, double ratio, FILE *data)
{
    char what[320];
    snprintf(what, sizeof what, "W%uA%u, %g token%s: %.2f times as fast; %s %.4g us, %s %.4g us",
             panel->bits[index].weights, panel->bits[index].activations, query->n, query->n == 1 ? "" : "s", ratio,
             view_text(planes->row, "name"), 1e6 * view_median(planes->row, "time_s"), view_text(integers->row, "name"),
             1e6 * view_median(integers->row, "time_s"));
    gnuplot_write_row(data, what, "%g %g %.3f %.4g %d 0x%06x ", query->n, pairs_of(panel->bits[index]),
                      beside(panel, index), ratio, planes->known && integers->known, colour_of(ratio));
}

/* That all of them won says nothing where more pairs of bits were measured with other tokens, but not with these: NaN. */
static double boundary_of(const struct panel *panel, const struct crossover_point *points, size_t count)
{
    double at = crossover_measured(points, count), most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, points[i].pairs);
    return isinf(at) && most < pairs_of(panel->bits[panel->planes - 1]) ? (double)NAN : at;
}

/* One block: all planes with each number of tokens. */
static void write_points(const struct view *view, struct scheme_query query, struct panel *panel, const double *tokens,
                         size_t count, FILE *data)
{
    fputs(
        "# tokens, p q, place beside others of that p q, how many times as fast as integers, 1 if both are known to be the fastest, "
        "colour, what\n",
        data);
    for (size_t n = 0; n < count; n++) {
        struct crossover_point points[PLANES];
        size_t measured = 0;
        query.n = tokens[n];
        for (size_t i = 0; i < panel->planes; i++) {
            struct scheme_cell planes = scheme_planes_fastest(view, panel->bits[i], &query);
            struct scheme_cell integers = integers_of(view, panel, panel->bits[i], &query);
            double ratio = scheme_ops_per_s(&planes) / scheme_ops_per_s(&integers);
            if (!(ratio > 0))
                continue;
            write_point(panel, i, &query, &planes, &integers, ratio, data);
            panel->labels[panel->points + measured] =
                (struct label){query.n, pairs_of(panel->bits[i]), beside(panel, i), ratio};
            points[measured++] = (struct crossover_point){pairs_of(panel->bits[i]), ratio};
        }
        if (!measured)
            continue;
        panel->tokens[panel->token_count] = query.n;
        panel->boundary[panel->token_count++] = boundary_of(panel, points, measured);
        panel->points += measured;
    }
    gnuplot_end_block(data, panel->points, 6, 1);
}

/* ---- boundaries ---- */

/* One block: the predicted one against each width, clipped to what is drawn. */
static void write_predicted(const struct panel *panel, double most_tokens, double most_pairs, FILE *data)
{
    double step = exp2(1.0 / STEPS_OF_DOUBLING);
    fputs("# tokens, the p q up to which planes are predicted to be as fast as int8, int4, int2\n", data);
    for (double tokens = 1 / 1.3; tokens <= 1.3 * most_tokens; tokens *= step) {
        fprintf(data, "%.5g", tokens);
        for (size_t w = 0; w < BESIDE; w++) {
            const struct crossover_integers integers = {holders[w].bytes, panel->gamma[w], 0};
            double pairs = crossover_pairs(panel->per_pair, &integers, panel->beta, tokens);
            fprintf(data, " %.5g", pairs > most_pairs ? most_pairs : pairs);
        }
        fputc('\n', data);
    }
    fputs("\n\n", data);
}

/* One block: the measured one; 1 where it is beyond all that was measured, -1 where the least lost already. */
static void write_measured(const struct panel *panel, double least_pairs, double most_pairs, FILE *data)
{
    fputs("# tokens, p q where both are measured as fast, 1 if all planes won, -1 if none did\n", data);
    for (size_t n = 0; n < panel->token_count; n++) {
        double at = panel->boundary[n];
        if (isnan(at)) {
            fprintf(data, "%g nan 0\n", panel->tokens[n]);
            continue;
        }
        int beyond = isinf(at) ? 1 : at > 0 ? 0 : -1;
        fprintf(data, "%g %.5g %d\n", panel->tokens[n],
                beyond > 0   ? most_pairs
                : beyond < 0 ? least_pairs
                             : at,
                beyond);
    }
    gnuplot_end_block(data, panel->token_count, 3, 0);
}

/* ---- labels ---- */

/* Of the lines that are drawn the predicted ones: 0 and, against the narrowest integers, 1. */
static double predicted_line(const struct panel *panel, size_t line, double tokens)
{
    const size_t w = panel->narrow ? BESIDE - 1 - line : 0;
    const struct crossover_integers integers = {holders[w].bytes, panel->gamma[w], 0};
    return line <= (size_t)panel->narrow ? crossover_pairs(panel->per_pair, &integers, panel->beta, tokens)
                                         : (double)NAN;
}

/* And the measured one, between two numbers of tokens. */
static double measured_line(const struct panel *panel, double least_pairs, double most_pairs, double tokens)
{
    for (size_t n = 1; n < panel->token_count; n++) {
        const double low = panel->tokens[n - 1], high = panel->tokens[n];
        if (tokens < low || tokens > high)
            continue;
        const double from = fmin(fmax(panel->boundary[n - 1], least_pairs), most_pairs),
                     to = fmin(fmax(panel->boundary[n], least_pairs), most_pairs);
        return from * pow(to / from, log(tokens / low) / log(high / low));
    }
    return NAN;
}

/* A label is this high, half of it, in doublings. */
static const double HALF_HEIGHT = 0.15;

/* Whether a line runs through what stands on this side of a point, 1 or -1: in doublings, as wide and high as a label is drawn. */
static bool is_crossed(const struct panel *panel, const struct label *label, double least_pairs, double most_pairs,
                       int side)
{
    for (double beside = 0.15; beside < 0.65; beside += 0.1) {
        const double tokens = label->tokens * exp2(side * beside);
        const double lines[] = {predicted_line(panel, 0, tokens), predicted_line(panel, 1, tokens),
                                measured_line(panel, least_pairs, most_pairs, tokens)};
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            if (fabs(log2(lines[i] / label->pairs)) < HALF_HEIGHT)
                return true;
        }
    }
    return false;
}

static bool are_at_one_place(const struct label *one, const struct label *other)
{
    return one->tokens == other->tokens && one->pairs == other->pairs;
}

/*
 * One block: right of its point, unless only left of it no line runs through. Points beside each other, and one too near above another
 * with a label, have none: they say their own on hover.
 */
static void write_labels(const struct panel *panel, double least_pairs, double most_pairs, FILE *data)
{
    const struct label *labels = panel->labels, *below = NULL;
    size_t count = 0;
    fputs("# tokens, p q, place beside others, how many times as fast, 1 right or -1 left of the point\n", data);
    for (size_t i = 0; i < panel->points; i++) {
        const struct label *label = &labels[i];
        if ((i && are_at_one_place(&labels[i - 1], label)) ||
            (i + 1 < panel->points && are_at_one_place(&labels[i + 1], label)) ||
            (below && below->tokens == label->tokens && log2(label->pairs / below->pairs) < 2 * HALF_HEIGHT))
            continue;
        bool left = label->place == 0 && is_crossed(panel, label, least_pairs, most_pairs, 1) &&
                    !is_crossed(panel, label, least_pairs, most_pairs, -1);
        fprintf(data, "%g %g %.3f %.4g %d\n", label->tokens, label->pairs, label->place, label->ratio, left ? -1 : 1);
        below = label;
        count++;
    }
    gnuplot_end_block(data, count, 5, 0);
}

/* ---- panels ---- */

static size_t panels_of(const struct view *view, const struct scheme_query *query, struct panel panels[2 * MACHINES])
{
    size_t count = 0;
    for (enum scheme_machine machine = 0; machine < MACHINES; machine++) {
        for (size_t narrow = 0; narrow < 2 && scheme_machine_measured(view, machine); narrow++) {
            struct panel *panel = &panels[count];
            *panel = (struct panel){.machine = machine, .narrow = narrow};
            panel->planes = scheme_planes(view, machine, panel->bits, PLANES);
            panel->per_pair = per_pair_of(view, machine);
            for (size_t w = 0; w < BESIDE; w++)
                panel->gamma[w] = multiply_gamma(view, machine, &schemes[holders[w].scheme]);
            panel->beta = view_median(view_roof(view, "memory", query->threads), "bytes_per_cycle_per_core");
            count += panel->planes > 0;
        }
    }
    return count;
}

/* "predicted to cross at p·q = 5.5 (γ of int8 0.250, of a pair 0.0455), measured 4.2 with 64 tokens" */
static void say_boundaries(const struct panel *panel, char *text, size_t size)
{
    double gamma = panel->gamma[panel->narrow ? BESIDE - 1 : 0], flat = gamma / panel->per_pair;
    size_t used = 0;
    text[0] = '\0';
    if (flat > 0)
        used = (size_t)snprintf(text, size, "to cross at p·q = %.1f (γ %.3g / %.3g)", flat, gamma, panel->per_pair);
    if (!panel->token_count || used >= size)
        return;
    double at = panel->boundary[panel->token_count - 1], tokens = panel->tokens[panel->token_count - 1];
    const char *before = used ? ", " : "";
    if (isnan(at))
        return;
    if (isinf(at))
        snprintf(text + used, size - used, "%sN = %g: all won", before, tokens);
    else if (at > 0)
        snprintf(text + used, size - used, "%smeasured %.1f, N = %g", before, at, tokens);
    else
        snprintf(text + used, size - used, "%sN = %g: none won", before, tokens);
}

static void write_panels(const struct panel *panels, size_t count, FILE *settings)
{
    char text[192];
    set_texts(settings, "panel_title", count, p, "%s, against %s", scheme_machine_titles[panels[p].machine],
              panels[p].narrow ? "the narrowest integers" : "int8");
    struct settings_array says = settings_texts(settings, "panel_says", count);
    for (size_t p = 0; p < count; p++) {
        say_boundaries(&panels[p], text, sizeof text);
        array_text(&says, "%s", text);
    }
    set_numbers(settings, "panel_narrow", count, p, panels[p].narrow);
    set_numbers(settings, "panel_predicted", count, p,
                panels[p].per_pair > 0 && panels[p].gamma[panels[p].narrow ? BESIDE - 1 : 0] > 0 && panels[p].beta > 0);
}

/* The names of all planes of as many pairs, at that height. */
static void write_heights(const struct scheme_bits *bits, size_t count, FILE *settings)
{
    size_t heights = 0;
    for (size_t i = 0; i < count; i++)
        heights += i == 0 || pairs_of(bits[i]) != pairs_of(bits[i - 1]);
    struct settings_array at = settings_numbers(settings, "height_at", heights);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || pairs_of(bits[i]) != pairs_of(bits[i - 1]))
            array_number(&at, pairs_of(bits[i]));
    }
    struct settings_array titles = settings_texts(settings, "height_title", heights);
    for (size_t i = 0; i < count;) {
        char text[96] = "";
        double pairs = pairs_of(bits[i]);
        for (size_t used = 0; i < count && pairs_of(bits[i]) == pairs && used + 8 < sizeof text; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%sW%uA%u", used ? " " : "", bits[i].weights,
                                     bits[i].activations);
        while (i < count && pairs_of(bits[i]) == pairs)
            i++;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ": %g", pairs);
        array_text(&titles, "%s", text);
    }
    fprintf(settings, "heights = %zu\n", heights);
}

/* Room between two numbers of tokens, in doublings. */
static double room_of(const double *tokens, size_t count)
{
    double least = 2;
    for (size_t n = 1; n < count; n++)
        least = fmin(least, log2(tokens[n] / tokens[n - 1]));
    return least;
}

/* Whether a GEMV of planes was measured: a GEMM of one token. */
static bool has_gemv(const struct view *view, const struct scheme_query *query, const struct scheme_bits *bits,
                     size_t count)
{
    struct scheme_query one = *query;
    one.n = 1;
    for (size_t i = 0; i < count; i++) {
        if (scheme_planes_fastest(view, bits[i], &one).row)
            return true;
    }
    return false;
}

/* Numbers of tokens that were multiplied, ascending. */
static size_t tokens_of(const struct view *view, const struct scheme_query *query, const struct scheme_bits *bits,
                        size_t planes, double tokens[GEMM_CELLS_TOKENS])
{
    const struct gemm_query all = {.m = query->m, .k = query->k, .threads = query->threads, .cold = true};
    size_t count = gemm_cells_tokens(view, &all, tokens);
    if ((count && tokens[0] == 1) || count == GEMM_CELLS_TOKENS || !has_gemv(view, query, bits, planes))
        return count;
    memmove(tokens + 1, tokens, count * sizeof *tokens);
    tokens[0] = 1;
    return count + 1;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct scheme_query query = {CELLS_REFERENCE_M, CELLS_REFERENCE_K, 0, scheme_team(view), MACHINES};
    struct scheme_bits bits[PLANES];
    double tokens[GEMM_CELLS_TOKENS];
    struct panel *panels = need(2 * MACHINES, sizeof *panels);
    if (!panels)
        return -ENOMEM;
    size_t planes = scheme_planes(view, MACHINES, bits, PLANES), count = tokens_of(view, &query, bits, planes, tokens),
           drawn = 0;
    size_t of = query.threads && count ? panels_of(view, &query, panels) : 0;
    double least = planes ? pairs_of(bits[0]) / 1.5 : NAN, most = planes ? 1.7 * pairs_of(bits[planes - 1]) : NAN;
    for (size_t p = 0; p < of; p++) {
        query.machine = panels[p].machine;
        write_points(view, query, &panels[p], tokens, count, data);
        write_predicted(&panels[p], tokens[count - 1], most, data);
        write_measured(&panels[p], least, most, data);
        write_labels(&panels[p], least, most, data);
        drawn += panels[p].token_count > 1; /* with one number of tokens nothing is crossed */
    }
    if (drawn) {
        fprintf(
            settings,
            "heading = heading.', %gx%g, %u thread%s'\npanels = %zu\nwidth = 1080\nheight = %zu\nnarrow_height = %zu\n",
            query.m, query.k, query.threads, query.threads == 1 ? "" : "s", of, 200 + 175 * of, 250 + 330 * of);
        fprintf(settings, "x_min = %g\nx_max = %g\ny_min = %.5g\ny_max = %.5g\n", tokens[0], tokens[count - 1], least,
                most);
        fprintf(settings, "room_between = %.4g\n", room_of(tokens, count));
        write_panels(panels, of, settings);
        write_heights(bits, planes, settings);
    }
    free(panels);
    return drawn ? 0 : -ENODATA;
}

const struct figure figure_apt_crossover = {
    .name = "apt_crossover",
    .title = "Where counting bits is faster than multiplying integers",
    .caption =
        "Weights of p bits times activations of q bits can be multiplied as p q pairs of bit planes (W1A2: p q = 2), "
        "each by an exclusive or and a count of bits, or as bytes by the CPU's integer multiply, which takes the same "
        "whatever the bytes hold. Each point is both, measured in one run with N tokens at once, and says how many "
        "times as fast the planes are, unless others of its p q stand beside it: blue, planes win; orange, integers "
        "do. The shaded field is where planes should "
        "win, by gamma alone: p q times the cycles of a pair of bits, compared with the longer of reading the "
        "integers' bytes and multiplying them. With few tokens integers wait for memory, and planes win even with "
        "many pairs because they have fewer bytes; with many tokens only the cycles count, and the field ends at "
        "gamma of the integers over gamma of a pair. The dashed line is where the points change colour; a triangle at "
        "its end says that planes won everywhere, or nowhere. On the right, planes against the fastest integers that "
        "hold the weights, int1 and int2 for W1 and W2, with the predictions against int4 and int2: they read no more "
        "than planes do, and unpacking them is counted as free. For a point with a white centre it is not known "
        "whether its kernels are the fastest. All integers here take 8-bit activations; the planes have 1 to 4 bits.",
    .units = "tokens; pairs of bits p q; times as fast",
    .lacking = "GEMMs of 4096x4096 by planes (w1, w2, w3) and by int8 with two numbers of tokens",
    .measured_by = "kneepoint gemm --threads=1 --tokens=1,4,16,64 w1 w2 w3 int8_vnni4 int4_vnni4 int2_planes",
    .rank = 73,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMM),
    .write = write,
};
