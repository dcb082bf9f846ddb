/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "results/records/record.h"
#include "results/records/samples.h"
#include "results/records/testing.h"
#include "unit_test.h"

/** A rate at which ticks are no whole nanoseconds, as calibrated. */
#define TSC_HZ 2445419814.9522862

static const char *const grades[] = {"wall", "chain", "pmu"};

/** Sample i, different from each other. */
static struct recorded_sample *add(struct recorded_samples *samples, unsigned i)
{
    struct recorded_sample *sample = samples_add(samples);
    assert_non_null(sample);
    sample->time_s = (1000 + 7 * i) / TSC_HZ;
    sample->core_hz = 2.6e9 + 1000.0 * i;
    sample->grade = grades[i % 3];
    sample->rejected = i % 4 == 1 ? "sibling" : i % 4 == 2 ? "interrupt" : NULL;
    sample->interrupted = i % 5 == 0;
    sample->switched = i % 7 == 3;
    sample->off_core = sample->switched ? 1e-3 * i : 0;
    return sample;
}

static struct recorded_samples visit_of(const char *name)
{
    return (struct recorded_samples){.name = name, .visit = 3, .block = 2};
}

/** The record of samples, through a line of text as in a file; the samples are released. */
static json_t *written(struct recorded_samples *samples, double tsc_hz)
{
    char why[128];
    size_t length;
    json_t *record = samples_record(samples, tsc_hz);
    assert_non_null(record);
    assert_int_equal(samples_check(record, why, sizeof why), 0);
    char *line = record_format_line(record, &length);
    json_decref(record);
    record = json_loads(line, 0, NULL);
    assert_non_null(record);
    free(line);
    samples_release(samples);
    return record;
}

static struct recorded_samples read_back(const json_t *record)
{
    struct recorded_samples samples = {0};
    assert_true(samples_are_in(record));
    assert_int_equal(samples_read(record, &samples), 0);
    return samples;
}

static void assert_text(const char *text, const char *expected)
{
    if (!text || !expected)
        assert_true(text == expected);
    else
        assert_string_equal(text, expected);
}

static void assert_sample(const struct recorded_sample *sample, const struct recorded_sample *expected)
{
    assert_true(sample->time_s == expected->time_s); /* to the last bit */
    assert_true(sample->core_hz == expected->core_hz);
    assert_text(sample->grade, expected->grade);
    assert_text(sample->rejected, expected->rejected);
    assert_int_equal(sample->interrupted, expected->interrupted);
    assert_int_equal(sample->switched, expected->switched);
    assert_true(sample->off_core == expected->off_core);
    assert_int_equal(sample->unroll, expected->unroll);
    assert_int_equal(sample->roof, expected->roof);
    assert_int_equal(sample->stream, expected->stream);
}

/** Compare with samples that are made anew by `make`. */
static void assert_visit(const json_t *record, size_t count,
                         void (*make)(struct recorded_samples *samples, unsigned count))
{
    struct recorded_samples samples = read_back(record), expected = visit_of("cell");
    make(&expected, (unsigned)count);
    assert_int_equal(samples.count, expected.count);
    for (size_t i = 0; i < samples.count; i++)
        assert_sample(&samples.sample[i], &expected.sample[i]);
    assert_string_equal(samples.name, "cell");
    assert_int_equal(samples.visit, 3);
    assert_int_equal(samples.block, 2);
    assert_false(samples.interrupts_undetectable);
    samples_release(&samples);
    samples_release(&expected);
}

static void make_plain(struct recorded_samples *samples, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        add(samples, i);
}

static void make_gamma(struct recorded_samples *samples, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        add(samples, i)->unroll = i % 2 ? 2 : 1;
}

static void make_cold(struct recorded_samples *samples, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct recorded_sample *roof = add(samples, 100 + i);
        roof->roof = true;
        roof->stream = 7 + i % 2;
        add(samples, i);
    }
}

