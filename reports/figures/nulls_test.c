/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every figure of the registry, with records whose values are null one after the other, and with no record at all: it draws, or
 * says which command brings its data.
 */
#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include "micro/shape.h"
#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/select/run/testing.h"

/* As many at least; the others want a tuning table, or a platform file. */
enum { FIGURES_OF_THE_RUN = 37 };

/* A run that holds something for each figure. It was not measured: times follow the bytes, a little apart. */

static json_t *quantity(double value)
{
    return json_pack("{s:f, s:f, s:f, s:[f,f], s:i, s:i, s:[{s:f,s:[f,f],s:i},{s:f,s:[f,f],s:i}]}", "median", value,
                     "min", value, "mad", 0.01 * value, "ci95", 0.98 * value, 1.03 * value, "n", 12, "rejected", 1,
                     "halves", "median", value, "ci95", 0.98 * value, 1.03 * value, "n", 6, "median", 1.01 * value,
                     "ci95", 0.98 * value, 1.03 * value, "n", 6);
}

/* A kernel, and the models on whose shapes it was measured. */
struct made_kernel {
    const char *format, *sequence, *origin, *isa;
    double bits;
    const char *models;
};

#define BITNET "bitnet-700m bitnet-3.8b "
#define ARM    "llama3.2-3b "
#define MIXED  "llama2-7b "
#define APT    "llama3-8b "
static const struct made_kernel gemv_kernels[] = {
    {"f16", "dot", "kneepoint", "avx2", 16, BITNET MIXED},
    {"q4_0", "reference", "llama.cpp", "avx2", 4.5, BITNET},
    {"q4_0", "blocks16", "kneepoint", "avx512_vnni", 4.5, ARM BITNET MIXED},
    {"q4_0_8x8", "signed", "llama.cpp", "avx2", 4.5, ARM},
    {"q4_0_4x8", "signed", "arm-kernels-codebooks", "avx2", 4.5, ARM},
    {"cb2_16", "codebook", "arm-kernels-codebooks", "avx512_vnni", 2.6, ARM},
    {"tmac2", "tmac", "t-mac", "avx2", 2, BITNET},
    {"tmac2", "bytes", "kneepoint", "avx2", 2, BITNET},
    {"tq1_0", "reference", "llama.cpp", "avx2", 1.69, BITNET},
    {"tl2", "bitnet_tl2_0", "bitnet-cpp", "avx2", 1.67, BITNET},
    {"tl2", "bytes", "kneepoint", "avx512_vbmi_vnni", 1.67, BITNET},
    {"i2_s", "bitnet", "bitnet-cpp", "avx2", 2, BITNET},
    {"i2_s", "mask", "kneepoint", "avx512_vnni", 2, BITNET},
    {"int2_vnni4", "envelope", "envelope", "avx_vnni", 2, ""},
    {"int1_planes", "prefix", "kneepoint", "avx512_vnni", 1, ""},
    {"int8_vnni4", "dot", "envelope", "avx512_vnni", 8, ""},
    {"mixed24", "lanes", "kneepoint", "avx2", 2.85, MIXED},
    {"mixed24", "buffered", "mixed-2-4-16", "avx2", 2.85, ""},
    {"mixed24", "fused", "mixed-2-4-16", "avx2", 2.85, ""},
    {"mixed24_o02", "outliers_fused", "mixed-2-4-16", "avx2", 2.91, MIXED},
    {"mixed24_o05", "outliers_after", "mixed-2-4-16", "avx2", 3, ""},
};

static const struct made_kernel gemm_kernels[] = {
    {"q4_0", "rows", "llama.cpp", "avx2", 4.5, ARM},
    {"q4_0_8x8", "tile", "llama.cpp", "avx2", 4.5, ARM},
    {"q4_0_4x8", "tile", "arm-kernels-codebooks", "avx2", 4.5, ARM},
    {"iq4_nl", "rows", "llama.cpp", "avx2", 4.5, ARM},
    {"w1", "a2_popcount", "apt-llm", "avx512_vpopcntdq", 1, APT},
    {"w1", "a2_basic", "apt-llm", "avx512_vpopcntdq", 1, ""},
    {"w1", "a2_scheduling", "apt-llm", "avx512_vpopcntdq", 1, ""},
    {"int8_vnni4", "tile", "kneepoint", "avx512_vnni", 8, APT},
    {"int2_planes", "tile", "kneepoint", "avx512_vnni", 2, APT},
    {"bf16", "tile", "kneepoint", "avx512_bf16", 16, APT},
};

