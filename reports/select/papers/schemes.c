/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/papers/schemes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/select/kernels/best.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/papers/systems.h"
#include "reports/select/tokens/decoded.h"

/* Planes have the colour of their width (figure_colour), integers of it a lighter one. */
const struct scheme schemes[SCHEMES] = {
    [SCHEME_F32] = {.title = "f32", .column = "fp32", .formats = {"f32"}, .colour = 0xa8a8a8},
    [SCHEME_F16] = {.title = "f16, bf16", .column = "fp16", .formats = {"f16", "bf16"}, .colour = 0x7a7a7a},
    [SCHEME_INT8] = {.title = "int8", .formats = {"int8_vnni4"}, .colour = 0x0072b2},
    [SCHEME_ONEDNN] = {.title = "int8, oneDNN", .formats = {"int8_rows"}, .plugin = "onednn", .colour = SYSTEM_ONEDNN},
    [SCHEME_INT4] = {.title = "int4", .column = "int4", .formats = {"int4_vnni4"}, .colour = 0xcc79a7},
    [SCHEME_INT2] = {.title = "int2", .formats = {"int2_planes", "int2_vnni4", "i2_s"}, .colour = 0xf2ae80},
    [SCHEME_TMAC] = {.title = "T-MAC, 2-bit", .formats = {"tmac2"}, .colour = SYSTEM_TMAC},
    [SCHEME_INT1] = {.title = "int1",
                     .formats = {"int1_planes", "int1_planes_m8", "int1_sextets", "int1_vnni4"},
                     .colour = 0x7fcfb4},
    [SCHEME_W3A4] = {.title = "W3A4", .column = "w3a4", .bits = {3, 4}, .colour = 0xe69f00},
    [SCHEME_W2A2] = {.title = "W2A2", .column = "w2a2", .bits = {2, 2}, .colour = 0xd55e00},
    [SCHEME_W1A2] = {.title = "W1A2", .column = "w1a2", .bits = {1, 2}, .colour = 0x009e73},
    [SCHEME_W1A1] = {.title = "W1A1", .column = "int1", .bits = {1, 1}, .colour = 0x00795a},
};

/* ---- machines ---- */

const char *const scheme_machine_titles[MACHINES] = {"AVX2", "AVX-VNNI", "AVX-512", "AMX", "NEON", "NEON dot product"};

enum scheme_machine scheme_machine_of(const char *isa)
{
    static const struct {
        const char *begin;
        enum scheme_machine machine;
    } begins[] = {{"avx512", MACHINE_AVX512}, {"avx_vnni", MACHINE_AVX_VNNI}, {"avx2", MACHINE_AVX2},
                  {"amx", MACHINE_AMX},       {"neon_", MACHINE_DOTPROD},     {"sve", MACHINE_DOTPROD},
                  {"neon", MACHINE_NEON}};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        if (strncmp(isa, begins[i].begin, strlen(begins[i].begin)) == 0)
            return begins[i].machine;
    }
    return MACHINES;
}

static bool is_arm(enum scheme_machine machine)
{
    return machine == MACHINE_NEON || machine == MACHINE_DOTPROD;
}

bool scheme_machine_runs(enum scheme_machine machine, const char *isa)
{
    enum scheme_machine needed = scheme_machine_of(isa);
    if (machine == MACHINES || needed == MACHINES)
        return machine == MACHINES;
    return is_arm(machine) == is_arm(needed) && needed <= machine;
}

bool scheme_machine_measured(const struct view *view, enum scheme_machine machine)
{
    for (size_t i = 0; i < view->of[VIEW_GEMM].count; i++) {
        const json_t *row = view->of[VIEW_GEMM].rows[i];
        struct scheme_bits bits;
        bool compared = scheme_bits_of(row, &bits) || strncmp(view_text(row, "format"), "int", 3) == 0;
        if (compared && scheme_machine_of(view_text(row, "isa")) == machine)
            return true;
    }
    return false;
}

/* ---- choosing ---- */

/* What is wanted of a row: a scheme's formats, or planes. */
struct wanted {
    const struct scheme *scheme; /* NULL: planes of these bits */
    struct scheme_bits bits;
};

static bool is_of(const json_t *row, const struct wanted *wanted)
{
    struct scheme_bits bits;
    const char *plugin = wanted->scheme && wanted->scheme->plugin ? wanted->scheme->plugin : "";
    if (strcmp(plugin, view_text(row, "plugin")) != 0)
        return false;
    for (size_t i = 0; wanted->scheme && i < sizeof wanted->scheme->formats / sizeof *wanted->scheme->formats; i++) {
        const char *format = wanted->scheme->formats[i];
        if (format && strcmp(format, view_text(row, "format")) == 0)
            return true;
    }
    return wanted->bits.weights && scheme_bits_of(row, &bits) && bits.weights == wanted->bits.weights &&
           bits.activations == wanted->bits.activations;
}

bool scheme_is(const struct scheme *scheme, const json_t *row)
{
    const struct wanted wanted = {scheme, scheme->bits};
    return is_of(row, &wanted);
}

static bool matches(const json_t *row, const struct scheme_query *query)
{
    return view_number(row, "m") == query->m && view_number(row, "k") == query->k &&
           view_number(row, "n") == query->n && (!query->threads || view_number(row, "threads") == query->threads) &&
           view_is_cold(row) && scheme_machine_runs(query->machine, view_text(row, "isa"));
}

