/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrices of a file that a decode pass gets are those of the file, and their copies hold the same bytes; what a pass cannot be
 * made of is named.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/given_model.h"
#include "platforms/topology/topology.h"
#include "unit_test.h"

enum { LAYERS = 2, HIDDEN = 128, FFN = 256, VOCABULARY = 48, TENSORS = LAYERS * DECODE_ROLES + 1 };

/* A model in memory: layers in I2_S, whose tensors have scales, and a head in F16. */
struct bench {
    struct gguf_tensor table[TENSORS];
    struct model_tensor tensors[TENSORS];
    char names[TENSORS][40];
    uint8_t *data[TENSORS];
    struct model_file file;
    struct model_facts facts;
    struct given_model given;
    char why[256];
};

static void add(struct bench *bench, const char *name, uint32_t type, uint64_t k, uint64_t m)
{
    size_t at = bench->file.tensor_count++;
    struct gguf_tensor *table = &bench->table[at];
    snprintf(bench->names[at], sizeof bench->names[at], "%s", name);
    *table = (struct gguf_tensor){.name = {bench->names[at], strlen(name)},
                                  .type_id = type,
                                  .type = gguf_type_find(type, false),
                                  .dimensions = 2,
                                  .size = {k, m, 1, 1}};
    table->bytes = k / table->type->block_columns * table->type->block_bytes * m + table->type->tail_bytes;
    bench->data[at] = malloc(table->bytes);
    assert_non_null(bench->data[at]);
    for (size_t i = 0; i < table->bytes; i++)
        bench->data[at][i] = (uint8_t)(type == 36 ? 0x55 + (i * 7 + at) % 3 : (i % 2 ? 0x2c : i * 5 + at));
    float scale = 1.0f + (float)at;
    if (table->type->tail_bytes)
        memcpy(bench->data[at] + table->bytes - table->type->tail_bytes, &scale, sizeof scale);
    bench->tensors[at] = (struct model_tensor){table, bench->data[at]};
}

static int set_up(void **state)
{
    static const struct {
        const char *name;
        uint64_t k, m;
    } roles[DECODE_ROLES] = {{"attn_q", HIDDEN, HIDDEN},     {"attn_k", HIDDEN, HIDDEN / 2},
                             {"attn_v", HIDDEN, HIDDEN / 2}, {"attn_output", HIDDEN, HIDDEN},
                             {"ffn_gate", HIDDEN, FFN},      {"ffn_up", HIDDEN, FFN},
                             {"ffn_down", FFN, HIDDEN}};
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    for (int i = 0; i < LAYERS * DECODE_ROLES; i++) {
        char name[40];
        snprintf(name, sizeof name, "blk.%d.%s.weight", i / DECODE_ROLES, roles[i % DECODE_ROLES].name);
        add(bench, name, 36, roles[i % DECODE_ROLES].k, roles[i % DECODE_ROLES].m);
    }
    add(bench, "output.weight", 1, HIDDEN, VOCABULARY);
    bench->file.tensors = bench->tensors;
    bench->facts = (struct model_facts){.architecture = {"llama", 5},
                                        .layers = LAYERS,
                                        .embedding = HIDDEN,
                                        .heads = 2,
                                        .kv_heads = 1,
                                        .key_length = 64,
                                        .value_length = 64};
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    given_model_close(&bench->given);
    for (size_t i = 0; i < TENSORS; i++)
        free(bench->data[i]);
    free(bench);
    return 0;
}

static int open_given(struct bench *bench)
{
    return given_model_open(&bench->file, &bench->facts, "a model.gguf", &bench->given, bench->why, sizeof bench->why);
}

