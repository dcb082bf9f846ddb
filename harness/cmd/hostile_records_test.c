/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records from elsewhere: every field of real lines is taken away, given another type or a value that no machine has, and
 * what is left is read as `characterize --resume`, `compare` and `report` read it. Whatever happens, it ends: with cells,
 * a page or one clear line, and under SAN=1 without touching what is not there.
 *
 * KNEEPOINT_HOSTILE=N makes the random runs N, KNEEPOINT_HOSTILE_SEED=S begins elsewhere: for an hour by hand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/cells/knee/knee.h"
#include "harness/cells/on_paper.h"
#include "harness/cmd/compare/compare_command.h"
#include "harness/record/recorder.h"
#include "reports/page/page.h"
#include "reports/verdict/verdict.h"
#include "results/comparison/comparison.h"
#include "results/records/record.h"
#include "results/statistics/resample.h"
#include "unit_test.h"

static const char *const fixtures[] = {"results/fixtures/run/records.jsonl", "reports/fixtures/run/records.jsonl"};

/* ---- lines to damage ---- */

enum { LINES_MOST = 48 };

struct lines {
    json_t *records; /* array: one line of each type and of each kind of sample */
    char taken[LINES_MOST][64];
    size_t count;
};

/** What makes a line another kind than those that are taken: its type, of cells and samples how their name begins. */
static void kind_of(const json_t *record, char kind[64])
{
    const char *type = json_string_value(json_object_get(record, "type"));
    const char *name = json_string_value(json_object_get(record, "name"));
    bool named = strcmp(type, "samples") == 0 || strcmp(type, "cell") == 0;
    snprintf(kind, 64, "%.20s %.*s", type, named ? (int)strcspn(name, "/") : 0, name);
}

static void take_line(struct lines *lines, json_t *record)
{
    char kind[64];
    kind_of(record, kind);
    for (size_t i = 0; i < lines->count; i++) {
        if (strcmp(lines->taken[i], kind) == 0)
            return;
    }
    assert_true(lines->count < LINES_MOST);
    strcpy(lines->taken[lines->count++], kind);
    json_array_append(lines->records, record);
}

static void open_lines(struct lines *lines)
{
    *lines = (struct lines){.records = json_array()};
    for (size_t f = 0; f < sizeof fixtures / sizeof *fixtures; f++) {
        struct run_records run;
        char why[512];
        if (run_read(fixtures[f], &run, why, sizeof why) != 0)
            fail_msg("%s", why);
        assert_int_equal(run.bad_lines, 0);
        for (size_t i = 0; i < json_array_size(run.records); i++)
            take_line(lines, json_array_get(run.records, i));
        run_records_free(&run);
    }
    assert_true(lines->count > 15);
}

/* ---- damage ---- */

enum { DEEP = 1500, LONG = 1 << 20 };

static json_t *nested(void)
{
    json_t *inner = json_array();
    for (unsigned i = 0; i < DEEP; i++) {
        json_t *outer = json_array();
        json_array_append_new(outer, inner);
        inner = outer;
    }
    return inner;
}

static json_t *many(const json_t *item)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < 3000; i++)
        json_array_append_new(array, json_deep_copy(item));
    return array;
}

static json_t *long_text(void)
{
    char *text = malloc(LONG + 1);
    memset(text, 'x', LONG);
    text[LONG] = 0;
    json_t *value = json_string(text);
    free(text);
    return value;
}

/** Ways to damage a value; a NULL takes the field away. Those that are large come last. */
enum { DAMAGES = 24, LARGE = 20, LONG_TEXT = DAMAGES - 1 };

static json_t *damaged(const json_t *value, unsigned way)
{
    const json_t *first = json_is_array(value) ? json_array_get(value, 0) : value;
    switch (way) {
    case 0: return NULL;
    case 1: return json_null();
    case 2: return json_true();
    case 3: return json_string("");
    case 4: return json_string("NaN");
    case 5: return json_string("x\033[2J\n\"<i>&`|\xc2\x9b");
    case 6: return json_integer(0);
    case 7: return json_integer(-1);
    case 8: return json_integer(1);
    case 9: return json_integer(INT64_MAX);
    case 10: return json_integer(INT64_MIN);
    case 11: return json_integer((json_int_t)1 << 32);
    case 12: return json_real(1e308);
    case 13: return json_real(-1e30);
    case 14: return json_real(1e30);
    case 15: return json_real(1e-30);
    case 16: return json_real(0.5);
    case 17: return json_array();
    case 18: return json_object();
    case 19: return json_string("gamma/../%s%n/9999999999999999999x-1/t-1/memory");
    case 20: return nested();
    case 21: return many(first);
    case 22: return json_pack("{s:o}", "interrupt", many(json_true()));
    default: return long_text();
    }
}

