/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A pass that is read back from its run says what the measured one said, and nothing that no pass could have.
 */
#include <errno.h>
#include <stdlib.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/decode/decode.h"
#include "harness/decode/decode_check.h"
#include "harness/record/recorder.h"
#include "results/records/record.h"
#include "unit_test.h"

enum { PASSES = 8, VISITS = 2, THREADS = 2 };

static const struct kernel *any_kernel(void)
{
    const struct kernel *const *kernel = kernel_all();
    while (*kernel && !((*kernel)->gemv && (*kernel)->format->bits == 8))
        kernel++;
    assert_non_null(*kernel);
    return *kernel;
}

static void plan_users(struct cells *cells, size_t users, struct decode_lengths context)
{
    struct decode_work work = {
        .kernel = any_kernel(), .head = any_kernel(), .context = context, .users = users, .threads = THREADS};
    char why[256];
    assert_int_equal(model_find("falcon3-1b", &work.model, why, sizeof why), 0);
    assert_int_equal(decode_add(cells, &work), 0);
}

static void plan(struct cells *cells)
{
    plan_users(cells, 0, (struct decode_lengths){1, {32}});
}

/** As a visit leaves it. */
static void measure(struct cell *cell, size_t visit)
{
    struct decode_cell *own = decode_cell(cell);
    if (!own->timed)
        own->first_timed = cell->samples.count;
    for (size_t i = 0; i < PASSES; i++) {
        struct decode_parts *parts = &own->parts[own->timed++];
        for (uint64_t part = 0; part < DECODE_PARTS; part++)
            parts->ns[part] = 1000 * (part + 1) + 10 * i + visit;
        struct sample sample = kept_sample(5e-3 + 1e-6 * (double)i, 3e9);
        sample.cause = i == 3 ? SAMPLE_INTERRUPT : SAMPLE_KEPT;
        give(&cell->roof, kept_sample(3e-3, 3e9));
        give(&cell->samples, sample);
    }
    cell->roof_bytes = 64 << 20;
    own->distinct = 17 - visit;
    own->huge_fraction = 0.75;
    own->stamp_s = 9e-9;
    own->joins = 200;
    own->stamps = 190;
    own->shares_operand = true;
    own->distance = 1e-5;
    if (!own->work.users)
        decode_keep_found(&own->work, own->work.kernel, 256);
    for (const struct layer_kernel *const *at = layer_kernel_all(); *at; at++) {
        if ((*at)->part != LAYER_ATTENTION || (*at)->attention.cache == own->work.cache)
            own->code.part[(*at)->part] = *at;
    }
    own->code.quantizer = quantizer_all()[0];
    cell->error = own->distance;
    cell->exact = cell->verified = true;
}

/** The lines of a run in which the cell was visited twice. */
static json_t *lines_of(struct cell *cell)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const struct recorder recorder = recorder_of_stream(out, 1, 2e9);
    for (size_t visit = 0; visit < VISITS; visit++) {
        size_t first = cell->samples.count;
        measure(cell, visit);
        cell->visits++;
        assert_int_equal(recorder_samples(&recorder, cell, first, first), 0);
    }
    fclose(out);
    json_t *lines = json_array();
    for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1)
        json_array_append_new(lines, json_loadb(at, (size_t)(end - at), 0, NULL));
    free(text);
    assert_int_equal(json_array_size(lines), 1 + VISITS); /* the cell, and each visit */
    return lines;
}

static long restore(struct cells *cells, json_t *lines, char why[256])
{
    const struct run_records run = {.records = lines};
    return recorder_restore(&run, cells, why, 256);
}

static json_t *summary(const struct cells *cells)
{
    static struct session session = {.threads = THREADS, .llc_bytes = 32 << 20};
    json_t *record = summary_record(&session, cells, &cells->cell[0]);
    assert_non_null(record);
    return record;
}