static json_t *product(const char *type, const struct made_kernel *kernel, const struct shape *shape, unsigned n,
                       unsigned threads)
{
    double bytes = (double)(shape->m * shape->k) * kernel->bits / 8, hz = 3e9;
    double seconds = (bytes / 20e9 + n * (double)(shape->m * shape->k) / 1e13) / threads *
                     (1 + 0.01 * (double)strlen(kernel->sequence));
    double ops = 2.0 * (double)(shape->m * shape->k) * n;
    char name[96], gamma[128];
    snprintf(name, sizeof name, "%s.%s.%s", kernel->format, kernel->sequence, kernel->isa);
    snprintf(gamma, sizeof gamma, "%s@4", name);
    json_t *row = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:[s], s:[s], s:I, s:I, s:i, s:i, s:s, s:s, s:f, s:b, s:s}", "type",
        type, "name", name, "format", kernel->format, "sequence", kernel->sequence, "isa", kernel->isa, "origin",
        kernel->origin, "bits", kernel->bits, "format_bits", kernel->bits, "models", shape->model, "roles",
        shape->roles, "m", (json_int_t)shape->m, "k", (json_int_t)shape->k, "n", (int)n, "threads", (int)threads,
        "protocol", "cold", "level", "memory", "packed_bytes", bytes, "exact", 1, "gamma_used", gamma);
    assert_non_null(row);
    json_object_set_new(row, "gamma", json_real(0.5));
    json_object_set_new(row, "time_s", quantity(seconds));
    json_object_set_new(row, "bytes_per_s", quantity(bytes / seconds));
    json_object_set_new(row, "bytes_per_cycle_per_core", quantity(bytes / seconds / hz / threads));
    json_object_set_new(row, "ops_per_cycle", quantity(ops / seconds / hz));
    json_object_set_new(row, "ops_per_s", quantity(ops / seconds));
    json_object_set_new(row, "tokens_per_s", quantity(n / seconds));
    json_object_set_new(row, "roof_fraction", quantity(bytes / seconds / 20e9 / threads));
    json_object_set_new(row, "roof_bytes_per_s", quantity(20e9 * threads));
    json_object_set_new(row, "joules", quantity(seconds * 10));
    json_object_update_new(row, json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "residual", 0.1,
                                          "residual_overlap", 0.05, "omega", 0.2, "prepare_s", 1e-6,
                                          "memory_roof_ops_per_cycle", 60.0 * n, "up_convert_roof_ops_per_cycle", 300.0,
                                          "multiply_roof_ops_per_cycle", 400.0, "overlap", 0.5, "binds", "memory"));
    return row;
}

/* Of its models, and of a square. */
static bool is_on(const struct made_kernel *kernel, const struct shape *shape)
{
    return !*shape->model || strstr(kernel->models, shape->model);
}

static void add_products(json_t *records)
{
    static const unsigned tokens[] = {1, 4, 64, 1024};
    struct shape shapes[SHAPES_MAX + 1];
    size_t count = shapes_all(shapes, SHAPES_MAX);
    shapes[count++] = (struct shape){.m = 4096, .k = 4096};
    for (size_t s = 0; s < count; s++) {
        for (size_t i = 0; i < sizeof gemv_kernels / sizeof *gemv_kernels; i++) {
            for (unsigned threads = 1; threads <= 2 && is_on(&gemv_kernels[i], &shapes[s]); threads++)
                json_array_append_new(records, product("gemv", &gemv_kernels[i], &shapes[s], 1, threads));
        }
        for (size_t i = 0; i < sizeof gemm_kernels / sizeof *gemm_kernels; i++) {
            bool planes = gemm_kernels[i].format[0] == 'w';
            for (size_t n = 0; n < sizeof tokens / sizeof *tokens && is_on(&gemm_kernels[i], &shapes[s]); n++) {
                for (unsigned threads = 1; threads <= (planes ? 1 : 2); threads++)
                    json_array_append_new(records, product("gemm", &gemm_kernels[i], &shapes[s], tokens[n], threads));
            }
        }
    }
}