/** How many values a record holds, those within arrays and objects, too; of long arrays the first ones. */
enum { ITEMS = 2 };

static size_t values_of(const json_t *value)
{
    size_t count = 0, i;
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)(uintptr_t)value, name, item) count += 1 + values_of(item);
    json_array_foreach(value, i, item) count += i < ITEMS ? 1 + values_of(item) : 0;
    return count;
}

/** Damage value number `at` below this one. @return whether it was there */
static bool damage(json_t *value, size_t *at, unsigned way)
{
    size_t i;
    const char *name;
    json_t *item;
    void *next;
    json_object_foreach_safe(value, next, name, item)
    {
        if ((*at)-- == 0) {
            json_t *other = damaged(item, way);
            if (other)
                json_object_set_new(value, name, other);
            else
                json_object_del(value, name);
            return true;
        }
        if (damage(item, at, way))
            return true;
    }
    json_array_foreach(value, i, item)
    {
        if (i >= ITEMS)
            break;
        if ((*at)-- == 0) {
            json_t *other = damaged(item, way);
            if (other)
                json_array_set_new(value, i, other);
            else
                json_array_remove(value, i);
            return true;
        }
        if (damage(item, at, way))
            return true;
    }
    return false;
}

static json_t *damaged_line(const json_t *record, size_t at, unsigned way)
{
    json_t *copy = json_deep_copy(record);
    assert_true(damage(copy, &at, way));
    return copy;
}

/* ---- reading ---- */