TEST(a_pass_read_back_says_what_the_measured_one_said)
{
    struct cells before = {0}, after = {0};
    char why[256];
    plan(&before);
    plan(&after);
    json_auto_t *lines = lines_of(&before.cell[0]);
    assert_int_equal(restore(&after, lines, why), 2 * VISITS * PASSES);
    json_t *said = summary(&before), *says = summary(&after);
    assert_string_equal(json_string_value(json_object_get(says, "settings")), "self-tuned");
    assert_non_null(json_object_get(said, "parts"));
    assert_int_equal(field_number(said, "distinct_layers"), 16);
    assert_near(field_median(said, "roof_bytes_per_s"), (64 << 20) / 3e-3);
    assert_near(field_number(said, "layer_bytes"), 18.0 * (2 * 2048 * 2048 + 2 * 2048 * 1024 + 3 * 2048 * 8192));
    char *one = json_dumps(said, JSON_SORT_KEYS), *other = json_dumps(says, JSON_SORT_KEYS);
    assert_string_equal(one, other);
    struct decode_cell *a = decode_cell(&before.cell[0]), *b = decode_cell(&after.cell[0]);
    assert_memory_equal(a->parts, b->parts, sizeof a->parts);
    assert_memory_equal(&a->code, &b->code, sizeof a->code);
    assert_false(b->checked); /* a process that continues the run compares the reduced model again */
    free(one);
    free(other);
    json_decref(said);
    json_decref(says);
    cells_release(&before);
    cells_release(&after);
}

/** A pass of users of several lengths is that of users who have the same ones, and no other with the same longest. */
TEST(users_of_several_lengths_are_read_back)
{
    static const struct decode_lengths lengths = {2, {32, 7}}, others = {3, {32, 7, 7}};
    struct cells before = {0}, after = {0}, other = {0};
    char why[256];
    plan_users(&before, 3, lengths);
    plan_users(&after, 3, lengths);
    plan_users(&other, 3, others);
    json_auto_t *lines = lines_of(&before.cell[0]);
    assert_int_equal(restore(&after, lines, why), 2 * VISITS * PASSES);
    assert_int_equal(restore(&other, lines, why), 0);
    json_t *said = summary(&before), *says = summary(&after);
    assert_true(json_equal(said, says));
    assert_int_equal(json_integer_value(json_object_get(says, "context")), 32);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(says, "contexts"), 1)), 7);
    assert_int_equal(decode_cell(&after.cell[0])->cache_bytes / (32 + 7 + 32),
                     decode_cell(&other.cell[0])->cache_bytes / (32 + 7 + 7));
    json_decref(said);
    json_decref(says);
    cells_release(&before);
    cells_release(&after);
    cells_release(&other);
}

/** Of a run without them. */
TEST(a_pass_whose_parts_were_not_kept_has_none)
{
    struct cells before = {0}, after = {0};
    char why[256];
    plan(&before);
    plan(&after);
    json_auto_t *lines = lines_of(&before.cell[0]);
    json_object_del(json_array_get(lines, 0), "joins");
    for (size_t i = 1; i < json_array_size(lines); i++)
        json_object_del(json_array_get(lines, i), "parts_ns");
    assert_int_equal(restore(&after, lines, why), 2 * VISITS * PASSES);
    json_auto_t *says = summary(&after);
    static const char *const nothing[] = {"parts",   "alpha",           "joins",          "stamps",
                                          "stamp_s", "distinct_layers", "shared_operand", "layer_kernels"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_null_field(says, nothing[i]);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(says, "time_s"), "n")), VISITS * (PASSES - 1));
    /* parts of a later visit are of its samples, not of the first ones */
    measure(&after.cell[0], 0);
    assert_int_equal(decode_cell(&after.cell[0])->first_timed, VISITS * PASSES);
    cells_release(&before);
    cells_release(&after);
}

