/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A header that claims more than the file holds costs no memory.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "harness/gguf/npy.h"
#include "unit_test.h"

TEST(a_file_that_is_short_is_refused_before_memory_is_taken)
{
    struct matrix matrix;
    struct rlimit before, small;
    char why[NPY_REASON] = "";
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_not_equal(fputs("\x93NUMPY\x01", file), EOF);
    assert_int_equal(fwrite("\0v\0", 1, 3, file), 3);
    fprintf(file, "%-117s\n0123", "{'descr': '<f4', 'fortran_order': False, 'shape': (32768, 32768), }");
    assert_int_equal(fflush(file), 0);
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    small = (struct rlimit){1u << 30, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &small), 0);
    int error = npy_read(path, &matrix, why);
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
    fclose(file);
    assert_int_equal(error, -EINVAL);
    assert_string_equal(why, "ends before the last of its numbers");
    assert_null(matrix.w);
}

RUN_TESTS(NULL, NULL)