/** Put text into a file that only memory holds, and read it as a bare file of records. */
static int read_text(const char *text, size_t length, struct run_records *run, char why[512])
{
    char path[32];
    int file = memfd_create("records", MFD_CLOEXEC);
    assert_true(file >= 0 && write(file, text, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int error = run_read(path, run, why, 512);
    close(file);
    return error;
}

/** One line, for people, without what a terminal would obey. */
static void assert_clear(const char *why)
{
    assert_true(*why);
    for (; *why; why++) {
        if ((unsigned char)*why < ' ' || *why == 0x7f)
            fail_msg("a control character in '%s'", why);
    }
}

/** Lines of which the first is whole; every other is kept or counted. */
static json_t *read_lines(const json_t *good, const json_t *hostile)
{
    char *text = NULL, why[512] = "";
    size_t size;
    FILE *out = open_memstream(&text, &size);
    record_write_line(out, good);
    for (size_t i = 0; i < json_array_size(hostile); i++) {
        char *line = json_dumps(json_array_get(hostile, i), JSON_COMPACT);
        fprintf(out, "%s\n", line);
        free(line);
    }
    fclose(out);
    struct run_records run;
    if (read_text(text, size, &run, why) != 0)
        fail_msg("%s", why);
    assert_int_equal(json_array_size(run.records) + run.bad_lines, 1 + json_array_size(hostile));
    if (run.bad_lines)
        assert_clear(run.first_bad_reason);
    json_t *kept = json_incref(run.records);
    run_records_free(&run);
    free(text);
    return kept;
}

/* ---- what reads them ---- */

static struct cell *plan_cell(struct bench *bench, const struct cell_kind *kind, const char *name)
{
    struct cell *cell = add(bench, kind, name);
    cell->repeats = 0;
    return cell;
}

/** A plan that has the cells of the fixtures. */
static void plan(struct bench *bench)
{
    struct cell *gamma = plan_cell(bench, &cell_kind_gamma, "gamma/int2_vnni4.mask.avx2/a4");
    gamma->sequence = &sequence;
    gamma_cell(gamma)->variant = &variants[1];
    struct cell *beta = plan_cell(bench, &cell_kind_beta, "beta/memory/t2/read.avx2.s3.r256.t0+4096");
    *beta_cell(beta) =
        (struct beta_cell){.stream = {&stream, &stream_variants[0], 0}, .level = "memory", .bytes = 1 << 20};
    beta->threads = 2;
    beta->cold = true;
    struct cell *gemv = plan_cell(bench, &cell_kind_gemv, "gemv/int8_vnni4.dot.avx512_vnni/4096x4096/t2/cold");
    gemv->kernel = &kernel;
    gemv_cell(gemv)->m = gemv_cell(gemv)->k = 4096;
    gemv->threads = 2;
    gemv->cold = gemv->beside_roof = true;
    struct cell *knee = plan_cell(bench, &cell_kind_knee, "knee/int2_vnni4.mask.avx2/memory/t1/plain");
    knee->sequence = &sequence;
    knee->threads = 1;
    knee->cold = knee->beside_roof = true;
    struct cell *sync = plan_cell(bench, &cell_kind_sync, "sync/barrier/t1");
    sync->threads = 1;
    for (size_t i = 0; i < bench->cells.count; i++) {
        for (int s = 0; s < STATS_KEPT_LEAST; s++) {
            give(&bench->cells.cell[i].samples, kept_sample(1e-3, CLOCK_HZ));
            give(&bench->cells.cell[i].roof, kept_sample(1e-3, CLOCK_HZ));
        }
    }
}

/** As --resume does: samples come back, then everything is summarized anew. */
static void resume(const struct bench *bench, json_t *records)
{
    static const char *const no_summary = "knee/"; /* of a sequence on paper there are no streams */
    struct run_records run = {.records = records};
    struct cells *cells = (struct cells *)(uintptr_t)&bench->cells;
    char why[512] = "";
    recorder_next_block(&run);
    if (recorder_restore(&run, cells, why, sizeof why) < 0)
        assert_clear(why);
    cell_kinds_settle(cells);
    for (size_t i = 0; i < cells->count; i++) {
        if (strncmp(cells->cell[i].name, no_summary, strlen(no_summary)) != 0)
            json_decref(summary_record(&bench->session, cells, &cells->cell[i]));
    }
}

static void resume_each(json_t *kept)
{
    for (size_t i = 1; i < json_array_size(kept); i++) {
        struct bench *bench;
        json_t *records = json_array();
        open_bench((void **)&bench);
        plan(bench);
        json_array_append(records, json_array_get(kept, i));
        resume(bench, records);
        json_decref(records);
        close_bench((void **)&bench);
    }
}

static void assert_text(enum verdict_format form, const struct compare_report *report)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int error = form == VERDICT_TEXT ? compare_write_text(report, &(struct table_style){.width = 80}, out)
                                     : verdict_write(report, form, out);
    fclose(out);
    assert_int_equal(error, 0);
    for (size_t i = 0; i < size; i++)
        assert_true((unsigned char)text[i] >= ' ' || text[i] == '\n' || text[i] == '\t');
    free(text);
}

/** As compare does, with what is hostile on either side. */
static void compare(const struct blocks *base, const struct blocks *head)
{
    struct comparison comparison;
    assert_int_equal(comparison_make(base, head, &(struct comparison_request){0}, &comparison), 0);
    const struct compare_report report = {
        .comparison = &comparison, .base = "base", .head = "head", .confirmation = ""};
    for (int form = VERDICT_TEXT; form < VERDICT_FORMATS; form++)
        assert_text((enum verdict_format)form, &report);
    comparison_release(&comparison);
}

static void compare_run(json_t *records, const struct blocks *good)
{
    json_auto_t *meta = json_object();
    struct run_records run = {.meta = meta, .records = records};
    struct blocks blocks;
    if (blocks_of_run(&run, &blocks) == 0) {
        compare(good, &blocks);
        compare(&blocks, good);
        compare(&blocks, &blocks);
        blocks_release(&blocks);
    }
}

/** As report does, up to the picture that gnuplot would draw. */
static void report(json_t *records)
{
    static struct page page;
    json_auto_t *meta = json_object();
    struct run_records run = {.meta = meta, .records = records};
    struct view view;
    size_t length;
    const struct figure *figures[FIGURES_MAX];
    assert_int_equal(view_open("run", &run, &view), 0);
    size_t count = figure_list(figures, FIGURES_MAX);
    for (size_t i = 0; i < count; i++) {
        char *settings = NULL, *data = NULL, why[512] = "";
        int error = figure_select(figures[i], &view, &settings, &data, why, sizeof why);
        if (error)
            assert_clear(why);
        free(settings);
        free(data);
    }
    page.figure_count = 0;
    char *text = page_text(&view, &page, &length);
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    free(text);
    view_close(&view);
}

/* ---- tests ---- */

/** Every second damage of each field of a line; what is large for every eighth field, a long text for one. */
static json_t *damages_of(const json_t *record)
{
    json_t *hostile = json_array();
    size_t values = values_of(record);
    for (size_t at = 0; at < values; at++) {
        for (unsigned way = 0; way < DAMAGES; way++) {
            if (way < LARGE ? (at + way) % 2 : at % 8 == way % 8 && (way < LONG_TEXT || at < 8))
                json_array_append_new(hostile, damaged_line(record, at, way));
        }
    }
    return hostile;
}

static struct blocks good_blocks(void)
{
    struct run_records run;
    struct blocks blocks;
    char why[512];
    assert_int_equal(run_read(fixtures[0], &run, why, sizeof why), 0);
    assert_int_equal(blocks_of_run(&run, &blocks), 0);
    run_records_free(&run);
    return blocks;
}

/** Of the damages that were kept, this many runs are reported: each has one damaged line of each kind. */
enum { REPORTS = 3 };

TEST(every_field_of_every_line)
{
    struct lines lines;
    open_lines(&lines);
    struct blocks good = good_blocks();
    json_t *runs[REPORTS];
    size_t cases = 0;
    for (size_t r = 0; r < REPORTS; r++)
        runs[r] = json_array();
    for (size_t l = 0; l < lines.count; l++) {
        const json_t *line = json_array_get(lines.records, l);
        json_t *hostile = damages_of(line), *kept = read_lines(line, hostile);
        size_t count = json_array_size(kept) - 1;
        cases += json_array_size(hostile);
        resume_each(kept);
        compare_run(kept, &good); /* all of them in one run: those of one cell come one after the other */
        for (size_t r = 0; count && r < REPORTS; r++) {
            for (size_t i = r; i < count; i += REPORTS) /* those of one line share its identity: the last one counts */
                json_array_append(runs[r], json_array_get(kept, 1 + (i * 7 + r) % count));
        }
        json_decref(hostile);
        json_decref(kept);
    }
    for (size_t r = 0; r < REPORTS; r++) {
        report(runs[r]);
        json_decref(runs[r]);
    }
    print_message("# %zu damaged lines of %zu kinds\n", cases, lines.count);
    assert_true(cases > 4000);
    blocks_release(&good);
    json_decref(lines.records);
}

TEST(lines_that_are_cut_anywhere)
{
    struct lines lines;
    open_lines(&lines);
    char *line = json_dumps(json_array_get(lines.records, 0), JSON_COMPACT), why[512];
    size_t length = strlen(line);
    char *two = malloc(2 * length + 2);
    for (size_t cut = 0; cut < length; cut += 7) {
        struct run_records run;
        int size = snprintf(two, 2 * length + 2, "%s\n%.*s", line, (int)cut, line);
        assert_int_equal(read_text(two, (size_t)size, &run, why), 0);
        assert_int_equal(json_array_size(run.records), 1);
        assert_true(run.truncated == (cut > 0));
        run_records_free(&run);
        if (read_text(line, cut, &run, why) == 0)
            fail_msg("half a line is no run: %.*s", (int)cut, line);
        assert_clear(why);
    }
    free(two);
    free(line);
    json_decref(lines.records);
}

/* ---- by hand, for as long as one likes ---- */

/** Some fields of some lines, and in every fourth run some bytes of the text. */
static void random_run(const struct lines *lines, struct resample_random *random, const struct blocks *good)
{
    char *text = NULL, why[512] = "";
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool bytes = resample_below(random, 4) == 0;
    for (size_t l = 0; l < 12; l++) {
        const json_t *line = json_array_get(lines->records, resample_below(random, lines->count));
        json_t *copy = json_deep_copy(line);
        for (size_t n = resample_below(random, 3); n > 0; n--) {
            size_t values = values_of(copy), at = values ? resample_below(random, values) : 0;
            if (values)
                damage(copy, &at, (unsigned)resample_below(random, LONG_TEXT));
        }
        char *dumped = json_dumps(copy, JSON_COMPACT);
        fprintf(out, "%s\n", dumped);
        free(dumped);
        json_decref(copy);
    }
    fclose(out);
    for (size_t n = bytes ? resample_below(random, 24) : 0; n > 0; n--)
        text[resample_below(random, size)] = (char)resample_below(random, 256);
    struct run_records run;
    if (read_text(text, size, &run, why) == 0) {
        struct bench *bench;
        open_bench((void **)&bench);
        plan(bench);
        resume(bench, run.records);
        close_bench((void **)&bench);
        compare_run(run.records, good);
        report(run.records);
        run_records_free(&run);
    } else {
        assert_clear(why);
    }
    free(text);
}

TEST(random_damage)
{
    const char *wanted = getenv("KNEEPOINT_HOSTILE"), *seed = getenv("KNEEPOINT_HOSTILE_SEED");
    struct resample_random random = {seed ? strtoull(seed, NULL, 10) : 1};
    unsigned long runs = wanted ? strtoul(wanted, NULL, 10) : 6;
    struct lines lines;
    open_lines(&lines);
    struct blocks good = good_blocks();
    for (unsigned long i = 0; i < runs; i++)
        random_run(&lines, &random, &good);
    blocks_release(&good);
    json_decref(lines.records);
}

RUN_TESTS(NULL, NULL)
