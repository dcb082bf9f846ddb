/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See npy.h. The format: "\x93NUMPY", version, length of the header, and the header, a Python dictionary with the keys 'descr',
 * 'fortran_order' and 'shape'; then the numbers.
 */
#include "harness/gguf/npy.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "micro/isa/half.h"
#include "results/files/input.h"

enum { HEADER_MOST = 4096, ELEMENTS_MOST = 1 << 30, FIXED = 8 };

static const char magic[6] = "\x93NUMPY";

static int refuse(char *why, const char *what)
{
    snprintf(why, NPY_REASON, "%s", what);
    return -EINVAL;
}

/** The header as a string. @return 0 or -EINVAL */
static int read_header(FILE *file, char *header, char *why)
{
    uint8_t fixed[FIXED], size[4] = {0};
    if (fread(fixed, 1, FIXED, file) != FIXED || memcmp(fixed, magic, sizeof magic) != 0)
        return refuse(why, "is not a .npy file: numpy.save() writes them");
    if (fixed[6] < 1 || fixed[6] > 3)
        return refuse(why, "has a version of .npy that is not known");
    size_t digits = fixed[6] == 1 ? 2 : 4;
    if (fread(size, 1, digits, file) != digits)
        return refuse(why, "ends within its header");
    size_t length = (size_t)size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;
    if (length >= HEADER_MOST || fread(header, 1, length, file) != length)
        return refuse(why, "ends within its header");
    header[length] = 0;
    return 0;
}

/** What follows a key of the header. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    at = at ? strchr(at + strlen(key), ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : "";
}

/** Bytes of a number, 0 for types that are not read. */
static size_t bytes_of(const char *header)
{
    const char *type = value_of(header, "'descr'");
    static const char *const types[] = {"'<f2'", "'<f4'", "'<f8'"};
    for (size_t i = 0; i < 3; i++) {
        if (strncmp(type, types[i], strlen(types[i])) == 0)
            return (size_t)2 << i;
    }
    return 0;
}

static int read_shape(const char *header, struct matrix *matrix, char *why)
{
    unsigned long long m = 0, k = 0;
    char after = 0;
    if (strncmp(value_of(header, "'fortran_order'"), "False", 5) != 0)
        return refuse(why, "is in Fortran order: save numpy.ascontiguousarray() of it");
    if (sscanf(value_of(header, "'shape'"), "(%llu , %llu %c", &m, &k, &after) != 3 || (after != ')' && after != ','))
        return refuse(why, "does not have two dimensions, rows and columns");
    if (after == ',' && !strstr(value_of(header, "'shape'"), ",)"))
        return refuse(why, "does not have two dimensions, rows and columns");
    if (m < 1 || k < 1 || m > ELEMENTS_MOST || k > ELEMENTS_MOST / m)
        return refuse(why, "has no numbers, or more than 2^30");
    matrix->m = (size_t)m;
    matrix->k = (size_t)k;
    return 0;
}

static float number_of(const uint8_t *bytes, size_t size)
{
    float value = 0;
    double wide;
    uint16_t half;
    if (size == sizeof half) {
        memcpy(&half, bytes, sizeof half);
        return half_to_float(half);
    }
    if (size == sizeof wide) {
        memcpy(&wide, bytes, sizeof wide);
        return (float)wide;
    }
    memcpy(&value, bytes, sizeof value);
    return value;
}

/** Whether the file cannot hold what its header says, before memory is taken for it; unknown (false) for what is no regular file. */
static bool is_short(FILE *file, size_t bytes)
{
    struct stat status;
    long at = ftell(file);
    return at >= 0 && fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
           (status.st_size < at || (uint64_t)(status.st_size - at) < bytes);
}

static int read_numbers(FILE *file, size_t size, struct matrix *matrix, char *why)
{
    if (is_short(file, matrix->m * matrix->k * size))
        return refuse(why, "ends before the last of its numbers");
    uint8_t *row = malloc(matrix->k * size);
    matrix->w = malloc(matrix->m * matrix->k * sizeof *matrix->w);
    int error = row && matrix->w ? 0 : -ENOMEM;
    if (error)
        snprintf(why, NPY_REASON, "does not fit in memory");
    for (size_t m = 0; m < matrix->m && !error; m++) {
        if (fread(row, size, matrix->k, file) != matrix->k)
            error = refuse(why, "ends before the last of its numbers");
        for (size_t k = 0; k < matrix->k && !error; k++) {
            float value = number_of(row + k * size, size);
            matrix->w[m * matrix->k + k] = value;
            if (!isfinite(value))
                error = refuse(why, "has numbers that are not finite in 32 bits");
        }
    }
    free(row);
    return error;
}

int npy_read(const char *path, struct matrix *matrix, char *why)
{
    char header[HEADER_MOST];
    *matrix = (struct matrix){0};
    FILE *file;
    int error = input_open(path, &file);
    if (error) {
        snprintf(why, NPY_REASON, "cannot be read: %s", input_error(error));
        return error;
    }
    error = read_header(file, header, why);
    size_t size = error ? 0 : bytes_of(header);
    if (!error && !size)
        error = refuse(why, "has no little-endian floats of 16, 32 or 64 bits");
    if (!error)
        error = read_shape(header, matrix, why);
    if (!error)
        error = read_numbers(file, size, matrix, why);
    fclose(file);
    if (error) {
        free(matrix->w);
        *matrix = (struct matrix){0};
    }
    return error;
}
