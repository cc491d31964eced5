// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the built-in scene. Only + - * / sqrt floor and integers: what IEEE 754 rounds the same everywhere. The
// C library's sine differs in the last bit between systems, so the scene has its own.
#pragma once

#include <cmath>
#include <cstdint>

namespace vergence::synth {

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator*(const Vec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3 unit(const Vec3& a) { return a * (1.0 / std::sqrt(dot(a, a))); }

/// Three columns: where the axes x, y, z go.
struct Mat3 {
  Vec3 x{1, 0, 0};
  Vec3 y{0, 1, 0};
  Vec3 z{0, 0, 1};
};

inline Vec3 operator*(const Mat3& m, const Vec3& v) { return m.x * v.x + m.y * v.y + m.z * v.z; }
inline Mat3 operator*(const Mat3& a, const Mat3& b) { return {a * b.x, a * b.y, a * b.z}; }
inline Mat3 transposed(const Mat3& m) { return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}}; }

/// sin(2 pi turns), to about 1e-14.
inline double sine(double turns) {
  double t = turns - std::floor(turns + 0.5);  // -0.5 .. 0.5
  if (t > 0.25) t = 0.5 - t;
  if (t < -0.25) t = -0.5 - t;
  const double a = 6.283185307179586476925 * t;
  const double q = a * a;
  // Taylor series from its smallest term; the factors are 1 / (k (k + 1)).
  double sum = 1.0 - q * (1.0 / 420.0);
  sum = 1.0 - q * (1.0 / 342.0) * sum;
  sum = 1.0 - q * (1.0 / 272.0) * sum;
  sum = 1.0 - q * (1.0 / 210.0) * sum;
  sum = 1.0 - q * (1.0 / 156.0) * sum;
  sum = 1.0 - q * (1.0 / 110.0) * sum;
  sum = 1.0 - q * (1.0 / 72.0) * sum;
  sum = 1.0 - q * (1.0 / 42.0) * sum;
  sum = 1.0 - q * (1.0 / 20.0) * sum;
  sum = 1.0 - q * (1.0 / 6.0) * sum;
  return a * sum;
}
inline double cosine(double turns) { return sine(turns + 0.25); }

/// Rotation by `turns` about a unit axis (Rodrigues' formula).
inline Mat3 rotation(const Vec3& axis, double turns) {
  const double s = sine(turns);
  const double c = cosine(turns);
  const auto column = [&](const Vec3& v) { return v * c + cross(axis, v) * s + axis * (dot(axis, v) * (1.0 - c)); };
  return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}

/// A frame whose z axis is the given unit vector.
inline Mat3 frame_of(const Vec3& z) {
  const Vec3 helper = std::abs(z.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 x = unit(cross(helper, z));
  return {x, cross(z, x), z};
}

/// Spreads every bit of the input over the whole word (two multiply-and-shift rounds; constants: odd, random bits).
inline std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93u;
  h ^= h >> 29;
  h *= 0x9E6C63D0676A9A99u;
  return h ^ (h >> 32);
}

/// Integer and real random numbers from a seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mixed(seed + 0x51A7C0DEu)) {}
  std::uint64_t bits() {
    state_ += 0x9E3779B97F4A7C15u;
    return mixed(state_);
  }
  /// Uniform in [low, high).
  double real(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * (1.0 / 9007199254740992.0));
  }
  /// Uniform in 0 .. count - 1.
  int below(int count) { return static_cast<int>(bits() % static_cast<std::uint64_t>(count)); }
  /// Uniform on the sphere, by rejection.
  Vec3 direction() {
    for (;;) {
      const Vec3 v{real(-1, 1), real(-1, 1), real(-1, 1)};
      const double square = dot(v, v);
      if (square > 0.01 && square < 1.0) return unit(v);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace vergence::synth
