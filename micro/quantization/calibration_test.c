/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/quantization/calibration.h"

#include <errno.h>
#include <math.h>

#include "micro/quantization/hessian.h"
#include "unit_test.h"

/** Columns that do not correlate: all is known. */
TEST(columns_apart_have_their_own)
{
    const float x[4][2] = {{1, 0}, {-1, 0}, {0, 2}, {0, -2}};
    struct calibration of;
    assert_int_equal(calibrate(&x[0][0], 4, 2, &of), 0);
    const double lambda = HESSIAN_DAMPING * (4 + 16) / 2;
    assert_true(fabs(of.mean_square[0] - 0.5) < 1e-12 && fabs(of.mean_square[1] - 2) < 1e-12);
    assert_true(fabs(of.inverse_diagonal[0] * (4 + lambda) - 1) < 1e-12);
    assert_true(fabs(of.inverse_diagonal[1] * (16 + lambda) - 1) < 1e-12);
    assert_true(fabs(of.factor[0] * of.factor[0] - of.inverse_diagonal[0]) < 1e-12);
    assert_true(of.k == 2 && of.tokens == 4);
    calibration_free(&of);
    assert_null(of.factor);
}

TEST(what_calibrates_nothing_is_refused)
{
    const float zeros[8] = {0};
    struct calibration of;
    assert_int_equal(calibrate(zeros, 2, 4, &of), -ENODATA);
    assert_null(of.factor);
    assert_int_equal(calibrate(zeros, 0, 4, &of), -ENODATA);
    assert_int_equal(calibrate(zeros, 2, 0, &of), -EINVAL);
    assert_int_equal(calibrate(zeros, 2, HESSIAN_K_MOST + 1, &of), -EINVAL);
}

RUN_TESTS(NULL, NULL)
