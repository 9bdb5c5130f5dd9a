// Isometries of the Poincaré disk: z -> (a z + b) / (conj(b) z + conj(a)), |a|² - |b|² = 1, kept as
// [Re a, Im a, Re b, Im b].
const isometry = (() => {
  const IDENTITY = [1, 0, 0, 0];
  const compose = ([ar, ai, br, bi], [cr, ci, dr, di]) => {
    const m = [
      ar * cr - ai * ci + br * dr + bi * di, ar * ci + ai * cr + bi * dr - br * di,
      ar * dr - ai * di + br * cr + bi * ci, ar * di + ai * dr + bi * cr - br * ci,
    ];
    // Rounding would let the determinant drift from one over a long drag.
    const size = Math.sqrt(m[0] ** 2 + m[1] ** 2 - m[2] ** 2 - m[3] ** 2);
    return m.map((v) => v / size);
  };
  const inverse = ([ar, ai, br, bi]) => [ar, -ai, -br, -bi];
  const apply = ([ar, ai, br, bi], x, y) => {
    const nr = ar * x - ai * y + br, ni = ar * y + ai * x + bi;
    const dr = br * x + bi * y + ar, di = br * y - bi * x - ai;
    const size = dr * dr + di * di;
    return [(nr * dr + ni * di) / size, (ni * dr - nr * di) / size];
  };
  const carry = ([x, y]) => {
    const s = 1 / Math.sqrt(1 - x * x - y * y);
    return [s, 0, x * s, y * s];
  };
  // The translation along the geodesic from p to q.
  const move = (p, q) => {
    const there = carry(p), back = inverse(there);
    return compose(there, compose(carry(apply(back, ...q)), back));
  };

  return { IDENTITY, compose, inverse, apply, carry, move };
})();
