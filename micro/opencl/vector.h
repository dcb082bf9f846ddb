/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenCL C before each kernel: a vector of WIDTH (1, 4, 8 or 16) numbers of type REAL, and the sum of one, modulo 2^32.
 */
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
#define SUM_OF_1(v)  ((uint)(v))
#define SUM_OF_4(v)  ((uint)(v).s0 + (uint)(v).s1 + (uint)(v).s2 + (uint)(v).s3)
#define SUM_OF_8(v)  (SUM_OF_4((v).lo) + SUM_OF_4((v).hi))
#define SUM_OF_16(v) (SUM_OF_8((v).lo) + SUM_OF_8((v).hi))
#define SUM(v)       JOIN(SUM_OF_, WIDTH)(v)