TEST_GIVEN_BY(the_matrices_are_those_of_the_file, struct bench *bench, set_up, tear_down)
{
    assert_int_equal(open_given(bench), 0);
    const struct given_model *given = &bench->given;
    assert_string_equal(given->model.name, "a-model.gguf");
    assert_string_equal(given->format[0]->name, "i2_s");
    assert_string_equal(given->format[TENSORS - 1]->name, "f16");
    assert_int_equal(given->model.ffn, FFN);
    assert_int_equal(given->model.vocabulary, VOCABULARY);
    assert_int_equal(given->model.activation, LAYER_SILU);
    assert_false(given->model.sub_norms);
    for (size_t i = 0; i < TENSORS; i++) {
        assert_ptr_equal(given->given.packed[i], bench->data[i]);
        assert_true(given->given.scale[i] == (i < TENSORS - 1 ? 1.0f + (float)i : 1.0f));
    }
}

TEST_GIVEN_BY(the_head_may_be_the_embeddings, struct bench *bench, set_up, tear_down)
{
    strcpy(bench->names[TENSORS - 1], "token_embd.weight");
    bench->table[TENSORS - 1].name.length = strlen("token_embd.weight");
    assert_int_equal(open_given(bench), 0);
    assert_ptr_equal(bench->given.given.packed[TENSORS - 1], bench->data[TENSORS - 1]);
}

/* What members read of each matrix, put together, is the matrix of the file. */
static void check_copies(const struct decode_weights *weights, const struct bench *bench)
{
    for (size_t i = 0; i < TENSORS; i++) {
        const struct decode_matrix *matrix = decode_matrix_at(&weights->model, i);
        size_t bytes = bench->table[i].bytes - bench->table[i].type->tail_bytes, seen = 0;
        assert_true(matrix->scale == bench->given.given.scale[i]);
        for (unsigned member = 0; member < weights->threads; member++) {
            struct gemv_stretches stretches = decode_stretches(matrix, member, weights->threads);
            assert_memory_equal(matrix->stretch[member], bench->data[i] + stretches.first[0], stretches.bytes[0]);
            seen += stretches.bytes[0] + stretches.bytes[1];
        }
        assert_int_equal(seen, bytes);
    }
}

/* Any kernel of the formats: its code is not run. */
static const struct kernel *kernel_of(const struct format *format)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if ((*kernel)->format == format && (*kernel)->gemv)
            return *kernel;
    }
    print_message("# not on this machine: no kernel of %s on this architecture\n", format->name);
    skip();
    return NULL;
}

static const struct kernel *choose(const void *context, const struct format *format)
{
    return context && strcmp(context, format->name) == 0 ? NULL : kernel_of(format);
}

/** Another type, with data of its own. */
static void retype(struct bench *bench, size_t at, uint32_t type)
{
    struct gguf_tensor *table = &bench->table[at];
    table->type_id = type;
    table->type = gguf_type_find(type, false);
    table->bytes = table->size[0] / table->type->block_columns * table->type->block_bytes * table->size[1];
    free(bench->data[at]);
    bench->data[at] = malloc(table->bytes);
    assert_non_null(bench->data[at]);
    for (size_t i = 0; i < table->bytes; i++)
        bench->data[at][i] = (uint8_t)(i * 11 + at);
    bench->tensors[at].data = bench->data[at];
}

/** Two types of which there are no kernels, and one of another format than the layers'. */
TEST_GIVEN_BY(types_may_differ_and_what_no_kernel_takes_is_read, struct bench *bench, set_up, tear_down)
{
    retype(bench, 3, 6);  /* Q5_0 */
    retype(bench, 9, 3);  /* Q4_1 */
    retype(bench, 11, 6); /* Q5_0 */
    retype(bench, 12, 1);
    assert_int_equal(open_given(bench), 0);
    struct given_model *given = &bench->given;
    assert_null(given->given.kernel);
    assert_int_equal(given_model_choose(given, choose, NULL), 0);
    assert_int_equal(given->reads, 2);
    assert_string_equal(given->kernel[3]->name, "Q5_0.read");
    assert_ptr_equal(given->kernel[11], given->kernel[3]);
    assert_string_equal(given->kernel[9]->format->name, "Q4_1");
    assert_string_equal(given->kernel[12]->format->name, "f16");
    assert_false(decode_is_read(given->kernel[12]) || decode_is_read(given->kernel[0]));
    assert_true(given->given.scale[3] == 1 && given->given.scale[0] == 1);
    /* a format of which no kernel runs here is read as well */
    assert_int_equal(given_model_choose(given, choose, "i2_s"), 0);
    assert_int_equal(given->reads, 3);
    assert_string_equal(given->kernel[0]->name, "I2_S.read");
    assert_int_equal(format_packed_bytes(given->kernel[0]->format, HIDDEN, HIDDEN), HIDDEN * HIDDEN / 4);
}

