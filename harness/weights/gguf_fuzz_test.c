/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The corpus of the fuzz target, and each of its files cut at every byte, without a fuzzer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glob.h>
#include <stdio.h>

#include "harness/weights/gguf_fuzz.c"

static void try_file(const char *path)
{
    static uint8_t whole[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t cut = 0; cut <= length; cut++) {
        uint8_t *copy = malloc(cut ? cut : 1); /* behind which a sanitizer watches */
        assert_non_null(copy);
        memcpy(copy, whole, cut);
        assert_int_equal(LLVMFuzzerTestOneInput(copy, cut), 0);
        free(copy);
    }
}

static void every_file_of_the_corpus_is_no_harm_wherever_it_is_cut(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("harness/weights/fixtures/gguf_fuzz/*", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 10);
    for (size_t i = 0; i < found.gl_pathc; i++)
        try_file(found.gl_pathv[i]);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_file_of_the_corpus_is_no_harm_wherever_it_is_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
