/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of ELUT(4, 2): the sums of two activations reach from -2 to 1 times them, 508; less the middle, -(a0 + a1) / 2, they are within
 * 381: 29 h + l with l and h within 14, so that 8 look-ups fit signed bytes. The middles are added back at the end. The including .c
 * defines BASE, TABLE_BYTES and STEP_TABLES, and includes elut_avx2.h or elut_neon.h.
 */
#include "micro/formats/tl1/layout.h"
#include "micro/kernel.h"

struct tables {
    int32_t middles; /* all that the tables lack */
    int32_t unused[15];
    uint8_t steps[];
};

static size_t prepared_bytes(size_t k)
{
    return sizeof(struct tables) + k / TL1_STEP_COLUMNS * STEP_TABLES;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    struct tables *tables = prepared;
    uint8_t *table = tables->steps;
    struct table_coefficients pairs;
    table_coefficients_make(4, 2, &pairs);
    tables->middles = 0;
    for (size_t i = 0; i < k; i += 2, table += TABLE_BYTES) {
        int32_t middle = -((a[i] + a[i + 1]) >> 1);
        table_store_digits(table, table_less(table_sums(&pairs, 2, a + i), middle), BASE);
        tables->middles += middle;
    }
}