/** A visit that was cut off: reads of the roof before two samples only. */
static void make_cut(struct recorded_samples *samples, unsigned count)
{
    make_cold(samples, 2);
    for (unsigned i = 2; i < count; i++)
        add(samples, i);
}

/** The other way about: the sample after the last read is missing. */
static void make_lone_roof(struct recorded_samples *samples, unsigned count)
{
    make_cold(samples, count);
    samples->count--;
}

TEST(samples_of_each_kind_come_back_from_their_columns)
{
    static void (*const makes[])(struct recorded_samples * samples,
                                 unsigned count) = {make_plain, make_gamma, make_cold, make_cut, make_lone_roof};
    for (size_t m = 0; m < sizeof makes / sizeof *makes; m++) {
        static const unsigned counts[] = {1, 2, 3, 12};
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            if (makes[m] == make_cut && counts[c] < 2)
                continue;
            struct recorded_samples samples = visit_of("cell");
            makes[m](&samples, counts[c]);
            json_t *record = written(&samples, TSC_HZ);
            assert_visit(record, counts[c], makes[m]);
            json_decref(record);
        }
    }
}

TEST(a_visit_is_one_short_line)
{
    struct recorded_samples samples = visit_of("gamma/s/a4");
    for (unsigned i = 0; i < 4; i++) {
        struct recorded_sample *sample = add(&samples, 0);
        *sample = (struct recorded_sample){
            .time_s = 1e-6 * (20 + i), .core_hz = 2.6e9, .grade = "chain", .unroll = i % 2 ? 2 : 1};
    }
    samples.sample[2].rejected = "interrupt";
    samples.sample[2].interrupted = true;
    samples.sample[3].switched = true;
    samples.sample[3].off_core = 0x1p-7;
    json_t *record = written(&samples, 2e9);
    char *line = json_dumps(record, JSON_COMPACT);
    assert_string_equal(
        line,
        "{\"type\":\"samples\",\"name\":\"gamma/s/a4\",\"visit\":3,\"block\":2,\"tsc_hz\":2000000000,"
        "\"unroll\":[1,2],\"grade\":\"chain\",\"rejected\":{\"interrupt\":[2]},\"interrupted\":[2],"
        "\"off_core\":[null,null,null,0.0078125],\"ticks\":[40000,42000,44000,46000],\"core_khz\":[2600000,2600000,2600000,2600000]}");
    free(line);
    json_decref(record);
}

TEST(a_roof_of_one_stream_names_it_once)
{
    struct recorded_samples samples = visit_of("cell");
    make_cold(&samples, 4);
    for (size_t i = 0; i < samples.count; i += 2)
        samples.sample[i].stream = 9;
    json_t *record = written(&samples, TSC_HZ);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(record, "roof"), "stream")), 9);
    samples = read_back(record);
    assert_int_equal(samples.sample[6].stream, 9);
    assert_int_equal(samples.sample[7].stream, 0);
    samples_release(&samples);
    json_decref(record);
}

TEST(a_clock_is_recorded_to_a_kilohertz)
{
    struct recorded_samples samples = visit_of("cell");
    add(&samples, 0)->core_hz = 3228907695.1438446;
    json_t *record = written(&samples, TSC_HZ);
    samples = read_back(record);
    assert_true(samples.sample[0].core_hz == 3228908e3);
    samples_release(&samples);
    json_decref(record);
}

