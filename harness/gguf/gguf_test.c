/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/gguf.h"
#include "harness/gguf/made/gguf_writer.h"
#include "unit_test.h"

static struct gguf_bytes file;
static char why[512];

/** The entry of an array, without its elements. */
static void put_entry_array(const char *key, uint32_t type, uint64_t count)
{
    gguf_put_text(&file, key);
    gguf_put_u32(&file, GGUF_ARRAY);
    gguf_put_u32(&file, type);
    gguf_put_u64(&file, count);
}

/** Zeros up to a multiple of the alignment, and this many bytes of data. */
static void put_data(size_t alignment, size_t bytes)
{
    static const uint8_t zeros[4096];
    assert_true(bytes <= sizeof zeros);
    gguf_put_padding(&file, alignment);
    gguf_put_bytes(&file, zeros, bytes);
    assert_false(file.full);
}

/* Parse a copy of exactly this many bytes; a sanitizer watches what follows. */
static int parse(size_t length, struct gguf *gguf, uint8_t **copy)
{
    *copy = malloc(length ? length : 1);
    assert_non_null(*copy);
    memcpy(*copy, file.at, length);
    why[0] = 0;
    return gguf_parse(*copy, length, gguf, why, sizeof why);
}

/* The file is refused, and its line has both texts. */
static void refuses(const char *field, const char *reason)
{
    struct gguf gguf;
    uint8_t *copy;
    assert_int_equal(parse(file.length, &gguf, &copy), -EINVAL);
    if (!strstr(why, field) || !strstr(why, reason) || strchr(why, '\n'))
        fail_msg("'%s' has not '%s' and '%s'", why, field, reason);
    assert_null(gguf.tensors);
    assert_null(gguf.entries);
    free(copy);
}

/* A file with all there is: each type of value, arrays, two tensors that share nothing. */
static void write_whole(uint32_t version)
{
    gguf_put_header(&file, version, 3, 17);
    gguf_put_entry_text(&file, "general.architecture", "llama");
    gguf_put_entry_u32(&file, "general.alignment", 64);
    for (uint32_t type = GGUF_UINT8; type <= GGUF_FLOAT64; type++) {
        char key[16];
        if (type == GGUF_ARRAY || type == GGUF_STRING)
            continue;
        static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
        const uint64_t one = 1;
        snprintf(key, sizeof key, "value.%u", type);
        gguf_put_text(&file, key);
        gguf_put_u32(&file, type);
        gguf_put_bytes(&file, &one, bytes[type]);
    }
    gguf_put_entry_text(&file, "empty", "");
    put_entry_array("texts", GGUF_STRING, 2);
    gguf_put_text(&file, "one");
    gguf_put_text(&file, "");
    put_entry_array("numbers", GGUF_INT32, 3);
    gguf_put_u32(&file, 7);
    gguf_put_u32(&file, (uint32_t)-1);
    gguf_put_u32(&file, 9);
    put_entry_array("none", GGUF_UINT64, 0);
    gguf_put_tensor(&file, "blk.0.attn_q.weight", 32, 4, 2, 64);
    gguf_put_tensor(&file, "output_norm.weight", 5, 0, 0, 0);
    gguf_put_tensor(&file, "new", 100, 3, 77, 192);
    put_data(64, 192 + 10);
}

