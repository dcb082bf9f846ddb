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

TEST_GIVEN_BY(cycles_are_those_of_a_tile, struct bench *bench, open_bench, close_bench)
{
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

TEST_GIVEN_BY(the_faster_load_of_one_core_is_what_operands_take, struct bench *bench, open_bench, close_bench)
{
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
TEST_GIVEN_BY(operands_are_what_six_samples_attain, struct bench *bench, open_bench, close_bench)
{
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

TEST_GIVEN_BY(each_variant_is_added_once, struct bench *bench, open_bench, close_bench)
{
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

/* It multiplies weights that lie as tiles: nothing is unpacked. */
static void gemm_on_paper(const struct gemm_slice *slice)
{
    (void)slice;
    fail();
}

TEST_GIVEN_BY(they_predict_what_a_gemm_on_tiles_takes, struct bench *bench, open_bench, close_bench)
{
    if (!has_tiles())
        skip();
    static const struct kernel many = {.name = "int8_test.tile.amx_int8",
                                       .sequence = "tile",
                                       .isa = "amx_int8",
                                       .origin = "kneepoint",
                                       .format = &format,
                                       .gemm = {.run = gemm_on_paper}};
    give_level(bench, "L1", 1, near);
    give_level(bench, "L2", 1, far);
    add_beta(bench, "L2", "beta/L2/t2/read.avx2.s4", 1e18, 8);
    /* 1024 x 1024 by two cores: half of 32768 vectors each, 64 x 512 operations of 32768 / 24 a cycle */
    const double predicted_s = 32768.0 / 2 * 64 * 512 / (32768.0 / ((22 + 26) / 2.0)) / CLOCK_HZ;
    struct cell *cell = add(bench, &cell_kind_gemm, "gemm/int8_test.tile.amx_int8/1024x1024/n512/t2/warm");
    struct product_cell *own = gemm_cell(cell);
    own->m = own->k = 1024;
    own->tokens = 512;
    cell->kernel = &many;
    cell->threads = 2;
    cell->exact = true;
    give_many(&cell->samples, kept_sample(1.25 * predicted_s, CLOCK_HZ), 8);
    json_auto_t *record = record_of(bench, cell);
    assert_near(field_number(record, "predicted_operands_s") / predicted_s, 1);
    assert_near(field_number(record, "residual_operands"), 0.25);
    json_decref(record);
    cell->samples.count = 0; /* faster than tiles were */
    give_many(&cell->samples, kept_sample(0.9 * predicted_s, CLOCK_HZ), 8);
    record = record_of(bench, cell);
    assert_null_field(record, "predicted_operands_s");
    assert_non_null(strstr(field_text(record, "residual_operands_reason"), "tiles were slower"));
}

RUN_TESTS(NULL, NULL)
