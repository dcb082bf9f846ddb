/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows that the public quantizers wrote (fixtures/golden.tsv), read by ours to the same values, in the file and packed for kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/weights/tensor_rows.h"

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

static const struct gguf_type *type_named(const char *name)
{
    for (uint32_t id = 0; id < 256; id++) {
        const struct gguf_type *type = gguf_type_find(id, false);
        if (type && strcmp(type->name, name) == 0)
            return type;
    }
    fail_msg("no type %s", name);
    return NULL;
}

/* One row is a tensor of its own. */
static void check_values(const struct golden *golden, const struct gguf_tensor *table)
{
    const struct model_tensor tensor = {table, golden->bytes};
    double values[COLUMNS];
    assert_int_equal(tensor_row_values(&tensor, 0, values), 0);
    for (size_t i = 0; i < COLUMNS; i++) {
        if ((float)values[i] != golden->values[i])
            fail_msg("%s, column %zu: %a, not %a", golden->name, i, values[i], (double)golden->values[i]);
    }
    assert_int_equal(tensor_row_values(&tensor, 1, values), -ERANGE);
}

/* What kernels read decodes to the same. */
static void check_packed(const struct golden *golden, const struct gguf_tensor *table)
{
    const struct model_tensor tensor = {table, golden->bytes};
    const struct format *format = tensor_format(table);
    uint8_t *packed = malloc(tensor_packed_bytes(table, 1));
    assert_non_null(packed);
    assert_int_equal(tensor_pack(&tensor, 0, 1, packed), 0);
    for (uint32_t i = 0; i < COLUMNS; i++)
        assert_true((float)(tensor_scale(&tensor) * format_weight(format, packed, COLUMNS, 0, i)) == golden->values[i]);
    assert_int_equal(tensor_pack(&tensor, 1, 1, packed), -ERANGE);
    free(packed);
}

static void rows_of_the_public_quantizers_have_their_values(void **state)
{
    (void)state;
    struct golden *golden = calloc(1, sizeof *golden);
    char *line = NULL, types[1024] = " ";
    size_t room = 0, rows = 0;
    FILE *file = fopen("harness/weights/fixtures/golden.tsv", "r");
    assert_true(file && golden);
    while (getline(&line, &room, file) > 0) {
        if (line[0] == '#')
            continue;
        read_line(line, golden);
        const struct gguf_type *type = type_named(golden->name);
        const struct gguf_tensor table = {.type = type, .size = {COLUMNS, 1, 1, 1}, .bytes = golden->length};
        assert_int_equal(golden->length, COLUMNS / type->block_columns * type->block_bytes + type->tail_bytes);
        check_values(golden, &table);
        check_packed(golden, &table);
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

static void rows_of_no_whole_step_are_padded_with_zeros(void **state)
{
    (void)state;
    static const uint16_t halves[2][5] = {{0x3c00, 0x4000, 0x4200, 0x4400, 0x4500},
                                          {0xbc00, 0xc000, 0xc200, 0xc400, 0xc500}};
    const struct gguf_tensor table = {.type = type_named("F16"), .size = {5, 2, 1, 1}, .bytes = sizeof halves};
    const struct model_tensor tensor = {&table, (const uint8_t *)halves};
    size_t bytes = tensor_packed_bytes(&table, 2);
    uint8_t *packed = malloc(bytes);
    assert_non_null(packed);
    memset(packed, 0xff, bytes);
    assert_int_equal(tensor_pack(&tensor, 0, 2, packed), 0);
    const struct format *format = tensor_format(&table);
    for (uint32_t row = 0; row < 2; row++) {
        const uint8_t *panel = packed + row * format_panel_bytes(format, 5);
        for (uint32_t i = 0; i < format_columns(format, 5); i++)
            assert_true(format_weight(format, panel, 5, 0, i) == (i < 5 ? (row ? -1.0 : 1.0) * (i + 1) : 0));
    }
    double values[5];
    assert_int_equal(tensor_row_values(&tensor, 1, values), 0);
    assert_true(values[4] == -5);
    free(packed);
}

static void what_is_no_format_of_ours_has_no_values(void **state)
{
    (void)state;
    double values[256];
    static const uint8_t bytes[110];
    const struct gguf_tensor table = {.type = type_named("IQ3_S"), .size = {256, 1, 1, 1}, .bytes = sizeof bytes};
    const struct model_tensor tensor = {&table, bytes};
    assert_null(tensor_format(&table));
    assert_int_equal(tensor_row_values(&tensor, 0, values), -ENOTSUP);
    const struct gguf_tensor unknown = {.size = {256, 1, 1, 1}};
    assert_null(tensor_format(&unknown));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_the_public_quantizers_have_their_values),
        cmocka_unit_test(rows_of_no_whole_step_are_padded_with_zeros),
        cmocka_unit_test(what_is_no_format_of_ours_has_no_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