TEST_GIVEN_BY(a_team_copies_them_as_they_are, struct bench *bench, set_up, tear_down)
{
    char why[256];
    retype(bench, 3, 6);
    struct topology *topology;
    struct decode_weights weights;
    assert_int_equal(open_given(bench), 0);
    assert_int_equal(given_model_choose(&bench->given, choose, NULL), 0);
    const struct decode_weights_request request = {
        .facts = &bench->given.model, .distinct = LAYERS, .given = &bench->given.given, .seed = 1};
    assert_int_equal(decode_weights_accepted(&request, why, sizeof why), 0);
    uint64_t all = 0;
    for (size_t i = 0; i < TENSORS; i++)
        all += bench->table[i].bytes - bench->table[i].type->tail_bytes;
    assert_int_equal(decode_weights_bytes(&request), all);
    assert_int_equal(topology_open(NULL, &topology, why, sizeof why), 0);
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (unsigned threads = 1; threads <= 2 && (int)threads <= CPU_COUNT(&allowed); threads++) {
        const struct team_request team_request = {.threads = threads, .use_smt = true};
        unsigned cpus[2];
        struct team *team;
        assert_int_equal(topology_plan_team(topology, &team_request, cpus, 2, why, sizeof why), threads);
        assert_int_equal(team_create(topology, cpus, threads, &team, why, sizeof why), 0);
        assert_int_equal(decode_weights_open(&weights, &request, team), 0);
        check_copies(&weights, bench);
        decode_weights_release(&weights);
        team_destroy(team);
    }
    topology_close(topology);
}

static void refuses(struct bench *bench, const char *words)
{
    assert_int_equal(open_given(bench), -ENOTSUP);
    if (!strstr(bench->why, words))
        fail_msg("'%s' has not '%s'", bench->why, words);
    assert_null(bench->given.packed);
}

TEST_WITH(what_a_pass_is_not_made_of_is_named, set_up, tear_down)
{
    struct bench *bench = *state;
    bench->names[4][0] = 'x';
    refuses(bench, "there is no blk.0.ffn_gate.weight");
    bench->names[4][0] = 'b';
    bench->names[9][0] = 'x';
    refuses(bench, "there is no blk.1.attn_v.weight");
    bench->names[9][0] = 'b';
    bench->table[9].type = gguf_type_find(23, false);
    refuses(bench, "blk.1.attn_v.weight is of type IQ4_XS, whose row size is unknown");
    bench->table[9].type = gguf_type_find(38, true);
    refuses(bench, "blk.1.attn_v.weight is of type TL1, whose row size is unknown");
    bench->table[9].type = gguf_type_find(36, false);
    bench->table[9].size[1] = 65;
    refuses(bench, "blk.1.attn_v.weight has 65 rows of 128 columns, and the metadata want 64 of 128");
    bench->table[9].size[1] = 64;
    bench->table[TENSORS - 1].type = NULL;
    refuses(bench, "output.weight is of type unknown");
    bench->names[TENSORS - 1][0] = 'x';
    refuses(bench, "there is neither output.weight nor token_embd.weight");
    bench->facts.experts = 8;
    refuses(bench, "dense layers");
    bench->facts.experts = 0;
    bench->facts.kv_heads = 3;
    refuses(bench, "do not state");
    bench->facts.kv_heads = 1;
    bench->facts.value_length = 32;
    refuses(bench, "heads of 64 numbers and values of 32");
}

RUN_TESTS(NULL, NULL)
