/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/records/cpu_key.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/text/hash.h"
#include "results/text/words.h"

/** The signature first: without it a CPU is not even named. */
static const char *const facts[] = {"name",     "family", "model",   "stepping", "vendor", "microarchitecture",
                                    "features", "caches", "emulated"};
enum { SIGNATURE = 4, FACTS = sizeof facts / sizeof *facts };

/** "L1 48 KiB, L2 2 MiB, L3 480 MiB". New reference. */
static json_t *caches_in_words(const json_t *caches)
{
    char text[256] = "";
    for (size_t i = 0; i < json_array_size(caches); i++) {
        const json_t *cache = json_array_get(caches, i);
        json_int_t level = json_integer_value(json_object_get(cache, "level"));
        json_int_t kib = json_integer_value(json_object_get(cache, "bytes")) / 1024;
        bool whole = kib >= 1024 && kib % 1024 == 0;
        words_add(text, sizeof text, "L%lld %lld %s", (long long)level, (long long)(whole ? kib / 1024 : kib),
                  whole ? "MiB" : "KiB");
    }
    return json_string(text[0] ? text : "none visible");
}

/* ---- facts ---- */

/** What a CPU states of a fact: new reference, NULL if nothing. A core without a name is stated as null. */
static json_t *fact_of(const json_t *meta, size_t fact)
{
    const char *name = facts[fact];
    if (strcmp(name, "caches") == 0) {
        const json_t *caches = json_object_get(json_object_get(meta, "topology"), "caches");
        return json_is_array(caches) ? caches_in_words(caches) : NULL;
    }
    json_t *value = json_object_get(json_object_get(meta, "cpu"), name);
    if (strcmp(name, "emulated") == 0)
        return value ? json_incref(value) : json_false();
    bool is_stated =
        strcmp(name, "features") == 0 ? json_is_array(value) : value && (fact >= SIGNATURE || !json_is_null(value));
    return is_stated ? json_incref(value) : NULL;
}

static bool has_feature(const json_t *features, const json_t *feature)
{
    for (size_t i = 0; i < json_array_size(features); i++) {
        if (json_equal(json_array_get(features, i), feature))
            return true;
    }
    return false;
}

/** "amx_tile, amx_int8": what only the first has; "" if nothing. */
static void alone(const json_t *features, const json_t *others, char *text, size_t size)
{
    text[0] = 0;
    for (size_t i = 0; i < json_array_size(features); i++) {
        const json_t *feature = json_array_get(features, i);
        if (json_is_string(feature) && !has_feature(others, feature))
            words_add(text, size, "%s", json_string_value(feature));
    }
}

static void say_features(const json_t *const side[2], const char *const of[2], char *how, size_t size)
{
    char only[160];
    for (int i = 0; i < 2; i++) {
        alone(side[i], side[!i], only, sizeof only);
        if (only[0])
            words_add(how, size, "features %s only %s", only, of[i]);
    }
}

static bool same_features(const json_t *one, const json_t *other)
{
    char left[8], right[8];
    alone(one, other, left, sizeof left);
    alone(other, one, right, sizeof right);
    return !left[0] && !right[0];
}

/** Hold one fact; what differs is added to other, what one does not state to unstated. */
static void hold(size_t fact, const json_t *const side[2], const char *const of[2], char *other, char *unstated,
                 size_t size)
{
    char words[2][200];
    bool features = strcmp(facts[fact], "features") == 0;
    if (!side[0] || !side[1]) {
        char where[80] = "";
        for (int i = 0; i < 2; i++) {
            if (!side[i])
                words_add(where, sizeof where, "unknown %s", of[i]);
        }
        words_add(unstated, size, "%s %s", facts[fact], where);
    } else if (features && !same_features(side[0], side[1])) {
        say_features(side, of, other, size);
    } else if (!features && !json_equal(side[0], side[1])) {
        words_of_fact(side[0], words[0], sizeof words[0]);
        words_of_fact(side[1], words[1], sizeof words[1]);
        words_add(other, size, "%s %s %s, %s %s", facts[fact], words[0], of[0], words[1], of[1]);
    }
}

enum cpu_key_match cpu_key_match(const json_t *one, const json_t *other, const char *const of[2], char *how,
                                 size_t size)
{
    char differs[480] = "", unstated[480] = "";
    bool is_named = true;
    for (size_t fact = 0; fact < FACTS; fact++) {
        json_t *side[2] = {fact_of(one, fact), fact_of(other, fact)};
        is_named = is_named && (fact >= SIGNATURE || (side[0] && side[1]));
        hold(fact, (const json_t *const[]){side[0], side[1]}, of, differs, unstated, sizeof differs);
        json_decref(side[0]);
        json_decref(side[1]);
    }
    snprintf(how, size, "%s", differs[0] ? differs : unstated);
    if (differs[0])
        return CPU_KEY_OTHER;
    return !unstated[0] ? CPU_KEY_SAME : is_named ? CPU_KEY_UNSTATED : CPU_KEY_NAMELESS;
}

void cpu_key_code(const json_t *meta, char code[9])
{
    uint64_t hash = HASH_BEGIN;
    bool is_whole = true;
    for (size_t fact = 0; fact < FACTS; fact++) {
        json_t *value = fact_of(meta, fact);
        if (json_is_false(value)) /* of a machine, as the older codes */
            continue;
        char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS) : NULL;
        is_whole = is_whole && text;
        if (text)
            hash = hash_bytes(hash, text, strlen(text) + 1);
        free(text);
        json_decref(value);
    }
    snprintf(code, 9, "%08x", (unsigned)(hash ^ hash >> 32));
    if (!is_whole)
        code[0] = 0;
}

int cpu_key_take_over(json_t *object, const json_t *meta)
{
    json_t *cpu = json_object_get(meta, "cpu");
    json_t *caches = json_object_get(json_object_get(meta, "topology"), "caches");
    int error = cpu ? json_object_set(object, "cpu", cpu) : 0;
    if (!error && caches)
        error = json_object_set_new(object, "topology", json_pack("{s:O}", "caches", caches));
    return error ? -ENOMEM : 0;
}
