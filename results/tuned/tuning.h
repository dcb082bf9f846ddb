/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * What `kneepoint tune` found on a CPU: for each kernel and problem the settings that ran fastest. A file of one JSON object
 * (results/tuning.schema.json), which people may keep: <results>/tuning/<platform>.json. It holds for the CPU and for the code of the
 * kernels that it names, which its user compares.
 *
 * Errors: 0 or negative errno with one line in why that names the path and the remedy.
 */
enum { TUNING_NAME = 96, TUNING_WORD = 48 };

/** A product, and how exactly it is asked for: kernels of one family can take each other's place. */
struct tuning_problem {
    char format[TUNING_WORD];
    char takes[TUNING_WORD]; /* activations: "int8", "f32" */
    double error_bound;      /* of the kernel: struct kernel, micro/kernel.h */
    unsigned threads;
    bool cold;
    size_t m, k, n;
};

/** A kernel on a problem. */
struct tuning_cell {
    struct tuning_problem problem;
    char kernel[TUNING_NAME];
    char isa[TUNING_WORD];
    bool gemm; /* else its GEMV, of one token */
    bool best; /* of all kernels on this problem */
    size_t prefetch_bytes;
    bool shares_tokens;
    char variant[TUNING_WORD]; /* "": none but the kernel's own */
    double time_s;             /* with these settings, measured after the choice; NaN: too few samples were kept */
    double default_time_s;     /* with the kernel's own */
    size_t kept, default_kept; /* samples of both */
    size_t candidates, seen;   /* settings that there were to choose from, and of how many a sample was kept in time */
    /* of the best: what the settings of the nearest other problem attain (results/tuned/tuning_match.h) */
    char left_out_kernel[TUNING_NAME]; /* "": there is no other problem of the family */
    size_t left_out_m, left_out_k, left_out_n;
    double left_out_time_s; /* NaN: too few samples were kept */
};

struct tuning_table {
    json_t *made_by; /* cpu, compiler, flags and code, as meta.json of a run has them */
    struct tuning_cell *cell;
    size_t count, capacity;
};

/** Append; 0 or -ENOMEM. */
int tuning_add(struct tuning_table *table, const struct tuning_cell *cell);
void tuning_release(struct tuning_table *table);

/** Take over the cells of another table of those problems that this one does not have. 0 or -ENOMEM */
int tuning_merge(struct tuning_table *table, const struct tuning_table *others);

/** <results>/tuning/<platform>.json. @return 0, -ENAMETOOLONG */
int tuning_path(const char *results, const char *platform, char *path, size_t size);

/** A cell as the table and the records of type "tuned" have it, and the loss of a table. New references; NULL without memory. */
json_t *tuning_cell_json(const struct tuning_cell *cell);
json_t *tuning_loss_json(const struct tuning_table *table);

/** Through a temporary file; folders are made. */
int tuning_write(const char *path, const struct tuning_table *table, char *why, size_t size);

/** -ENOENT no such file; -EINVAL what is no such table, or one of a later version. On failure the table is empty. */
int tuning_read(const char *path, struct tuning_table *table, char *why, size_t size);
