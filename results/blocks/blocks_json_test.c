/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "results/blocks/blocks_testing.h"
#include "results/records/cpu_key.h"
#include "unit_test.h"

TEST(json_brings_them_back)
{
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 5);
    add_stream(&run, "read.fast", 2e-6, true);
    struct blocks blocks = reduced(&run), back;
    char why[256];
    blocks.layout[COMPARE_MEMORY] = 0.02;
    json_t *object = blocks_to_json(&blocks);
    assert_int_equal(blocks_from_json(object, &back, why, sizeof why), 0);
    assert_true(back.layout[COMPARE_MEMORY] == 0.02 && isnan(back.layout[COMPARE_CORE]));
    assert_true(json_equal(json_object_get(blocks.meta, "cpu"), json_object_get(back.meta, "cpu")));
    char before[9], after[9];
    cpu_key_code(blocks.meta, before);
    cpu_key_code(back.meta, after);
    assert_int_equal(strlen(before), 8);
    assert_string_equal(before, after);
    assert_int_equal(back.cells, blocks.cells);
    assert_int_equal(back.count, blocks.count);
    assert_memory_equal(back.number, blocks.number, blocks.count * sizeof *back.number);
    assert_true(back.processes);
    for (size_t i = 0; i < back.cells; i++) {
        const struct blocks_cell *a = &blocks.cell[i], *b = &back.cell[i];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->count, b->count);
        assert_true(a->class == b->class && a->control == b->control && a->cycles == b->cycles && a->kept == b->kept &&
                    a->rejected == b->rejected && a->timed_s == b->timed_s);
        for (size_t v = 0; v < a->count; v++)
            assert_true(a->value[v] == b->value[v] && a->block[v] == b->block[v] &&
                        (a->roof_s[v] == b->roof_s[v] || (isnan(a->roof_s[v]) && isnan(b->roof_s[v]))));
    }
    blocks_release(&back);
    blocks_release(&blocks);
    json_decref(object);
    run_records_free(&run);
}

/** Applies one change to what blocks_to_json writes; it must be refused. */
static void assert_refused(const json_t *good, const char *cell_field, json_t *value, const char *mention)
{
    json_t *object = json_deep_copy(good);
    struct blocks blocks;
    char why[256] = "";
    if (cell_field)
        json_object_set_new(json_array_get(json_object_get(object, "cells"), 1), cell_field, value);
    else
        json_object_set_new(object, "cells", value);
    assert_int_equal(blocks_from_json(object, &blocks, why, sizeof why), -EINVAL);
    if (!strstr(why, mention))
        fail_msg("'%s' does not mention '%s'", why, mention);
    json_decref(object);
}

static char *without_a(void *context, const char *name)
{
    ++*(int *)context;
    char *other = strdup(name);
    if (strstr(name, "/b/")) /* b comes before the others now */
        other[0] = 'a';
    if (strstr(name, "/a/")) {
        free(other);
        return NULL;
    }
    return other;
}

TEST(cells_are_renamed_and_blocks_dropped)
{
    struct run_records run = made_run();
    add_cold(&run, "gemv/a/64x64/t1/cold", 5);
    add_cold(&run, "gemv/b/64x64/t1/cold", 5);
    add_cold(&run, "gemv/c/64x64/t1/cold", 5);
    struct blocks blocks = reduced(&run);
    int asked = 0;
    blocks_rename(&blocks, without_a, &asked);
    assert_int_equal(asked, 3);
    assert_int_equal(blocks.cells, 2);
    assert_string_equal(blocks.cell[0].name, "aemv/b/64x64/t1/cold");
    const unsigned numbers[] = {2, 5, 77};
    blocks_drop(&blocks, COMPARE_CORE, numbers, 3);
    assert_int_equal(blocks.cell[0].count, 5);
    blocks_drop(&blocks, COMPARE_MEMORY, numbers, 3);
    assert_int_equal(blocks.cell[0].count, 3);
    assert_close(blocks.cell[0].value[1], 3.1e-6);
    assert_close(blocks.cell[0].roof_s[2], 0.5 * 4.1e-6);
    assert_int_equal(blocks.cell[0].block[2], 3);
    blocks_release(&blocks);
    run_records_free(&run);
}

TEST(damaged_json_is_refused)
{
    struct run_records run = made_run();
    add_cold(&run, "gemv/a/64x64/t1/cold", 4);
    add_cold(&run, "gemv/b/64x64/t1/cold", 4);
    struct blocks blocks = reduced(&run);
    json_t *good = blocks_to_json(&blocks);
    assert_refused(good, NULL, json_integer(3), "cells");
    assert_refused(good, "name", json_integer(3), "cell 2 is damaged");
    assert_refused(good, "name", json_string("a"), "out of order");
    assert_refused(good, "values", json_pack("[f,f,f]", 1.0, 1.0, 1.0), "cell 2 is damaged");
    assert_refused(good, "values", json_pack("[f,f,f,f]", 1.0, -1.0, 1.0, 1.0), "cell 2 is damaged");
    assert_refused(good, "values", json_pack("[f,f,f,s]", 1.0, 1.0, 1.0, "x"), "cell 2 is damaged");
    assert_refused(good, "blocks", json_pack("[i,i,i,i]", 0, 1, 2, 4), "cell 2 is damaged");
    assert_refused(good, "blocks", json_pack("[i,i,i,i]", 0, 1, 1, 2), "cell 2 is damaged");
    assert_refused(good, "kept", json_integer(-1), "cell 2 is damaged");
    blocks_release(&blocks);
    json_decref(good);
    run_records_free(&run);
}

RUN_TESTS(NULL, NULL)
