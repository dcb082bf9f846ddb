/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The corpus of every fuzz target without a fuzzer: each input whole, cut short in places, and an empty one.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_registry.h"
#include "unit_test.h"

enum { LONGEST = 1 << 18, CUTS = 24 };

#define DECLARE(name) void fuzz_##name(const uint8_t *bytes, size_t length);
REGISTRY_FUZZ(DECLARE)
#undef DECLARE

static const struct target {
    const char *name;
    void (*run)(const uint8_t *bytes, size_t length);
} targets[] = {
#define ROW(name) {#name, fuzz_##name},
    REGISTRY_FUZZ(ROW)
#undef ROW
};

enum { TARGETS = sizeof targets / sizeof *targets };

/** In memory of exactly its length; a sanitizer watches what follows. */
static void run_copy(const struct target *target, const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    if (length)
        memcpy(copy, bytes, length);
    target->run(copy, length);
    free(copy);
}

static void run_file(const struct target *target, const char *path)
{
    static uint8_t whole[LONGEST];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(whole, 1, sizeof whole, file);
    fclose(file);
    assert_true(length < sizeof whole);
    for (size_t cut = 0; cut <= CUTS; cut++)
        run_copy(target, whole, length * cut / CUTS);
}

static void its_corpus_ends_nothing(void **state)
{
    const struct target *target = *state;
    char pattern[512];
    glob_t found;
    snprintf(pattern, sizeof pattern, UNPACKED "/fuzz/corpus/%s/*", target->name);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        run_file(target, found.gl_pathv[i]);
    globfree(&found);
}

int main(void)
{
    struct CMUnitTest tests[TARGETS];
    for (size_t i = 0; i < TARGETS; i++)
        tests[i] = (struct CMUnitTest){targets[i].name, its_corpus_ends_nothing, NULL, NULL, (void *)&targets[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