static void add_gamma(json_t *records, const char *format, const char *sequence, const char *isa, const char *origin,
                      double bits, double gamma, int accumulators, bool best)
{
    char name[96];
    snprintf(name, sizeof name, "%s.%s.%s", format, sequence, isa);
    json_t *row =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:s, s:f, s:f, s:f, s:f, s:b, s:b, s:f, s:b}",
                  "type", "gamma", "name", name, "isa", isa, "format", format, "sequence", sequence, "origin", origin,
                  "accumulators", accumulators, "bytes_per_vector", 4 * bits, "format_bits", bits, "uops_per_vector",
                  3.0, "bound", "ports", "plateau", gamma, "slope", 2 * gamma, "claimed", 1.25, "mca_gamma",
                  0.9 * gamma, "usable", 1, "best", best, "knee", 4 * bits / gamma, "exact", 1);
    assert_non_null(row);
    json_object_set_new(row, "gamma", quantity(gamma));
    json_object_set_new(row, "uops_per_cycle", json_real(3.5));
    json_array_append_new(records, row);
}

static void add_gammas(json_t *records)
{
    for (size_t i = 0; i < sizeof gemv_kernels / sizeof *gemv_kernels; i++) {
        const struct made_kernel *of = &gemv_kernels[i];
        for (int accumulators = 1; accumulators <= 4; accumulators *= 2)
            add_gamma(records, of->format, of->sequence, of->isa, of->origin, of->bits, 0.5 + 1.0 / accumulators,
                      accumulators, accumulators == 4);
    }
    static const char *const experiments[][2] = {
        {"c2", "mad"},           {"c2", "tbl"},           {"c2", "tbl_add_cvt"}, {"elut", "table16_ymm"},
        {"elut", "table64_ymm"}, {"elut", "table16_zmm"}, {"w1a2", "popcount"},  {"w2a2", "popcount"}};
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++)
        add_gamma(records, experiments[i][0], experiments[i][1], "avx512_vpopcntdq", "bitnet-cpp", 8,
                  0.5 + 0.2 * (double)i, 4, true);
}

#define TABLED(m, time)                                                                                                       \
    "{'type':'gemv','name':'tl2.bytes.avx2','format':'tl2','sequence':'bytes','isa':'avx2','origin':'kneepoint','bits':1.67," \
    "'format_bits':1.67,'m':" #m                                                                                              \
    ",'k':4096,'threads':1,'protocol':'warm','level':'L2','exact':true,'time_s':{'median':" #time "}}"
#define ENGINE(name, beyond)                                                                                           \
    "{'type':'engine','name':'" name                                                                                   \
    "','model':'a.gguf','threads':2,'context':16,'n_prompt':0,'time_s':4e-2,'pass_s':3e-2,"                            \
    "'parts_s':{'memory':2e-2,'kernels_beyond':" beyond                                                                \
    ",'everything_else':1e-2},'pass_parts_s':{'memory':2e-2,'kernels_beyond':2e-3,'everything_else':8e-3}}"

