/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of planes of all pairs of 1 to 8 bits, by exclusive ors and by ands, against the product of the integers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "micro/bipolar.h"
#include "micro/bit_serial.h"
#include "micro/kernels/random.h"

enum { K_MOST = 700, WORDS_MOST = 11 };

static void fill(uint8_t *u, size_t k, uint32_t bits, size_t pattern, uint64_t *random)
{
    uint32_t most = (1u << bits) - 1;
    for (size_t i = 0; i < k; i++)
        u[i] = (uint8_t)(pattern == 0 ? 0 : pattern == 1 ? most : random_bits(random) >> 40 & most);
}

static void all_pairs_of_bits_are_exact(void **state)
{
    (void)state;
    static const size_t k_tried[] = {1, 63, 64, 65, 127, 513, 700};
    uint8_t w[K_MOST], x[K_MOST];
    uint64_t w_planes[BIPOLAR_BITS_MOST * WORDS_MOST], x_planes[BIPOLAR_BITS_MOST * WORDS_MOST], random = 1;
    for (uint32_t pair = 0; pair < BIPOLAR_BITS_MOST * BIPOLAR_BITS_MOST; pair++) {
        uint32_t p = pair / BIPOLAR_BITS_MOST + 1, q = pair % BIPOLAR_BITS_MOST + 1;
        for (size_t n = 0; n < 9 * sizeof k_tried / sizeof *k_tried; n++) {
            size_t k = k_tried[n / 9];
            fill(w, k, p, n % 3, &random);
            fill(x, k, q, n / 3 % 3, &random);
            bit_planes_make(w, k, p, w_planes);
            bit_planes_make(x, k, q, x_planes);
            int64_t expected = bipolar_product(w, p, x, q, k);
            assert_int_equal(bit_serial_xor((struct bit_planes){w_planes, p}, (struct bit_planes){x_planes, q}, k),
                             expected);
            assert_int_equal(bit_serial_and((struct bit_planes){w_planes, p}, (struct bit_planes){x_planes, q}, k),
                             expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_pairs_of_bits_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
