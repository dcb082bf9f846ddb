/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes_aarch64.h, whose bytes saddw and smlal make words of.
 */
#include "micro/kernels/tl1/bytes_aarch64.h"