TEST(what_was_counted_comes_back_by_name)
{
    struct recorded_samples samples = visit_of("cell");
    add(&samples, 0)->counts = json_pack("{s:f, s:f}", "instructions", 1e6, "energy", 0.25);
    add(&samples, 1)->entered = json_pack("{s:i, s:n}", "irq", 3, "nmi");
    add(&samples, 2)->counts = json_pack("{s:f}", "instructions", 2e6);
    json_t *record = written(&samples, TSC_HZ);
    assert_true(json_is_integer(json_array_get(json_object_get(json_object_get(record, "counts"), "instructions"), 0)));
    samples = read_back(record);
    const struct recorded_sample *sample = samples.sample;
    assert_true(json_number_value(json_object_get(sample[0].counts, "instructions")) == 1e6);
    assert_true(json_number_value(json_object_get(sample[0].counts, "energy")) == 0.25);
    assert_true(json_number_value(json_object_get(sample[2].counts, "instructions")) == 2e6);
    assert_true(json_is_null(json_object_get(sample[2].counts, "energy")));
    assert_null(sample[1].counts);
    assert_null(sample[0].entered);
    assert_int_equal(json_integer_value(json_object_get(sample[1].entered, "irq")), 3);
    assert_true(json_is_null(json_object_get(sample[1].entered, "nmi")));
    samples_release(&samples);
    json_decref(record);
}

TEST(a_machine_that_cannot_report_interrupts_says_so)
{
    struct recorded_samples samples = visit_of("cell");
    samples.interrupts_undetectable = true;
    add(&samples, 1);
    json_t *record = written(&samples, TSC_HZ);
    assert_true(json_is_null(json_object_get(record, "interrupted")));
    samples = read_back(record);
    assert_true(samples.interrupts_undetectable);
    assert_false(samples.sample[0].interrupted);
    samples_release(&samples);
    json_decref(record);
}

TEST(other_records_have_no_samples)
{
    struct recorded_samples samples = visit_of("cell");
    add(&samples, 0);
    json_t *record = json_pack("{s:s, s:[i]}", "type", "cell", "ticks", 5);
    char why[128];
    assert_false(samples_are_in(record));
    assert_int_equal(samples_read(record, &samples), 0);
    assert_int_equal(samples.count, 0);
    assert_int_equal(samples_check(record, why, sizeof why), 0);
    samples_release(&samples);
    json_decref(record);
}

TEST(columns_that_do_not_fit_each_other_are_refused)
{
    static const struct {
        const char *path[2], *value, *why;
    } table[] = {
        {{"core_khz"}, "[1]", "core_khz has 1 values for 3 samples"},
        {{"ticks"}, "[1,2]", "core_khz has 3 values for 2 samples"},
        {{"rejected"}, "{\"sibling\":[3]}", "sibling names sample 3 of 3"},
        {{"interrupted"}, "[0,4]", "interrupted names sample 4 of 3"},
        {{"grade"}, "{\"wall\":[0,1,2,9]}", "wall names sample 9 of 3"},
        {{"counts"}, "{\"instructions\":[1,2,3,4]}", "instructions has 4 values for 3 samples"},
        {{"entered"}, "{\"irq\":[]}", "irq has 0 values for 3 samples"},
        {{"tsc_hz"}, "0", "samples have no tsc_hz to take their ticks by"},
        {{"roof", "core_khz"}, "[]", "core_khz has 0 values for 3 samples"},
        {{"roof", "stream"}, "[1,2]", "stream has 2 values for 3 samples"},
        {{"roof", "ticks"}, NULL, "samples have no ticks"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        struct recorded_samples samples = visit_of("cell");
        char why[128] = "";
        make_cold(&samples, 3);
        json_t *record = written(&samples, TSC_HZ);
        json_t *object = table[t].path[1] ? json_object_get(record, table[t].path[0]) : record;
        const char *field = table[t].path[1] ? table[t].path[1] : table[t].path[0];
        if (table[t].value)
            json_object_set_new(object, field, json_loads(table[t].value, JSON_DECODE_ANY, NULL));
        else
            json_object_del(object, field);
        assert_int_equal(samples_check(record, why, sizeof why), -EINVAL);
        assert_string_equal(why, table[t].why);
        samples = read_back(record); /* nevertheless without harm */
        samples_release(&samples);
        json_decref(record);
    }
}

RUN_TESTS(NULL, NULL)
