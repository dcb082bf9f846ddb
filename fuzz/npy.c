/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix of NumPy, as `kneepoint quantize` takes weights and activations.
 */
#include <math.h>
#include <stdlib.h>

#include "fuzz/frame/target.h"
#include "harness/gguf/npy.h"

FUZZ_TARGET(bytes, length)
{
    struct matrix matrix;
    char why[NPY_REASON] = "";
    if (npy_read(fuzz_file(bytes, length), &matrix, why)) {
        hold_refusal(why);
        hold(!matrix.w);
        return;
    }
    hold(matrix.m && matrix.k && matrix.m * matrix.k <= length);
    for (size_t i = 0; i < matrix.m * matrix.k; i++)
        hold(isfinite(matrix.w[i]));
    free(matrix.w);
}
