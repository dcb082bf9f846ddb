/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "harness/cells/tiles/tiles.h"
#include "harness/cmd/beta/levels.h"
#include "harness/measure/session_level.h"

static bool lacks_tiles(const struct session *session, char *why, size_t size)
{
    return streams_missing(session, true, why, size);
}

static int add_cells(const void *given, const struct session *session, struct cells *cells)
{
    const struct beta_request *request = given;
    int error = 0;
    for (size_t i = 0; !error && i < SESSION_LEVELS; i++) {
        const char *level = session_levels[SESSION_LEVELS - 1 - i];
        if (!session_has_level(session, level) || (request->level && strcmp(request->level, level) != 0))
            continue;
        for (size_t t = 0; !error && t < request->teams; t++)
            error = tiles_add(cells, session, level, request->sizes[t]);
    }
    return error;
}

static const char *work_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%s", json_is_true(json_object_get(record, "multiplied")) ? "load, multiply" : "load");
    return text;
}

static const char *load_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%s", json_is_true(json_object_get(record, "streamed")) ? "streaming" : "ordinary");
    return text;
}

static const struct table_column columns[] = {
    {"level", "level", .left = true},
    {"thr", .field = "threads"},
    {"tiles of", "isa", .left = true},
    {"work", "multiplied", .text = work_text, .left = true},
    {"load", "streamed", .text = load_text, .left = true},
    {"cycles", "cycles_per_tile", TABLE_NUMBER, .digits = 1, .rank = 1},
    {"+-", "cycles_per_tile", TABLE_HALF, .digits = 1, .rank = 3},
    {"GB/s", "bytes_per_s", TABLE_NUMBER, .scale = 1e-9, .digits = 1, .rank = 2},
    {"grade", "cycles_per_tile", TABLE_GRADE, .rank = 4, .left = true},
    {"n", "cycles_per_tile", TABLE_KEPT, .rank = 5},
    {"rej", "cycles_per_tile", TABLE_REJECTED, .rank = 6},
};

const struct table tiles_table = {"tiles", "Tiles", columns, .count = sizeof columns / sizeof *columns};

const struct instead beta_tiles = {
    .option = "--tiles",
    .shows = "tiles",
    .kind = &cell_kind_tiles,
    .table = &tiles_table,
    .add = add_cells,
    .lacks = lacks_tiles,
    .legend =
        "\nCore cycles of a tile of the matrix unit, loaded alone or loaded and multiplied with one that stays: "
        "median and half the 95%\ninterval. GB/s: of the team. A GEMM takes one load a product, of two operands in "
        "turns: one from L1, one from L2.\n",
};
