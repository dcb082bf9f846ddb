/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How libFuzzer changes the inputs of targets that are JSON: one object, or one a line. Most changes keep it JSON, so that what
 * comes after the parser is reached; some are of bytes.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed);

enum { PLACES_MOST = 2048 };

/** A value and what holds it. */
struct place {
    json_t *holder; /* object or array */
    char key[64];   /* of an object */
    size_t index;   /* of an array */
};

struct places {
    struct place at[PLACES_MOST];
    size_t count;
};

static size_t draw(uint64_t *random, size_t below)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return below ? (size_t)(*random % below) : 0;
}

static void collect(struct places *places, json_t *holder)
{
    size_t i;
    const char *key;
    json_t *value;
    json_array_foreach(holder, i, value)
    {
        if (places->count < PLACES_MOST)
            places->at[places->count++] = (struct place){.holder = holder, .index = i};
        collect(places, value);
    }
    json_object_foreach(holder, key, value)
    {
        if (places->count < PLACES_MOST && strlen(key) < sizeof places->at->key) {
            struct place *place = &places->at[places->count++];
            *place = (struct place){.holder = holder};
            memcpy(place->key, key, strlen(key) + 1);
        }
        collect(places, value);
    }
}

static json_t *value_at(const struct place *place)
{
    return place->key[0] ? json_object_get(place->holder, place->key) : json_array_get(place->holder, place->index);
}

/** Takes the value over. */
static void set(const struct place *place, json_t *value)
{
    if (place->key[0])
        json_object_set_new(place->holder, place->key, value);
    else
        json_array_set_new(place->holder, place->index, value);
}

/** Values at which readers go wrong. */
static json_t *awkward(uint64_t *random)
{
    static const char *const texts[] = {"",        " ",    "%s%n",        "\x1b[2J", "a\nb",    "\xe2\x80\xae",
                                        "../../x", "null", "int2_planes", "1e999",   "<script>"};
    static const double numbers[] = {0.5, -0.5, 1e29, -1e29, 1e-29, 1e300, 1e-300, 4294967296.5, 1e15};
    static const json_int_t integers[] = {
        0, 1, -1, 2, 3, 255, 65536, INT32_MAX, (json_int_t)INT32_MAX + 1, INT64_MAX, INT64_MIN};
    switch (draw(random, 8)) {
    case 0: return json_null();
    case 1: return json_boolean(draw(random, 2));
    case 2: return json_string(texts[draw(random, sizeof texts / sizeof *texts)]);
    case 3:
    case 4: return json_real(numbers[draw(random, sizeof numbers / sizeof *numbers)]);
    case 5: return draw(random, 2) ? json_array() : json_object();
    case 6: return json_pack("[[[{s:[]}]]]", "name");
    default: return json_integer(integers[draw(random, sizeof integers / sizeof *integers)]);
    }
}

static void change_number(const struct place *place, const json_t *value, uint64_t *random)
{
    static const double factors[] = {-1, 0.5, 2, 1e-3, 1e3, 1e9, 1.0000001};
    double number = json_number_value(value) * factors[draw(random, sizeof factors / sizeof *factors)];
    set(place, json_is_integer(value) && number > -9e15 && number < 9e15 ? json_integer((json_int_t)number)
                                                                         : json_real(number));
}

static void change(struct places *places, uint64_t *random)
{
    const struct place *place = &places->at[draw(random, places->count)];
    const struct place *other = &places->at[draw(random, places->count)];
    json_t *value = value_at(place), *of_other = value_at(other);
    if (!value || !of_other) /* an earlier change took it away */
        return;
    switch (draw(random, 6)) {
    case 0: set(place, awkward(random)); break;
    case 1: set(place, json_deep_copy(of_other)); break;
    case 2: /* once more, or away */
        if (place->key[0])
            json_object_del(place->holder, place->key);
        else if (draw(random, 2))
            json_array_insert_new(place->holder, place->index, json_deep_copy(value));
        else
            json_array_remove(place->holder, place->index);
        break;
    case 3: /* under another name */
        if (place->key[0] && other->key[0])
            json_object_set_new(place->holder, other->key, json_deep_copy(value));
        break;
    default:
        if (json_is_number(value))
            change_number(place, value, random);
        else
            set(place, awkward(random));
    }
}

/** The lines as an array; NULL: some is no JSON. */
static json_t *parse(const uint8_t *bytes, size_t length)
{
    json_t *lines = json_array();
    const char *at = (const char *)bytes, *end = at + length;
    while (at < end) {
        json_error_t error;
        json_t *value = json_loadb(at, (size_t)(end - at), JSON_DISABLE_EOF_CHECK, &error);
        if (!value || json_array_append_new(lines, value) || error.position <= 0)
            break;
        at += error.position;
        while (at < end && strchr(" \t\r\n", *at))
            at++;
    }
    if (at >= end && json_array_size(lines))
        return lines;
    json_decref(lines);
    return NULL;
}

static size_t write_lines(const json_t *lines, uint8_t *bytes, size_t most)
{
    size_t length = 0, i;
    const json_t *value;
    json_array_foreach(lines, i, value)
    {
        size_t size = json_dumpb(value, (char *)bytes + length, most - length, JSON_COMPACT | JSON_ENCODE_ANY);
        if (size == 0 || size >= most - length)
            break;
        length += size;
        bytes[length++] = '\n';
    }
    return length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed)
{
    static struct places places;
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    draw(&random, 1);
    json_t *lines = draw(&random, 8) ? parse(bytes, length) : NULL;
    if (!lines)
        return LLVMFuzzerMutate(bytes, length, most);
    for (size_t changes = 1 + draw(&random, 4); changes; changes--) {
        places.count = 0;
        collect(&places, lines);
        if (places.count)
            change(&places, &random);
    }
    size_t written = write_lines(lines, bytes, most);
    json_decref(lines);
    return written ? written : LLVMFuzzerMutate(bytes, length, most);
}
