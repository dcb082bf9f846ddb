/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When repacking has paid for itself, from the products with rows and with the order that the same run has.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cells/product/product_cell.h"
#include "harness/cells/repack/repack.h"
#include "results/files/need.h"

const struct cell *repack_find(const struct cells *cells, const struct format *format, size_t m, size_t k,
                               unsigned threads)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct repack_cell *own = repack_cell(&cells->cell[i]);
        if (own && own->order->format == format && own->m == m && own->k == k && cells->cell[i].threads == threads &&
            cells->cell[i].samples.count)
            return &cells->cell[i];
    }
    return NULL;
}

/* ---- the fastest of a format ---- */

/** Products of one size; tokens as product_cell has them. */
struct product {
    size_t m, k, tokens;
    unsigned threads;
};

static bool is_of(const struct cell *cell, const struct format *format, const struct product *product)
{
    const struct product_cell *own = product_cell(cell);
    return own && cell->kernel && cell->kernel->format == format && cell->cold && !cell->member &&
           cell->threads == product->threads && cell->samples.count && own->tokens == product->tokens &&
           own->m == product->m && own->k == product->k && !own->schedule;
}

/** Its time and what it was chosen as: of several, the half that did not choose. */
struct fastest {
    const struct cell *cell; /* NULL: none was measured, or it is not known which */
    double time_s, low_s, high_s;
};

static struct fastest fastest_of(const struct cells *cells, const struct format *format, const struct product *product)
{
    const struct cell **of = need(cells->count + 1, sizeof *of);
    struct best_of_half(*halves)[HALVES] = need(cells->count + 1, sizeof *halves);
    struct fastest fastest = {NULL, NAN, NAN, NAN};
    size_t count = 0;
    for (size_t i = 0; of && halves && i < cells->count; i++) {
        if (!is_of(&cells->cell[i], format, product))
            continue;
        const struct graded time = summary_time(&cells->cell[i]);
        for (int half = 0; half < HALVES; half++)
            halves[count][half] = time.halves[half];
        of[count++] = &cells->cell[i];
    }
    size_t best = count > 1 ? best_of((const struct best_of_half(*)[HALVES])halves, count, false) : 0;
    if (count == 1) {
        const struct summary time = summary_time(of[0]).summary;
        fastest = (struct fastest){of[0], summary_stated(summary_time(of[0])), time.ci95[0], time.ci95[1]};
    } else if (best < count) {
        const struct best_of_half *reported = &halves[best][HALF_REPORTS];
        fastest = (struct fastest){of[best], reported->median, reported->ci95[0], reported->ci95[1]};
    }
    free(of);
    free(halves);
    return fastest;
}

/* ---- GEMVs ---- */

static const char *never(const struct fastest *rows, const struct fastest *order)
{
    if (!(rows->time_s > 0 && order->time_s > 0))
        return "GEMVs of the rows and of the order, cold, were not both measured often enough on this shape and team: name both for gemv";
    if (!(rows->low_s > order->high_s))
        return "no gain: its GEMV is not faster than that of the rows by more than their intervals";
    return NULL;
}

static void name_of(const struct fastest *fastest, char name[96])
{
    snprintf(name, 96, "%s", fastest->cell ? fastest->cell->kernel->name : "");
}

struct repack_payment repack_payment(const struct cells *cells, const struct cell *cell)
{
    const struct repack_cell *own = repack_cell(cell);
    const struct product product = {own->m, own->k, PRODUCT_GEMV, cell->threads};
    const struct fastest rows = fastest_of(cells, own->rows, &product),
                         order = fastest_of(cells, own->order->format, &product);
    const double repack_s = summary_stated(summary_time(cell));
    struct repack_payment payment = {.rows_s = rows.time_s, .order_s = order.time_s, .why = never(&rows, &order)};
    name_of(&rows, payment.rows_kernel);
    name_of(&order, payment.order_kernel);
    if (!payment.why && !(repack_s > 0))
        payment.why = "too few samples of repacking were kept";
    payment.tokens = payment.why ? (double)NAN : repack_s / (rows.time_s - order.time_s);
    return payment;
}

/* ---- GEMMs ---- */

double repack_pays_at(const struct cells *cells, const struct cell *cell, const char **why)
{
    const struct product_cell *gemm = gemm_cell(cell);
    const struct block_order *order = block_order_of(cell->kernel->format);
    const struct format *rows = order ? block_order_rows(order) : NULL;
    const struct cell *repack = repack_find(cells, cell->kernel->format, gemm->m, gemm->k, cell->threads);
    const double repack_s = repack ? summary_stated(summary_time(repack)) : NAN;
    double pays = NAN;
    bool any = false;
    for (size_t i = 0; rows && repack_s > 0 && i < cells->count; i++) {
        const struct product_cell *of = gemm_cell(&cells->cell[i]);
        const struct product product = {gemm->m, gemm->k, of ? of->tokens : 0, cell->threads};
        if (!of || cells->cell[i].kernel != cell->kernel || !is_of(&cells->cell[i], cell->kernel->format, &product))
            continue;
        double with_rows_s = fastest_of(cells, rows, &product).time_s,
               with_order_s = summary_stated(summary_time(&cells->cell[i])) + repack_s;
        any = any || (with_rows_s > 0 && with_order_s > 0);
        if (with_order_s < with_rows_s && !(pays <= (double)of->tokens))
            pays = (double)of->tokens;
    }
    *why = !rows             ? "no model file holds its weights in another order"
           : !(repack_s > 0) ? "repacking to it was not measured often enough"
           : !any            ? "no cold GEMM of the rows with as many tokens was measured often enough"
                             : "with no number of tokens that was measured";
    return pays;
}