TEST(a_whole_file_is_read)
{
    for (uint32_t version = 2; version <= 3; version++) {
        struct gguf gguf;
        uint8_t *copy;
        uint64_t number;
        write_whole(version);
        assert_int_equal(parse(file.length, &gguf, &copy), 0);
        assert_int_equal(gguf.version, version);
        assert_int_equal(gguf.alignment, 64);
        assert_int_equal(gguf.entry_count, 17);
        assert_int_equal(gguf.tensor_count, 3);
        assert_true(gguf_text_is(gguf_string(gguf_find(&gguf, "general.architecture")), "llama"));
        assert_int_equal(gguf_string(gguf_find(&gguf, "empty")).length, 0);
        assert_int_equal(gguf_string(gguf_find(&gguf, "texts")).length, 0); /* no string, but an array */
        assert_null(gguf_find(&gguf, "general.architectur"));
        const struct gguf_value *numbers = gguf_find(&gguf, "numbers");
        assert_true(numbers->is_array);
        assert_true(gguf_integer(numbers, 0, &number) && number == 7);
        assert_false(gguf_integer(numbers, 1, &number)); /* -1 */
        assert_true(gguf_integer(numbers, 2, &number) && number == 9);
        assert_false(gguf_integer(numbers, 3, &number));
        assert_false(gguf_integer(gguf_find(&gguf, "none"), 0, &number));
        assert_false(gguf_integer(gguf_find(&gguf, "value.12"), 0, &number)); /* a float */
        assert_true(gguf_integer(gguf_find(&gguf, "value.1"), 0, &number) && number == 1);
        const struct gguf_tensor *tensor = &gguf.tensors[0];
        assert_true(gguf_text_is(tensor->name, "blk.0.attn_q.weight"));
        assert_int_equal(tensor->size[0], 32);
        assert_int_equal(tensor->size[1], 4);
        assert_int_equal(tensor->size[3], 1);
        assert_int_equal(tensor->bytes, 4 * 18);
        assert_string_equal(tensor->type->name, "Q4_0");
        size_t data = file.length - 192 - 10;
        assert_int_equal(tensor->offset, data + 64);
        assert_int_equal(gguf.tensors[1].bytes, 20);
        assert_int_equal(gguf.tensors[1].offset, data);
        assert_null(gguf.tensors[2].type);
        assert_int_equal(gguf.tensors[2].type_id, 77);
        assert_int_equal(gguf.tensors[2].bytes, 10); /* up to the end of the file */
        gguf_free(&gguf);
        free(copy);
    }
}

TEST(a_file_without_tensors_or_metadata_is_one)
{
    struct gguf gguf;
    uint8_t *copy;
    gguf_put_header(&file, 3, 0, 0);
    assert_int_equal(parse(file.length, &gguf, &copy), 0);
    assert_int_equal(gguf.tensor_count, 0);
    assert_int_equal(gguf.alignment, 32);
    gguf_free(&gguf);
    free(copy);
}

TEST(a_file_cut_at_any_byte_is_refused)
{
    write_whole(3);
    /* the last tensor's type is not known, so that its last bytes are not missed */
    for (size_t length = 0; length < file.length - 9; length++) {
        struct gguf gguf;
        uint8_t *copy;
        assert_int_equal(parse(length, &gguf, &copy), -EINVAL);
        if (!strstr(why, " at byte ") || strchr(why, '\n'))
            fail_msg("cut at %zu: '%s'", length, why);
        free(copy);
    }
}

TEST(a_changed_byte_is_no_harm)
{
    write_whole(3);
    for (size_t i = 0; i < file.length; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            struct gguf gguf;
            uint8_t *copy;
            file.at[i] ^= (uint8_t)(1u << bit);
            if (parse(file.length, &gguf, &copy) == 0)
                gguf_free(&gguf);
            else
                assert_non_null(strstr(why, " at byte "));
            free(copy);
            file.at[i] ^= (uint8_t)(1u << bit);
        }
    }
}

TEST(what_is_no_gguf_file_is_refused)
{
    gguf_put_header(&file, 3, 0, 0);
    file.at[0] = 'g';
    refuses("header, magic at byte 0", "is not 'GGUF'");
    gguf_put_header(&file, 1, 0, 0);
    refuses("header, version at byte 4", "is 1, and versions 2 and 3 are read");
    gguf_put_header(&file, 4, 0, 0);
    refuses("header, version at byte 4", "is 4, and versions 2 and 3 are read");
    gguf_put_header(&file, 3u << 24, 0, 0);
    refuses("header, version at byte 4", "big-endian");
    gguf_put_header(&file, 0, 0, 0);
    refuses("header, version at byte 4", "is 0, and");
}

TEST(counts_are_held_against_the_bytes_that_remain)
{
    gguf_put_header(&file, 3, 1ull << 60, 0);
    refuses("header, number of tensors at byte 8",
            "is 1152921504606846976, and what remains of the file has room for 0");
    gguf_put_header(&file, 3, 0, UINT64_MAX);
    refuses("header, number of metadata keys at byte 16", "has room for 0");
    gguf_put_header(&file, 3, 2, 1); /* room for two where there is no metadata */
    gguf_put_entry_text(&file, "a", "0123456789012345678901234567890123456789012345678901234567890123456789");
    refuses("header, number of tensors at byte 8", "after the metadata there is room for 0");
    gguf_put_header(&file, 3, 0, 1);
    put_entry_array("a", GGUF_UINT64, 1ull << 61);
    refuses("metadata key 0 'a', length of the array at byte 41", "takes 8 bytes each, and the file ends after 0");
    gguf_put_header(&file, 3, 0, 1);
    put_entry_array("a", GGUF_STRING, 2);
    gguf_put_text(&file, "01234567");
    refuses("metadata key 0 'a', value at byte 65", "needs 8 bytes, and the file ends after 0");
}

