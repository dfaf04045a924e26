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

//@ remquo_quotient(T)
LF_FUNCTION int lf_remquo_quotient_${T}(${T} x, ${T} y) {
  int quotient = 0;
  remquo(x, y, &quotient);
  return quotient;
}