/* Records of the other kinds. */
static const char others[] = RECORDS(
    BETA(1, 10e9, 4.0, true), BETA(2, 15e9, 3.0, true),
    KNEE("int2_vnni4.envelope.avx_vnni", "memory", 2, 0, 3.2, 1.6, 0.5, 0.25, 1),
    KNEE("int2_vnni4.envelope.avx_vnni", "memory", 2, 2048, 3.2, 3.2, 0.5, 1, 0),
    KNEE("int2_vnni4.envelope.avx_vnni", "L2", 2, 0, 32, 6.4, 5, 1, 0),
    "{'type':'machine','name':'vm','cpu':'Made up','microarchitecture':'Zen 5','cores':2},"
    "{'type':'clock','name':'cpu0','cpu':0,'kind':'P','core_hz':{'median':3e9,'ci95':[3e9,3e9],'n':9}},"
    "{'type':'sync','name':'barrier','threads':2,'time_s':{'median':3e-7,'ci95':[3e-7,4e-7],'n':9}},"
    "{'type':'prepare','name':'q8','kernel':'q4_0.blocks16.avx512_vnni','isa':'avx2','k':4096,'quantizer':null,'time_s':{'median':1e-7}},"
    "{'type':'omega','name':'int2_planes.mask.avx512_vnni','format':'int2_planes','threads':2,'m':4096,'k':4096,'omega':{'median':0.2},"
    "'time_s':1e-4,'core_read_s':9e-5,'compute_s':3e-5,'start_s':1e-6},"
    "{'type':'latency','name':'memory/idle','level':'memory','threads':1,'readers':0,'bytes':24576,'pause':null,"
    "'latency_s':{'median':9e-8,'ci95':[9e-8,1e-7]},'latency_cycles':{'median':300,'ci95':[290,310]},'load_bytes_per_s':null},"
    "{'type':'latency','name':'L1/idle','level':'L1','threads':1,'readers':0,'bytes':24576,'pause':null,"
    "'latency_s':{'median':2e-9,'ci95':[1e-9,3e-9]},'latency_cycles':{'median':5,'ci95':[4,6]},'load_bytes_per_s':null},"
    "{'type':'latency','name':'memory/loaded','level':'memory','threads':2,'readers':1,'bytes':24576,'pause':64,"
    "'latency_s':{'median':2e-7,'ci95':[1e-7,3e-7]},'latency_cycles':{'median':600,'ci95':[500,700]},"
    "'load_bytes_per_s':{'median':1e10,'ci95':[9e9,11e9]}},"
    "{'type':'pool','name':'t2/x1','threads':2,'times':1,'bytes':1000000,'stated_bytes':1000000,'cold':false,'bytes_per_s':{'median':6e10,'ci95':[5e10,7e10],'n':9}},"
    "{'type':'pool','name':'t2/x4','threads':2,'times':4,'bytes':4000000,'stated_bytes':1000000,'cold':true,'bytes_per_s':{'median':3e10,'ci95':[2e10,4e10],'n':9}},"
    "{'type':'mixed','name':'mixed/stack/within/0.25/0/0','weights':'stack','method':'within','four_bit':0.25,'outliers':0,"
    "'error_feedback':false,'bits':2.85,'weighted_error':0.1,'output_error':0.1,'spread':0},"
    "{'type':'mixed','name':'mixed/stack/first_layers/0.25/0/0','weights':'stack','method':'first_layers','four_bit':0.25,'outliers':0,"
    "'error_feedback':false,'bits':2.85,'weighted_error':0.1,'output_error':0.12,'spread':0},"
    "{'type':'mixed','name':'mixed/laplace/within/0/0','weights':'laplace','ranges':[{'share':0.5,'rows':1,'columns':1},"
    "{'share':1,'rows':2,'columns':null}]}");
#define PASS(type, format, head, tokens)                                                                               \
    "{'type':'" type "','name':'" format ".x.avx2','model':'llama3-8b','format':'" format                              \
    "','sequence':'x','origin':'kneepoint',"                                                                           \
    "'bits':2,'head_format':'" head "','threads':2,'context':512,'tokens':" #tokens                                    \
    ",'tokens_per_s':{'median':20,'ci95':[19,21]},"                                                                    \
    "'time_s':{'median':0.05,'ci95':[0.04,0.06]},'alpha':0.8,'parts':[{'part':'head','gemv':true,'time_s':{'median':0.01},'share':0.1}]}"
#define MIXED_PASS                                                                                                     \
    "{'type':'decode','name':'mixed24_o02.outliers_fused.avx2','model':'llama3-8b','format':'mixed24_o02','sequence':" \
    "'outliers_fused','origin':'kneepoint','head_format':'f16','threads':2,'context':512,'tokens_per_s':{'median':40," \
    "'ci95':[39,41]},'time_s':{'median':0.025,'ci95':[0.02,0.03]},'parts':[{'part':'attention','share':{'median':0.2}}]}"
