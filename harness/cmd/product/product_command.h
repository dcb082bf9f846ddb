/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>

#include "harness/cmd/console/options.h"
#include "harness/cmd/console/options/schedule_options.h"
#include "harness/cmd/console/table.h"
#include "harness/plan/product_job.h"
#include "harness/plugin/name_filter.h"
#include "harness/plugin/plugins_find.h"
#include "harness/record/run_writer.h"

/** What the commands that multiply matrices have in common: gemv and gemm. */

enum { PRODUCT_SHAPES_GIVEN_MAX = 64 };

struct product_options {
    struct measuring_options measuring;
    const char *shapes[PRODUCT_SHAPES_GIVEN_MAX];
    size_t shape_count;
    const char *model;
    bool cold, warm, best;
    bool reads;                 /* of gemv */
    const char *device;         /* what --device names; NULL: this machine's cores */
    const char *from;           /* a saved run, whose products are printed and nothing is measured; NULL: none */
    bool peers;                 /* beside every plug-in that is found */
    struct plugins_found found; /* of these */
    bool prefetch_given;
    size_t prefetch_bytes;
    size_t tokens[PRODUCT_JOB_TOKENS]; /* of gemm */
    size_t token_count;
    const char *tuning; /* file of a table; "none": no table; NULL: the one of this CPU below results, if there is one */
    struct schedule_options sharing;
    struct run_request run;
    struct name_filter filter; /* what of the names is wanted */
    struct table_view view;
    char **names;
    int count;
};

/** --shape, --model, --cold, --warm, --prefetch, --results, --into and the names, as an argp child of that input. */
extern const struct argp product_argp;

/** Options that only one of the commands lists in its argp, whose parser and children these are. */
enum { PRODUCT_OPTION_READS = 0x300, PRODUCT_OPTION_TOKENS, PRODUCT_OPTION_DEVICE };
error_t product_parse_own(int key, char *argument, struct argp_state *state);
extern const struct argp_child product_children[];

/** "1,16,64", each 1 to GEMM_TOKENS_MOST and once; argp_error()s otherwise. */
void product_parse_tokens(const char *text, struct product_options *options, struct argp_state *state);

/** A command, and what only it does. */
struct product_command {
    const char *name;
    const char *product; /* "GEMV" */
    bool sweeps; /* numbers of tokens, which takes long: cold unless warm is asked for, one thread and the widest team */
    bool (*has)(const struct kernel *kernel);
    const struct table *table;         /* of its cells, from the columns of both */
    const struct table *derived;       /* of what follows from several of them */
    const char *derived_title;         /* above that */
    const struct table *const *tables; /* NULL-terminated: all that it prints */
};

/** Columns of both commands; which are of one alone, they say themselves. */
enum { PRODUCT_COLUMNS = 24 };
extern const struct table_column product_columns[PRODUCT_COLUMNS];

/** The line of a cell, as struct watched has it; none of products that are sorted by numbers of tokens. */
int product_line(const void *command, const struct session *session, const struct cells *cells,
                 const struct cell *cell);

/** The cells, with json those without a line of their own, and what follows from them; what was left out is printed after it. @return exit code */
int product_print(const struct product_command *command, const struct session *session, const struct cells *cells,
                  bool json, const struct table_view *view);

/** Records of products, in the order of product_compare_by_time, and what follows from them: with json each as it is. @return exit code */
int product_show_rows(const struct product_command *command, json_t *rows, bool json, const struct table_view *view);
int product_show_derived(const struct product_command *command, const json_t *rows, bool json,
                         const struct table_view *view);

/** The same of the run that --from names: nothing is measured. @return exit code; EXIT_INCONCLUSIVE it has none of what is asked for */
int product_print_saved(const struct product_command *command, const struct product_options *options);

/** Parse the options, measure, print, and write what was asked to be written. @return exit code */
int product_command_run(const struct product_command *command, const struct argp *argp, int argc, char **argv);

/** The kernels and shapes that are asked for, into a job that is zeroed. @return exit code */
int product_select(const struct product_command *command, const struct session *session,
                   const struct product_options *options, struct product_job *job);

/** The repacking that was measured, as a table; nothing where there is none. */
int product_print_repacking(const char *command, const struct session *session, const struct cells *cells,
                            const struct table_view *view);
extern const struct table product_repacking_table;

/** Of the first cell of those that are compared, once they are measured: our fastest and the fastest plug-in's; else "". */
const char *product_peer_done(const void *command, const struct session *session, const struct cells *cells,
                              const struct cell *cell, char *text, size_t size);

/** What --peers compares, as a table: of each width the best of ours and of each plug-in. @return exit code */
int product_print_peers(const struct product_command *command, const struct session *session, const struct cells *cells,
                        const struct table_view *view);
extern const struct table product_peers_table;

/** What differs between the renderings that were measured and their originals, as notes below a table; nothing without any. */
void product_print_renderings(const struct session *session, const struct cells *cells);

/** Cells of tables: "4096x4096"; at the end of a row what is not usual of it. */
const char *product_shape_text(const json_t *record, char *text, size_t size);
const char *product_note_text(const json_t *record, char *text, size_t size);

/** "exact", or the largest distance from the definition. */
const char *product_error_text(const json_t *record, char *text, size_t size);

/** Products of an OpenCL device, where the options name one. @return exit code */
int product_device_run(const struct product_command *command, const struct product_options *options);
extern const struct table product_device_table, product_device_gemm_table;

/** The shapes of the options into job->shapes. @return exit code */
int product_select_shapes(const struct product_command *command, const struct product_options *options,
                          struct product_job *job);