TEST(strings_end_within_the_file)
{
    gguf_put_header(&file, 3, 0, 1);
    gguf_put_u64(&file, UINT64_MAX);
    put_data(1, 40);
    refuses("metadata key 0, name at byte 24", "is a string of 18446744073709551615 bytes");
    gguf_put_header(&file, 3, 0, 1);
    gguf_put_text(&file, "");
    put_data(1, 40);
    refuses("metadata key 0, name at byte 24", "is empty");
    gguf_put_header(&file, 3, 0, 1);
    gguf_put_u64(&file, 1 << 16);
    file.length += 1 << 15; /* whatever is there */
    refuses("metadata key 0, name at byte 24", "is a string of 65536 bytes");
    gguf_put_header(&file, 3, 0, 1);
    gguf_put_text(&file, "general.architecture");
    gguf_put_u32(&file, GGUF_STRING);
    gguf_put_u64(&file, 6);
    gguf_put_bytes(&file, "llama", 5);
    refuses("'general.architecture', value at byte 56", "is a string of 6 bytes, and the file ends after 5");
    char name[200];
    memset(name, 'n', sizeof name);
    name[128] = 0;
    gguf_put_header(&file, 3, 1, 0);
    gguf_put_tensor(&file, name, 1, 1, 0, 0);
    refuses("tensor 0, name at byte 24", "has 128 bytes, and at most 127 are allowed");
}

TEST(types_of_values_are_checked)
{
    gguf_put_header(&file, 3, 0, 1);
    gguf_put_text(&file, "key");
    gguf_put_u32(&file, 13);
    gguf_put_u32(&file, 0);
    refuses("metadata key 0 'key', type at byte 35", "is 13, which no value has");
    gguf_put_header(&file, 3, 0, 1);
    put_entry_array("key", GGUF_ARRAY, 1);
    refuses("'key', type of the array's elements at byte 39", "arrays of arrays are not read");
    gguf_put_header(&file, 3, 0, 1);
    put_entry_array("key", 99, 1);
    refuses("'key', type of the array's elements at byte 39", "is 99");
    gguf_put_header(&file, 3, 0, 1);
    gguf_put_text(&file, "key");
    gguf_put_u32(&file, GGUF_BOOL);
    gguf_put_bytes(&file, "\2", 1);
    refuses("'key', truth value at byte 39", "is 2, neither 0 nor 1");
    gguf_put_header(&file, 3, 0, 1);
    put_entry_array("key", GGUF_BOOL, 3);
    gguf_put_bytes(&file, "\0\1\xff", 3);
    refuses("'key', truth value at byte 53", "is 255, neither 0 nor 1");
}

TEST(names_are_there_once)
{
    gguf_put_header(&file, 3, 0, 3);
    gguf_put_entry_u32(&file, "a", 1);
    gguf_put_entry_u32(&file, "b", 1);
    gguf_put_entry_u32(&file, "a", 1);
    refuses("metadata key 2 'a', name at byte 58", "is there twice");
    gguf_put_header(&file, 3, 2, 0);
    gguf_put_tensor(&file, "t", 8, 1, 0, 0);
    gguf_put_tensor(&file, "t", 8, 1, 0, 32);
    put_data(32, 64);
    refuses("tensor 1 't', name at byte 65", "is there twice");
}

TEST(the_alignment_is_a_power_of_two)
{
    static const uint32_t wrong[] = {0, 3, 48, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gguf_put_header(&file, 3, 0, 1);
        gguf_put_entry_u32(&file, "general.alignment", wrong[i]);
        refuses("metadata key 'general.alignment', value at byte 53", "which is no power of two");
    }
    gguf_put_header(&file, 3, 0, 1);
    gguf_put_entry_text(&file, "general.alignment", "32");
    refuses("metadata key 'general.alignment', value at byte 53", "is no whole number");
    gguf_put_header(&file, 3, 1, 1);
    gguf_put_text(&file, "general.alignment");
    gguf_put_u32(&file, GGUF_UINT64);
    gguf_put_u64(&file, 1ull << 63);
    gguf_put_tensor(&file, "t", 8, 1, 0, 0);
    put_data(32, 64);
    refuses("tensor 0 't', offset", "from where the data begin, and the file ends");
}

