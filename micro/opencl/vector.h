/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenCL C before each kernel: a vector of WIDTH (1, 4, 8 or 16) numbers of type REAL, the sum of one, in another type or modulo 2^32, and the
 * memory in which a step finds activations.
 */
#if STAGED
#define OPERAND local
#else
#define OPERAND global
#endif
#if HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#if WIDTH == 1
typedef REAL vector;
#else
typedef JOIN(REAL, WIDTH) vector;
#endif
#define SUM_OF_1(as, v)  ((as)(v))
#define SUM_OF_4(as, v)  ((as)(v).s0 + (as)(v).s1 + (as)(v).s2 + (as)(v).s3)
#define SUM_OF_8(as, v)  (SUM_OF_4(as, (v).lo) + SUM_OF_4(as, (v).hi))
#define SUM_OF_16(as, v) (SUM_OF_8(as, (v).lo) + SUM_OF_8(as, (v).hi))
#define SUM_AS(as, v)    JOIN(SUM_OF_, WIDTH)(as, v)
#define SUM(v)           SUM_AS(uint, v)
