/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main() of a fuzz target for compilers without libFuzzer: the inputs of a corpus, as they are and changed at random, without
 * looking at which code they reach. It takes those of libFuzzer's options that `make fuzz` gives and knows two of them.
 *
 *     TARGET -max_total_time=SECONDS -max_len=BYTES [other options] FILE|FOLDER...
 *
 * An input that ends the program is in the file "input" of the first folder, written before each call.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { INPUTS = 1024, LONGEST = 1 << 20 };

static struct {
    uint8_t *bytes[INPUTS];
    size_t length[INPUTS], count, longest;
    const char *folder;
    uint64_t random;
} fuzz = {.longest = 8192, .random = 0x9e3779b97f4a7c15};

static uint64_t draw(uint64_t below)
{
    fuzz.random ^= fuzz.random << 13;
    fuzz.random ^= fuzz.random >> 7;
    fuzz.random ^= fuzz.random << 17;
    return below ? fuzz.random % below : 0;
}

static void add_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(LONGEST);
    if (file && bytes && fuzz.count < INPUTS) {
        fuzz.length[fuzz.count] = fread(bytes, 1, LONGEST, file);
        fuzz.bytes[fuzz.count++] = bytes;
    } else {
        free(bytes);
    }
    if (file)
        fclose(file);
}

static void add(const char *path)
{
    struct stat status;
    DIR *folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? opendir(path) : NULL;
    if (!folder) {
        add_file(path);
        return;
    }
    if (!fuzz.folder)
        fuzz.folder = path;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "input") != 0)
            add_file(inside);
    }
    closedir(folder);
}

/** Numbers at which counts, sizes and offsets go wrong. */
static uint64_t awkward(void)
{
    static const uint64_t numbers[] = {0,          1,          2,          3,         7,         31,
                                       32,         33,         127,        255,       1u << 16,  INT32_MAX,
                                       UINT32_MAX, 1ull << 32, 1ull << 60, INT64_MAX, UINT64_MAX};
    return numbers[draw(sizeof numbers / sizeof *numbers)] + draw(3) - 1;
}

static size_t change(uint8_t *bytes, size_t length)
{
    size_t at = draw(length ? length : 1), part = draw(64);
    uint64_t number = awkward();
    switch (draw(7)) {
    case 0: bytes[at] ^= (uint8_t)(1u << draw(8)); break;
    case 1: bytes[at] = (uint8_t)draw(256); break;
    case 2: memcpy(bytes + at, &number, at + 8 <= length ? 8 : 0); break;
    case 3: memcpy(bytes + at, &number, at + 4 <= length ? 4 : 0); break;
    case 4: return at;
    case 5: /* a part repeated, right after itself */
        if (at + part > length || length + part > fuzz.longest)
            break;
        memmove(bytes + at + part, bytes + at, length - at);
        return length + part;
    case 6: { /* the end of another input */
        size_t other = draw(fuzz.count), from = draw(fuzz.length[other] + 1), rest = fuzz.length[other] - from;
        rest = rest < fuzz.longest - at ? rest : fuzz.longest - at;
        memcpy(bytes + at, fuzz.bytes[other] + from, rest);
        return at + rest;
    }
    default: break;
    }
    return length;
}

/** In memory of its very length, so that a byte too far is seen. */
static void call(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);
    if (!copy)
        return;
    memcpy(copy, bytes, length);
    LLVMFuzzerTestOneInput(copy, length);
    free(copy);
}

/** Where what is called next is written, in case it ends the program. */
static FILE *open_input(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/input", fuzz.folder ? fuzz.folder : ".");
    return fopen(path, "wb");
}

int main(int argc, char **argv)
{
    double limit_s = 60;
    size_t calls = 0;
    for (int i = 1; i < argc; i++) {
        if (sscanf(argv[i], "-max_total_time=%lf", &limit_s) != 1 &&
            sscanf(argv[i], "-max_len=%zu", &fuzz.longest) != 1 && argv[i][0] != '-')
            add(argv[i]);
    }
    fuzz.longest = fuzz.longest < LONGEST ? fuzz.longest : LONGEST;
    static uint8_t bytes[LONGEST + 64];
    FILE *input = open_input();
    if (!fuzz.count || !input) {
        fputs("fuzz_driver: no corpus, or its first folder cannot be written\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < fuzz.count; i++, calls++)
        call(fuzz.bytes[i], fuzz.length[i]);
    for (time_t began = time(NULL); difftime(time(NULL), began) < limit_s; calls++) {
        size_t from = draw(fuzz.count), length = fuzz.length[from] < fuzz.longest ? fuzz.length[from] : fuzz.longest;
        memcpy(bytes, fuzz.bytes[from], length);
        for (uint64_t changes = 1 + draw(6); changes > 0; changes--)
            length = change(bytes, length);
        rewind(input);
        fwrite(bytes, 1, length, input);
        fflush(input);
        if (ftruncate(fileno(input), (off_t)length) != 0)
            return 2;
        call(bytes, length);
    }
    fclose(input);
    for (size_t i = 0; i < fuzz.count; i++)
        free(fuzz.bytes[i]);
    printf("%zu calls, none of which ended the program\n", calls);
    return 0;
}