TEST(dimensions_are_positive_and_few)
{
    gguf_put_header(&file, 3, 1, 0);
    gguf_put_tensor(&file, "t", 0, 1, 0, 0);
    refuses("tensor 0 't', dimension 0 at byte 37", "is 0, and at least 1 is needed");
    gguf_put_header(&file, 3, 1, 0);
    gguf_put_tensor(&file, "t", 8, (uint64_t)-4, 0, 0);
    refuses("tensor 0 't', dimension 1 at byte 45", "is -4, and at least 1 is needed");
    gguf_put_header(&file, 3, 1, 0);
    gguf_put_tensor(&file, "t", 1ull << 32, 1ull << 31, 0, 0);
    refuses("tensor 0 't', dimension 1 at byte 45", "2^63 elements or more");
    gguf_put_header(&file, 3, 1, 0);
    gguf_put_tensor(&file, "t", 1ull << 31, 1ull << 31, 0, 0);
    refuses("tensor 0 't', type at byte 53", "is F32, with which the tensor has 2^63 bytes or more");
    for (uint32_t dimensions = 0; dimensions <= 5; dimensions += 5) {
        gguf_put_header(&file, 3, 1, 0);
        gguf_put_text(&file, "t");
        gguf_put_u32(&file, dimensions);
        put_data(1, 100);
        refuses("tensor 0 't', number of dimensions at byte 33", "and 1 to 4 are read");
    }
    gguf_put_header(&file, 3, 1, 0);
    gguf_put_tensor(&file, "t", 33, 2, 2, 0);
    put_data(32, 64);
    refuses("tensor 0 't', type at byte 53", "is Q4_0, in blocks of 32 columns, and a row has 33");
}

TEST(tensors_lie_apart_within_the_file)
{
    gguf_put_header(&file, 3, 1, 0);
    gguf_put_tensor(&file, "t", 8, 1, 0, 8);
    put_data(32, 64);
    refuses("tensor 0 't', offset at byte 57", "is 8, no multiple of the alignment 32");
    gguf_put_header(&file, 3, 1, 0);
    gguf_put_tensor(&file, "t", 8, 2, 0, 32);
    put_data(32, 64);
    refuses("tensor 0 't', offset at byte 57",
            "its data, 64 bytes from byte 128 on, passes the end of the file at 160");
    gguf_put_header(&file, 3, 1, 0);
    gguf_put_tensor(&file, "t", 8, 1, 0, UINT64_MAX - 31);
    put_data(32, 64);
    refuses("tensor 0 't', offset at byte 57", "and the file ends at byte 160");
    gguf_put_header(&file, 3, 2, 0);
    gguf_put_tensor(&file, "a", 9, 1, 0, 32);
    gguf_put_tensor(&file, "b", 9, 1, 0, 64);
    put_data(32, 128);
    refuses("tensor 0 'a', offset at byte 57", "its data begins at byte 160 and overlaps that of 'b' at byte 192");
    gguf_put_header(&file, 3, 2, 0); /* of no known type, but where another one is */
    gguf_put_tensor(&file, "a", 9, 1, 99, 32);
    gguf_put_tensor(&file, "b", 9, 1, 99, 32);
    put_data(32, 128);
    refuses("tensor 0 'a', offset at byte 57", "overlaps that of 'b'");
}

TEST(numbers_of_types_mean_others_in_files_of_bitnet)
{
    static const char *const architectures[] = {"llama", "bitnet-b1.58"};
    for (int of_bitnet = 0; of_bitnet < 2; of_bitnet++) {
        struct gguf gguf;
        uint8_t *copy;
        gguf_put_header(&file, 3, 3, 1);
        gguf_put_entry_text(&file, "general.architecture", architectures[of_bitnet]);
        gguf_put_tensor(&file, "a", 256, 2, 39, 0);
        gguf_put_tensor(&file, "b", 256, 2, 36, 320);
        gguf_put_tensor(&file, "c", 256, 2, 38, 480);
        put_data(32, 512);
        assert_int_equal(parse(file.length, &gguf, &copy), 0);
        assert_string_equal(gguf.tensors[0].type->name, of_bitnet ? "TL2" : "MXFP4");
        assert_int_equal(gguf.tensors[0].bytes, of_bitnet ? 320 : 2 * 8 * 17);
        assert_string_equal(gguf.tensors[1].type->name, "I2_S");
        assert_int_equal(gguf.tensors[1].bytes, 2 * 64 + 32);
        assert_true(!gguf.tensors[2].type == !of_bitnet);
        gguf_free(&gguf);
        free(copy);
    }
}

RUN_TESTS(NULL, NULL)