static const char passes[] = RECORDS(PASS("decode", "bf16", "bf16", 1), PASS("decode", "int2_planes", "bf16", 1),
                                     PASS("decode", "f16", "f16", 1), MIXED_PASS, PASS("prefill", "bf16", "bf16", 16),
                                     PASS("prefill", "q4_0", "bf16", 512), PASS("prefill", "int2_planes", "bf16", 512));

static const char tables[] = RECORDS(
    "{'type':'prepare','name':'tables','kernel':'tl2.bytes.avx2','isa':'avx2','k':4096,'quantizer':null,'time_s':{'median':1e-6}}," TABLED(
        64, 5e-7),
    TABLED(128, 1e-6), TABLED(256, 2e-6), ENGINE("tg32/t2 -rtr 1", "7e-3"), ENGINE("tg32/t2", "null"));

static json_t *everything(void)
{
    json_t *records = json_array();
    const char *const texts[] = {others, passes, tables};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        size_t size = strlen(texts[t]) + 3;
        char *text = malloc(size);
        assert_non_null(text);
        snprintf(text, size, "[%s]", texts[t]);
        for (char *at = text; *at; at++)
            *at = *at == '\'' ? '"' : *at;
        json_t *some = json_loads(text, 0, NULL);
        assert_non_null(some);
        json_array_extend(records, some);
        json_decref(some);
        free(text);
    }
    add_gammas(records);
    add_products(records);
    return records;
}

/* ---- what is done to it ---- */

/* Every value of a row but what says what it is; a row of a list of numbers keeps its length. */
static bool is_value(const json_t *value)
{
    return json_is_number(value) || json_is_object(value) || json_is_array(value);
}

/* Each row loses one of its values, the next row the next one: all are lost in turn. */
static void lose_one_value(json_t *records)
{
    size_t at;
    json_t *row;
    json_array_foreach(records, at, row)
    {
        const char *key;
        json_t *value;
        size_t values = 0, place = 0;
        json_object_foreach(row, key, value) values += is_value(value);
        json_object_foreach(row, key, value)
        {
            if (is_value(value) && place++ == at % (values ? values : 1))
                json_object_set_new(row, key, json_null());
        }
    }
}

/* The median of every quantity, or every value, of the rows from the first on in steps of every. */
static void lose_values(json_t *records, size_t first, size_t every, bool medians)
{
    for (size_t at = first; at < json_array_size(records); at += every) {
        json_t *row = json_array_get(records, at), *value;
        const char *key;
        json_object_foreach(row, key, value)
        {
            if (medians && json_is_object(value) && json_object_get(value, "median"))
                json_object_set_new(value, "median", json_null());
            else if (!medians && is_value(value) && strcmp(key, "m") != 0 && strcmp(key, "k") != 0 &&
                     strcmp(key, "threads") != 0)
                json_object_set_new(row, key, json_null());
        }
    }
}

static void zero_rates(json_t *records)
{
    static const char *const rates[] = {"bytes_per_s", "bytes_per_cycle_per_core"};
    for (size_t at = 0; at < json_array_size(records); at++) {
        for (size_t i = 0; i < 2; i++) {
            json_t *rate = json_object_get(json_array_get(records, at), rates[i]);
            if (json_is_object(rate))
                json_object_set_new(rate, "median", json_real(0));
        }
    }
}

/* ---- what the figures make of it ---- */

static char folder[] = "/tmp/nulls_test.XXXXXX";

/* A command stands in backquotes; for described machines it is an option. */
static void assert_names_a_command(const struct figure *figure, int error, const char *why)
{
    if (error != -ENODATA || (!strchr(why, '`') && !strstr(why, "--platform")))
        fail_msg("%s: %d %s", figure->name, error, why);
}