/** One field of one line is another value, as JSON; "" takes it away. */
TEST(what_no_pass_has_is_refused)
{
    static const struct {
        size_t line;
        const char *field, *value;
    } hostile[] = {
        {0, "joins", "0"},
        {0, "joins", "-1"},
        {0, "joins", "1e3"},
        {0, "joins", "9223372036854775807"},
        {0, "stamps", "\"190\""},
        {0, "stamps", ""},
        {0, "shared_operand", "1"},
        {0, "distance", "-1e-9"},
        {0, "distance", "0.5"},
        {0, "distance", "null"},
        {0, "layer_kernels", "\"norm.avx2\""},
        {0, "layer_kernels", "[\"norm.none\"]"},
        {0, "layer_kernels", "[\"norm.reference\",\"norm.reference\"]"},
        {0, "layer_kernels", "[[]]"},
        {0, "layer_kernels", "[\"attention_q8_0.reference\"]"}, /* of a cell over bf16 */
        {0, "quantizer", "\"per_token.none\""},
        {1, "distinct_layers", "19"},
        {1, "distinct_layers", "0"},
        {1, "distinct_layers", ""},
        {1, "huge_fraction", "1.5"},
        {1, "huge_fraction", "\"all\""},
        {1, "stamp_s", "0"},
        {1, "stamp_s", "1.0"},
        {2, "parts_ns", "{}"},
        {2, "parts_ns", "[[1,2,3]]"},
        {2, "parts_ns", "[[1,2,3,4,5,6,7,8,9,10,-11]]"},
        {2, "parts_ns", "[[1,2,3,4,5,6,7,8,9,10,1e30]]"},
        {2, "parts_ns", "[[1,2,3,4,5,6,7,8,9,10,9223372036854775807]]"},
        {2, "parts_ns", "[1,2,3,4,5,6,7,8,9]"},
        {2, "parts_ns", "[1]"},
    };
    struct cells before = {0};
    plan(&before);
    json_auto_t *lines = lines_of(&before.cell[0]);
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        struct cells after = {0};
        char why[256] = "";
        plan(&after);
        json_t *copy = json_deep_copy(lines), *line = json_array_get(copy, hostile[i].line);
        if (hostile[i].value[0])
            json_object_set_new(line, hostile[i].field, json_loads(hostile[i].value, JSON_DECODE_ANY, NULL));
        else
            json_object_del(line, hostile[i].field);
        if (restore(&after, copy, why) != -EINVAL || !strstr(why, "decode/falcon3-1b/"))
            fail_msg("%s %s was taken: %s", hostile[i].field, hostile[i].value, why);
        json_decref(copy);
        cells_release(&after);
    }
    cells_release(&before);
}

/** The longest run of parts that a cell holds; those beyond are left out, and so is what does not follow them. */
TEST(parts_end_where_there_is_no_room)
{
    struct cells cells = {0};
    char why[256];
    plan(&cells);
    struct cell *cell = &cells.cell[0];
    json_auto_t *line = json_pack("{s:i, s:f, s:f, s:o}", "distinct_layers", 18, "huge_fraction", 1.0, "stamp_s", 1e-8,
                                  "parts_ns", json_array());
    for (size_t i = 0; i < 2 * DECODE_TIMED_MOST; i++) {
        json_t *pass = json_array();
        for (int part = 0; part < DECODE_PARTS; part++)
            json_array_append_new(pass, json_integer((json_int_t)i));
        json_array_append_new(json_object_get(line, "parts_ns"), pass);
        give(&cell->samples, kept_sample(1e-3, 1e9));
    }
    assert_int_equal(cell_kind_decode.restore_samples(cell, 0, line, why, sizeof why), 0);
    assert_int_equal(decode_cell(cell)->timed, DECODE_TIMED_MOST);
    assert_int_equal(decode_cell(cell)->parts[DECODE_TIMED_MOST - 1].ns[0], DECODE_TIMED_MOST - 1);
    cells_release(&cells);
}

RUN_TESTS(NULL, NULL)
