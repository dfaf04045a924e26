// SPDX-License-Identifier: Apache-2.0
// Functions of OpenCL C with two results: these give each of the results alone.

//@ fract(T)
LF_FUNCTION ${T} lf_fract_${T}(${T} x) {
  ${T} whole;
  return fract(x, &whole);
}

//@ modf(T)
LF_FUNCTION ${T} lf_modf_${T}(${T} x) {
  ${T} whole;
  return modf(x, &whole);
}

//@ frexp(T)
LF_FUNCTION ${T} lf_frexp_${T}(${T} x) {
  int exponent;
  return frexp(x, &exponent);
}

//@ frexp_exponent(T)
LF_FUNCTION int lf_frexp_exponent_${T}(${T} x) {
  int exponent = 0;
  frexp(x, &exponent);
  return exponent;
}

//@ gamma_sign(T)
// Not by lgamma_r, which leaves 0 on NVIDIA's devices (driver 580): 0 at the poles, 1 for NaN.
LF_FUNCTION int lf_gamma_sign_${T}(${T} x) {
  if (x > 0 || isnan(x))
    return 1;
  const ${T} below = floor(x);
  if (x == below)
    return x == 0 ? (signbit(x) ? -1 : 1) : 0;
  return fmod(below, (${T})2) == 0 ? 1 : -1;
}

//@ half_nextafter
/// The half next to x in the direction of y. Both are floats that a half can hold.
LF_FUNCTION float lf_half_nextafter(float x, float y) {
  if (isnan(x) || isnan(y))
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return copysign(0x1p-24f, y);
  ushort bits;
  vstore_half(x, 0, (__private half *)&bits);
  bits += (x < y) == (x > 0) ? 1 : -1;
  return vload_half(0, (__private half *)&bits);
}

//@ half_bitselect
/// The bits of the half b where those of c are 1, else those of a. All are floats that a half can hold.
LF_FUNCTION float lf_half_bitselect(float a, float b, float c) {
  ushort bits[3];
  vstore_half(a, 0, (__private half *)&bits[0]);
  vstore_half(b, 0, (__private half *)&bits[1]);
  vstore_half(c, 0, (__private half *)&bits[2]);
  bits[0] = (bits[0] & ~bits[2]) | (bits[1] & bits[2]);
  return vload_half(0, (__private half *)&bits[0]);
}

//@ remquo_quotient(T)
LF_FUNCTION int lf_remquo_quotient_${T}(${T} x, ${T} y) {
  int quotient = 0;
  remquo(x, y, &quotient);
  return quotient;
}
