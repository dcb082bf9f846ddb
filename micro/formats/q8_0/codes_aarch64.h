/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of the orders of Q8_0 on aarch64: bytes that are the weights, but for bits that are stored turned over.
 */
#define CODE_BYTES  32
#define CODE_BITS   0
#define CODE_TURNED BLOCK_TURNED
