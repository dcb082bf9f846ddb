/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_FORMER_NAMES_H
#define RESULTS_FORMER_NAMES_H

#include <jansson.h>
#include <stddef.h>

/**
 * Names of sequences and kernels that were called otherwise in older versions, as micro/former_names.tsv lists them: a
 * record of "int2_vnni4.paper.avx2" is one of "int2_vnni4.envelope.avx2". What is read is read under the names of
 * today, so that old and new runs compare.
 */

/**
 * The text with the first former name in it exchanged, written to buffer; the text itself if it holds none, or if the
 * buffer is too small. A name counts where it stands for itself: "gemv/int2_vnni4.paper.avx2/64x64",
 * "int2_vnni4.paper@8", but not "my_int2_vnni4.paper" or "int2_vnni4.paper_2".
 */
const char *former_name_exchanged(const char *text, char *buffer, size_t size);

/**
 * Exchange those in all strings and keys of a JSON value; a "sequence" together with the "format" beside it.
 * @return 0, -ENOMEM
 */
int former_names_exchange(json_t *value);

#endif