/* Of any two rows of a block the one has as many columns as the other: gnuplot takes text that is not there for a number. */
static void assert_columns(const struct figure *figure, const char *data)
{
    size_t expected = 0;
    for (const char *line = data; *line;) {
        size_t length = strcspn(line, "\n"), columns = 0;
        bool quoted = false, between = true;
        for (size_t i = 0; i < length && *line != '#'; i++) {
            quoted ^= line[i] == '"';
            bool blank = line[i] == ' ' && !quoted;
            columns += between && !blank;
            between = blank;
        }
        if (!length)
            expected = 0;
        if (columns && expected && columns != expected)
            fail_msg("%s: a row of %zu columns among those of %zu: %.*s", figure->name, columns, expected, (int)length,
                     line);
        if (columns)
            expected = columns;
        line += length + (line[length] == '\n');
    }
}

/* Whether it has something to draw; the machines that it shows by itself are there, too. */
static bool select_whole(const struct figure *figure, const struct view *view)
{
    char *settings, *data, why[1024] = "";
    int error = figure_select(figure, view, &settings, &data, why, sizeof why);
    if (error) {
        assert_names_a_command(figure, error, why);
        return false;
    }
    assert_columns(figure, data);
    assert_lacks(data, "inf");
    free(settings);
    free(data);
    return true;
}

static void draw(const struct figure *figure, const struct view *view)
{
    char why[1024] = "";
    int error = figure_draw(figure, view, folder, &(struct figure_form){.format = "svg"}, why, sizeof why);
    if (error)
        assert_names_a_command(figure, error, why);
}

/* Every figure, with records that are given up here. @return how many have something to draw */
static size_t all_figures(json_t *records, bool drawn)
{
    const struct figure *figures[FIGURES_MAX];
    size_t count = figure_list(figures, FIGURES_MAX), whole = 0;
    struct run_records run = {.meta = json_object(), .records = records};
    struct view view;
    assert_int_equal(view_open("results/machine/run", &run, &view), 0);
    for (size_t i = 0; i < count; i++) {
        if (drawn)
            draw(figures[i], &view);
        else
            whole += select_whole(figures[i], &view);
    }
    view_close(&view);
    json_decref(run.meta);
    json_decref(records);
    return whole;
}

static void without_a_record_each_names_the_command(void **state)
{
    (void)state;
    all_figures(json_array(), true);
}

/* So that the other tests say something. */
static void the_made_up_run_has_something_for_nearly_all(void **state)
{
    (void)state;
    size_t whole = all_figures(everything(), false);
    if (whole < FIGURES_OF_THE_RUN)
        fail_msg("%zu figures are drawn", whole);
}

static void one_value_of_each_record_is_null(void **state)
{
    (void)state;
    json_t *records = everything();
    lose_one_value(records);
    all_figures(records, true);
}

static void every_second_record_has_no_median(void **state)
{
    (void)state;
    for (size_t first = 0; first < 2; first++) {
        json_t *records = everything();
        lose_values(records, first, 2, true);
        all_figures(records, first == 1);
    }
}

static void no_record_has_a_value(void **state)
{
    (void)state;
    json_t *records = everything();
    lose_values(records, 0, 1, false);
    all_figures(records, true);
}

static void every_rate_is_zero(void **state)
{
    (void)state;
    json_t *records = everything();
    zero_rates(records);
    all_figures(records, true);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *open = opendir(folder);
    char path[512];
    for (const struct dirent *entry; open && (entry = readdir(open));) {
        snprintf(path, sizeof path, "%s/%.400s", folder, entry->d_name);
        unlink(path);
    }
    return open && closedir(open) == 0 ? rmdir(folder) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_record_each_names_the_command),
        cmocka_unit_test(the_made_up_run_has_something_for_nearly_all),
        cmocka_unit_test(one_value_of_each_record_is_null),
        cmocka_unit_test(every_second_record_has_no_median),
        cmocka_unit_test(no_record_has_a_value),
        cmocka_unit_test(every_rate_is_zero),
    };
    char why[256];
    if (gnuplot_check(why, sizeof why) != 0) {
        print_message("# not on this machine: %s\n", why);
        return 0;
    }
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
