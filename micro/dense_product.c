/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See dense_product.h. Blocks of A and B are copied so that 4 rows (columns) lie side by side for each of DEPTH terms: both then stream
 * through the first-level cache, whatever the strides were, and edges are padded with zeros instead of being cases.
 */
#include "micro/dense_product.h"

#include "micro/least.h"

enum { TILE = 4, BLOCK = 64, DEPTH = 128 };

typedef double pair __attribute__((vector_size(16), aligned(16)));

struct packed {
    pair of[BLOCK / TILE][DEPTH][TILE / 2];
};

/** `count` rows (columns) of `depth` terms each; `along` from one to the next, `across` from term to term. */
static void pack(const double *at, size_t along, size_t across, size_t count, size_t depth, struct packed *packed)
{
    for (size_t i = 0; i < (count + TILE - 1) / TILE * TILE; i++) {
        for (size_t t = 0; t < depth; t++)
            packed->of[i / TILE][t][i % TILE / 2][i % 2] = i < count ? at[i * along + t * across] : 0;
    }
}

/** sum[i][j] = sum_t a[t][i] b[t][j] */
static void tile(const pair (*a)[TILE / 2], const pair (*b)[TILE / 2], size_t depth, double (*sum)[TILE])
{
    pair s[TILE][2] = {{{0}}};
    for (size_t t = 0; t < depth; t++) {
#pragma GCC unroll 4
        for (size_t i = 0; i < TILE; i++) {
            const pair each = {a[t][i / 2][i % 2], a[t][i / 2][i % 2]};
            s[i][0] += each * b[t][0];
            s[i][1] += each * b[t][1];
        }
    }
    for (size_t i = 0; i < TILE; i++) {
        for (size_t j = 0; j < TILE; j++)
            sum[i][j] = s[i][j / 2][j % 2];
    }
}

static void block(double *c, size_t stride, size_t rows, size_t columns, size_t depth, const struct packed *a,
                  const struct packed *b, double sign)
{
    for (size_t i = 0; i < rows; i += TILE) {
        for (size_t j = 0; j < columns; j += TILE) {
            double sum[TILE][TILE];
            tile(a->of[i / TILE], b->of[j / TILE], depth, sum);
            for (size_t u = 0; u < least(TILE, rows - i); u++) {
                for (size_t v = 0; v < least(TILE, columns - j); v++)
                    c[(i + u) * stride + j + v] += sign * sum[u][v];
            }
        }
    }
}

void dense_multiply_add(double *c, size_t stride, size_t rows, size_t columns, size_t depth, struct dense_operand a,
                        struct dense_operand b, double sign)
{
    struct packed of_a, of_b;
    for (size_t t = 0; t < depth; t += DEPTH) {
        const size_t terms = least(DEPTH, depth - t);
        for (size_t i = 0; i < rows; i += BLOCK) {
            pack(a.at + i * a.row + t * a.column, a.row, a.column, least(BLOCK, rows - i), terms, &of_a);
            for (size_t j = 0; j < columns; j += BLOCK) {
                pack(b.at + t * b.row + j * b.column, b.column, b.row, least(BLOCK, columns - j), terms, &of_b);
                block(c + i * stride + j, stride, least(BLOCK, rows - i), least(BLOCK, columns - j), terms, &of_a,
                      &of_b, sign);
            }
        }
    }
}