struct asked {
    const struct wanted *wanted;
    const struct scheme_query *query;
};

static bool is_asked(const void *of, const json_t *row)
{
    const struct asked *asked = of;
    return matches(row, asked->query) && is_of(row, asked->wanted);
}

static struct scheme_cell fastest_of(const struct view *view, enum view_type type, const struct wanted *wanted,
                                     const struct scheme_query *query)
{
    const struct asked asked = {wanted, query};
    struct best best = best_among(view, type, is_asked, &asked, NULL);
    return (struct scheme_cell){best.row, best.known};
}

static struct scheme_cell choose(const struct view *view, const struct wanted *wanted, const struct scheme_query *query)
{
    struct scheme_cell gemm = fastest_of(view, VIEW_GEMM, wanted, query);
    struct scheme_cell gemv =
        query->n == 1 ? fastest_of(view, VIEW_GEMV, wanted, query) : (struct scheme_cell){NULL, false};
    if (!gemm.row || !gemv.row)
        return gemm.row ? gemm : gemv;
    /* both are the best of their kind, and each has the numbers of its half that reports */
    struct scheme_cell best = view_median(gemv.row, "time_s") < view_median(gemm.row, "time_s") ? gemv : gemm;
    best.known = gemm.known && gemv.known;
    return best;
}

struct scheme_cell scheme_fastest(const struct view *view, const struct scheme *scheme,
                                  const struct scheme_query *query)
{
    const struct wanted wanted = {scheme, scheme->bits};
    return choose(view, &wanted, query);
}

struct scheme_cell scheme_planes_fastest(const struct view *view, struct scheme_bits bits,
                                         const struct scheme_query *query)
{
    const struct wanted wanted = {NULL, bits};
    return choose(view, &wanted, query);
}

struct scheme_cell scheme_integers_fastest(const struct view *view, unsigned weight_bits,
                                           const struct scheme_query *query)
{
    static const struct {
        unsigned bits;
        size_t scheme;
    } widths[] = {{1, SCHEME_INT1}, {2, SCHEME_INT2}, {4, SCHEME_INT4}, {8, SCHEME_INT8}};
    struct scheme_cell best = {NULL, true};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct scheme_cell cell = {NULL, false};
        if (widths[i].bits >= weight_bits)
            cell = scheme_fastest(view, &schemes[widths[i].scheme], query);
        if (!cell.row)
            continue;
        best.known &= cell.known;
        if (!best.row || view_median(cell.row, "time_s") < view_median(best.row, "time_s"))
            best.row = cell.row;
    }
    return best;
}

static bool is_pass_of(const void *scheme, const json_t *row)
{
    return decoded_has_wide_head(row) && scheme_is(scheme, row);
}

const json_t *scheme_pass(const struct view *view, enum view_type type, const struct scheme *scheme, const char *model,
                          size_t length, unsigned threads)
{
    return decoded_among(view, type, model, is_pass_of, scheme, length, threads);
}

double scheme_ops_per_s(const struct scheme_cell *cell)
{
    if (!cell->row)
        return NAN;
    return 2 * view_number(cell->row, "m") * view_number(cell->row, "k") * view_number(cell->row, "n") /
           view_median(cell->row, "time_s");
}

unsigned scheme_team(const struct view *view)
{
    static const enum view_type types[] = {VIEW_GEMM, VIEW_GEMV};
    enum { TEAMS = 1024 };
    size_t counts[TEAMS] = {0};
    unsigned best = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t i = 0; i < view->of[types[t]].count; i++) {
            const json_t *row = view->of[types[t]].rows[i];
            double threads = view_number(row, "threads");
            struct scheme_bits bits;
            if (threads >= 1 && threads < TEAMS && view_is_cold(row) && scheme_bits_of(row, &bits))
                counts[(unsigned)threads]++;
        }
    }
    for (unsigned team = 1; team < TEAMS; team++)
        best = counts[team] && counts[team] >= counts[best] ? team : best;
    return best;
}

static int by_pairs(const void *left, const void *right)
{
    const struct scheme_bits *a = left, *b = right;
    unsigned pairs_a = a->weights * a->activations, pairs_b = b->weights * b->activations;
    return pairs_a != pairs_b ? (pairs_a > pairs_b) - (pairs_a < pairs_b)
                              : (a->weights > b->weights) - (a->weights < b->weights);
}

size_t scheme_planes(const struct view *view, enum scheme_machine machine, struct scheme_bits *bits, size_t capacity)
{
    static const enum view_type types[] = {VIEW_GEMM, VIEW_GEMV};
    size_t count = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t i = 0; i < view->of[types[t]].count; i++) {
            const json_t *row = view->of[types[t]].rows[i];
            struct scheme_bits of;
            size_t at = 0;
            if (!scheme_bits_of(row, &of) || !scheme_machine_runs(machine, view_text(row, "isa")) ||
                !cells_is_valid(row))
                continue;
            while (at < count && (bits[at].weights != of.weights || bits[at].activations != of.activations))
                at++;
            if (at == count && count < capacity)
                bits[count++] = of;
        }
    }
    qsort(bits, count, sizeof *bits, by_pairs);
    return count;
}
