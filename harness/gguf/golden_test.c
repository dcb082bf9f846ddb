/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows that the public quantizers wrote (fixtures/golden.tsv), read by ours to the same values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/tensor_rows.h"
#include "unit_test.h"

enum { COLUMNS = 256, BYTES_MOST = 1024 + 64 };

struct golden {
    char name[16];
    uint8_t bytes[BYTES_MOST];
    size_t length;
    float values[COLUMNS];
};

static uint32_t number_of(const char *digits, int count)
{
    char text[9];
    memcpy(text, digits, (size_t)count);
    text[count] = 0;
    return (uint32_t)strtoul(text, NULL, 16);
}

static void read_line(char *line, struct golden *golden)
{
    char *bytes = strchr(line, '\t'), *values = bytes ? strchr(bytes + 1, '\t') : NULL;
    assert_non_null(values);
    *bytes++ = *values++ = 0;
    snprintf(golden->name, sizeof golden->name, "%s", line);
    golden->length = strlen(bytes) / 2;
    assert_true(golden->length <= sizeof golden->bytes && strlen(values) >= 8 * COLUMNS);
    for (size_t i = 0; i < golden->length; i++)
        golden->bytes[i] = (uint8_t)number_of(bytes + 2 * i, 2);
    for (size_t i = 0; i < COLUMNS; i++) {
        uint32_t bits = number_of(values + 8 * i, 8);
        memcpy(&golden->values[i], &bits, sizeof bits);
    }
}

/* One row is a tensor of its own; a panel of its format is these bytes. */
static void check_values(const struct golden *golden, const struct gguf_tensor *table)
{
    const struct model_tensor tensor = {table, golden->bytes};
    const struct format *format = tensor_format(table);
    const double scale = tensor_scale(&tensor);
    assert_int_equal(format_panel_bytes(format, COLUMNS), golden->length - table->type->tail_bytes);
    for (uint32_t i = 0; i < COLUMNS; i++) {
        double value = scale * format_weight(format, golden->bytes, COLUMNS, 0, i);
        if ((float)value != golden->values[i])
            fail_msg("%s, column %u: %a, not %a", golden->name, i, value, (double)golden->values[i]);
    }
}

TEST(rows_of_the_public_quantizers_have_their_values)
{
    struct golden *golden = calloc(1, sizeof *golden);
    char *line = NULL, types[1024] = " ";
    size_t room = 0, rows = 0;
    FILE *file = fopen("harness/gguf/fixtures/golden.tsv", "r");
    assert_true(file && golden);
    while (getline(&line, &room, file) > 0) {
        if (line[0] == '#')
            continue;
        read_line(line, golden);
        const struct gguf_type *type = gguf_type_named(golden->name);
        const struct gguf_tensor table = {.type = type, .size = {COLUMNS, 1, 1, 1}, .bytes = golden->length};
        assert_int_equal(golden->length, COLUMNS / type->block_columns * type->block_bytes + type->tail_bytes);
        check_values(golden, &table);
        rows++;
        strcat(strcat(types, type->name), " ");
    }
    size_t formats = 0;
    for (uint32_t id = 0; id < 256; id++) { /* each type that has a format is among them */
        const struct gguf_type *type = gguf_type_find(id, false);
        char word[24];
        if (!type || !type->format)
            continue;
        snprintf(word, sizeof word, " %s ", type->name);
        assert_non_null(format_find(type->format));
        assert_non_null(strstr(types, word));
        formats++;
    }
    assert_int_equal(rows, 3 * formats);
    fclose(file);
    free(line);
    free(golden);
}

TEST(not_every_type_is_a_format_of_ours)
{
    const struct gguf_tensor table = {.type = gguf_type_named("IQ3_S"), .size = {256, 1, 1, 1}, .bytes = 110};
    assert_null(tensor_format(&table));
    const struct gguf_tensor unknown = {.size = {256, 1, 1, 1}};
    assert_null(tensor_format(&unknown));
}

RUN_TESTS(NULL, NULL)
