/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of ternary_fives: of five activations the sums for the 122 numbers that are not negative, as 36 h + l with l and h within 18, so that seven of
 * each add up in a signed byte.
 */
#define FIVES_BASE  36
#define FIVES_STEPS 7   /* look-ups that bytes have room for */
#define FIVES_LOW   0   /* 128 bytes of l, of which 122 are read */
#define FIVES_HIGH  128 /* and of h */
#define FIVES_BYTES 256
