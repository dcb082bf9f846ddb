/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "harness/cells/on_paper.h"
#include "harness/cells/tiles/tiles.h"
#include "harness/measure/session_level.h"
#include "platforms/cpu/isa.h"
#include "unit_test.h"

/* Streams of tiles are there on x86-64, whether its CPU has tiles or not; on others nothing is added. */
static const struct stream *tiles_of(const char *isa)
{
    for (const struct stream *const *at = stream_all(); *at; at++) {
        if ((*at)->tile_operations && strcmp((*at)->isa, isa) == 0)
            return *at;
    }
    return NULL;
}

static bool has_tiles(void)
{
    if (tiles_of("amx_int8"))
        return true;
    print_message("# not on this machine: its architecture has no tiles\n");
    return false;
}

static const struct kernel tile_kernel = {
    .name = "int8_test.tile.amx_int8", .isa = "amx_int8", .origin = "kneepoint", .format = &format};

/** The cells of all variants of a level as if they ran here, each tile in so many cycles. */
static void give_level(struct bench *bench, const char *level, unsigned threads, const double cycles[4])
{
    const struct stream *stream_of = tiles_of("amx_int8");
    for (uint32_t v = 0; v < stream_of->count; v++) {
        struct cell *cell = cells_add(&bench->cells, &cell_kind_tiles);
        assert_non_null(cell);
        *tiles_cell(cell) = (struct tiles_cell){stream_of, &stream_of->variants[v], level, 24 << 10};
        cell->threads = threads;
        cell->repeats = 100;
        give_many(&cell->samples, kept_sample(cycles[stream_of->variants[v].tiles] * 24 * 100 / 3e9, 3e9), 8);
    }
}

/* by enum stream_tiles: loaded, multiplied, streamed, both */
static const double near[] = {9, 22, 18, 23}, far[] = {21, 28, 19, 26}, of_two[] = {1, 1, 1, 1};

static void cycles_are_those_of_a_tile(void **state)
{
    struct bench *bench = *state;
    if (!has_tiles())
        skip();
    give_level(bench, "L1", 1, near);
    for (size_t i = 0; i < bench->cells.count; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        json_t *record = record_of(bench, cell);
        uint32_t tiles = tiles_cell(cell)->variant->tiles;
        assert_string_equal(field_text(record, "type"), "tiles");
        assert_string_equal(field_text(record, "level"), "L1");
        assert_near(field_median(record, "cycles_per_tile"), near[tiles]);
        assert_near(field_median(record, "bytes_per_s"), 1024 * 3e9 / near[tiles]);
        assert_int_equal(json_is_true(json_object_get(record, "multiplied")), (tiles & STREAM_TILES_MULTIPLIED) != 0);
        assert_int_equal(json_is_true(json_object_get(record, "streamed")), (tiles & STREAM_TILES_STREAMED) != 0);
        assert_near(field_number(record, "tile_bytes"), 1024);
        assert_near(field_number(record, "tile_operations"), 32768);
        json_decref(record);
    }
    assert_int_equal(bench->cells.count, 4);
}

static void the_faster_load_of_one_core_is_what_operands_take(void **state)
{
    struct bench *bench = *state;
    if (!has_tiles())
        skip();
    struct gemm_operands operands = tiles_operands(&bench->cells, &tile_kernel);
    assert_near(operands.operations, 32768);
    assert_true(isnan(operands.near) && isnan(operands.far_alone));
    give_level(bench, "L1", 1, near);
    give_level(bench, "L2", 1, far);
    give_level(bench, "L2", 2, of_two);
    operands = tiles_operands(&bench->cells, &tile_kernel);
    assert_near(operands.near, 22);
    assert_near(operands.near_alone, 9);
    assert_near(operands.far, 26);
    assert_near(operands.far_alone, 19);
    assert_true(isnan(tiles_operands(&bench->cells, &kernel).operations)); /* one without tiles */
}

/** A neighbour on the other thread of the core for most of the time: six samples say what a tile takes without. */
static void operands_are_what_six_samples_attain(void **state)
{
    struct bench *bench = *state;
    if (!has_tiles())
        skip();
    static const double busy[] = {40, 75, 60, 90};
    give_level(bench, "L1", 1, busy);
    for (size_t i = 0; i < bench->cells.count; i++) {
        struct cell *cell = &bench->cells.cell[i];
        double cycles = near[tiles_cell(cell)->variant->tiles];
        for (int j = 0; j < 5; j++)
            give(&cell->samples, kept_sample((cycles + 0.1 * j) * 24 * 100 / 3e9, 3e9));
    }
    assert_near(tiles_operands(&bench->cells, &tile_kernel).near, 75); /* five are too few */
    for (size_t i = 0; i < bench->cells.count; i++) {
        struct cell *cell = &bench->cells.cell[i];
        give(&cell->samples, kept_sample((near[tiles_cell(cell)->variant->tiles] + 0.25) * 24 * 100 / 3e9, 3e9));
    }
    assert_near(tiles_operands(&bench->cells, &tile_kernel).near, 22.4);
    assert_near(tiles_operands(&bench->cells, &tile_kernel).near_alone, 9.4);
}

static void each_variant_is_added_once(void **state)
{
    struct bench *bench = *state;
    bench->session.machine.features = ~(isa_features)0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(tiles_add_operands(&bench->cells, &bench->session, &tile_kernel), 0);
    const size_t each = tiles_of("amx_int8") ? 4 : 0;
    assert_int_equal(bench->cells.count, 2 * each);
    for (size_t i = 0; i < bench->cells.count; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        const struct tiles_cell *own = tiles_cell(cell);
        assert_int_equal(own->bytes % own->stream->load_bytes, 0);
        assert_int_equal(own->bytes, session_cache_bytes(&bench->session, own->level, 1));
        assert_int_equal(cell->threads, 1);
        assert_false(cell->cold);
    }
    assert_int_equal(tiles_add_operands(&bench->cells, &bench->session, &kernel), 0);
    assert_int_equal(bench->cells.count, 2 * each);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cycles_are_those_of_a_tile, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(the_faster_load_of_one_core_is_what_operands_take, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(operands_are_what_six_samples_attain, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(each_variant_is_added_once, open_bench, close_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
