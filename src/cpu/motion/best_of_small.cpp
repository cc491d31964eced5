// SPDX-License-Identifier: Apache-2.0
// The exhaustive search of a small square of bytes by SAD, as coarse levels need it: costs fit 16 bits and never leave
// the registers. Sums of four pixels against eight neighbouring places by VDBPSADBW (AVX-512) or VMPSADBW (AVX2); other
// targets have none.
#define VERGENCE_SIMD_FILE "cpu/motion/best_of_small.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "cpu/dispatch.hpp"
#include "cpu/motion/costs.hpp"

#undef VERGENCE_SMALL_SADS
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2
#define VERGENCE_SMALL_SADS 1
#else
#define VERGENCE_SMALL_SADS 0
#endif

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

using Block = PackedBlock<uint8_t>;

#if VERGENCE_SMALL_SADS

/// Sums of 16 bits. Within each 128 bits: four pixels against the eight places that begin there.
#if HWY_TARGET == HWY_AVX2
using Sums = __m256i;
HWY_INLINE Sums LoadBytes(const uint8_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
HWY_INLINE Sums LoadTwoRows(const uint8_t* from, std::ptrdiff_t stride) {
  return _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(from + stride), reinterpret_cast<const __m128i*>(from));
}
HWY_INLINE Sums Broadcast(int32_t four) { return _mm256_set1_epi32(four); }
HWY_INLINE Sums Limit(uint16_t value) { return _mm256_set1_epi16(static_cast<int16_t>(value)); }
HWY_INLINE Sums Zeros() { return _mm256_setzero_si256(); }
HWY_INLINE Sums AddQuad(Sums sums, Sums four, Sums bytes) {
  return _mm256_add_epi16(sums, _mm256_mpsadbw_epu8(bytes, four, 0));
}
/// A bit for each of the sums that is at most the limit.
HWY_INLINE uint32_t AtMost(Sums sums, Sums limit) {
  const __m256i low = _mm256_cmpeq_epi16(_mm256_min_epu16(sums, limit), sums);
  return static_cast<uint32_t>(
      _mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1))));
}
HWY_INLINE void Store(Sums sums, uint16_t* to) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums); }
#else
using Sums = __m512i;
HWY_INLINE Sums LoadBytes(const uint8_t* from) { return _mm512_loadu_si512(from); }
HWY_INLINE Sums Broadcast(int32_t four) { return _mm512_set1_epi32(four); }
HWY_INLINE Sums Limit(uint16_t value) { return _mm512_set1_epi16(static_cast<int16_t>(value)); }
HWY_INLINE Sums Zeros() { return _mm512_setzero_si512(); }
HWY_INLINE Sums AddQuad(Sums sums, Sums four, Sums bytes) {
  return _mm512_add_epi16(sums, _mm512_dbsad_epu8(four, bytes, 0x94));
}
HWY_INLINE uint32_t AtMost(Sums sums, Sums limit) { return _mm512_cmple_epu16_mask(sums, limit); }
HWY_INLINE void Store(Sums sums, uint16_t* to) { _mm512_storeu_si512(to, sums); }
#endif
inline constexpr int kPlaces = static_cast<int>(sizeof(Sums));  ///< of a row of displacements at once
inline constexpr int kGroups = kPlaces / 16;                    ///< of 128 bits

/// The search of a square of kSide pixels, 4 or 8.
template <int kSide>
class Small {
 public:
  Small(const Block& block, const uint8_t* there, std::ptrdiff_t stride, MotionRange x, MotionRange y, Candidate& best)
      : there_(there), stride_(stride), x_(x), y_(y), best_(best) {
    for (int v = 0; v < kSide; ++v)
      for (int q = 0; q < kQuads; ++q) {
        int32_t four;
        std::memcpy(&four, block.pixels.data() + v * Block::stride + 4 * q, 4);
        block_[v][q] = Broadcast(four);
      }
    set_limit();
  }

  void Run() {
    const int rows = y_.last - y_.first + 1;
    for (int column = 0; column <= x_.last - x_.first; column += kPlaces) {
      const int columns = x_.last - x_.first + 1 - column;
      set_valid(columns);
      int row = 0;
#if HWY_TARGET == HWY_AVX2
      // A range of as many columns to either side leaves one over.
      if (columns <= 8)
        for (; row + kNarrowRows <= rows; row += kNarrowRows) NarrowRows(column, row);
#endif
      for (; row + 4 <= rows; row += 4) Rows<4>(column, row);
      for (; row < rows; ++row) Rows<1>(column, row);
    }
  }

 private:
  static constexpr int kQuads = kSide / 4;
  static constexpr int kNarrowRows = 8;
  /// How far apart lie what groups of 128 bits stand for.
  struct GroupStep {
    int dx, dy;
  };

  /// kRows rows of displacements: a row of the reference is loaded once for all of them.
  template <int kRows>
  HWY_INLINE void Rows(int column, int row) {
    Sums sums[kRows][2];
    for (int r = 0; r < kRows; ++r) sums[r][0] = sums[r][1] = Zeros();
    const uint8_t* from = there_ + row * stride_ + column;
    HWY_UNROLL(11)
    for (int v = 0; v < kSide + kRows - 1; ++v, from += stride_) {
      HWY_UNROLL(2)
      for (int q = 0; q < kQuads; ++q) {
        const Sums here = LoadBytes(from + 4 * q), after = LoadBytes(from + 4 * q + 8);
        HWY_UNROLL(4)
        for (int r = 0; r < kRows; ++r) {
          if (v - r < 0 || v - r >= kSide) continue;
          sums[r][0] = AddQuad(sums[r][0], block_[v - r][q], here);
          sums[r][1] = AddQuad(sums[r][1], block_[v - r][q], after);
        }
      }
    }
    for (int r = 0; r < kRows; ++r)
      for (int half = 0; half < 2; ++half)
        if (const uint32_t low = AtMost(sums[r][half], limit_) & valid_[half]; low != 0)
          Look(sums[r][half], low, x_.first + column + 8 * half, y_.first + row + r, {16, 0});
  }

#if HWY_TARGET == HWY_AVX2
  /// At most 8 columns of displacements: each vector has those of two rows.
  HWY_INLINE void NarrowRows(int column, int row) {
    constexpr int pairs = kNarrowRows / 2;
    Sums sums[pairs];
    for (Sums& one : sums) one = Zeros();
    const uint8_t* from = there_ + row * stride_ + column;
    HWY_UNROLL(14)
    for (int v = 0; v < kSide + kNarrowRows - 2; ++v, from += stride_) {
      HWY_UNROLL(2)
      for (int q = 0; q < kQuads; ++q) {
        const Sums here = LoadTwoRows(from + 4 * q, stride_);
        HWY_UNROLL(4)
        for (int r = 0; r < pairs; ++r)
          if (v - 2 * r >= 0 && v - 2 * r < kSide) sums[r] = AddQuad(sums[r], block_[v - 2 * r][q], here);
      }
    }
    const uint32_t valid = (valid_[0] & 0xFF) * 0x101;
    for (int r = 0; r < pairs; ++r)
      if (const uint32_t low = AtMost(sums[r], limit_) & valid; low != 0)
        Look(sums[r], low, x_.first + column, y_.first + row + 2 * r, {0, 1});
  }
#endif

  /// Those of the sums that may win, from displacement (dx, dy) on.
  HWY_NOINLINE void Look(Sums sums, uint32_t low, int dx, int dy, GroupStep step) {
    HWY_ALIGN uint16_t costs[sizeof(Sums) / 2];
    Store(sums, costs);
    for (; low != 0; low &= low - 1) {
      const int k = __builtin_ctz(low);
      const Candidate tried{dx + k / 8 * step.dx + k % 8, dy + k / 8 * step.dy, costs[k], costs[k]};
      if (is_better(tried, best_)) best_ = tried;
    }
    set_limit();
  }
  void set_limit() { limit_ = Limit(static_cast<uint16_t>(std::min<uint64_t>(best_.cost, 65535))); }
  /// Which sums stand for columns that there are.
  void set_valid(int columns) {
    valid_[0] = valid_[1] = 0;
    for (int i = 0; i < kGroups; ++i)
      for (int half = 0; half < 2; ++half) {
        const int count = std::clamp(columns - 16 * i - 8 * half, 0, 8);
        valid_[half] |= ((1u << count) - 1) << (8 * i);
      }
  }

  Sums block_[kSide][kQuads];
  Sums limit_;
  uint32_t valid_[2];
  const uint8_t* there_;
  std::ptrdiff_t stride_;
  MotionRange x_, y_;
  Candidate& best_;
};

#endif

bool BestOfSmall(const Block& block, const uint8_t* there, std::ptrdiff_t stride, MotionRange x, MotionRange y,
                 Candidate& best) {
#if VERGENCE_SMALL_SADS
  if (block.width == 8 && block.height == 8) return Small<8>(block, there, stride, x, y, best).Run(), true;
  if (block.width == 4 && block.height == 4) return Small<4>(block, there, stride, x, y, best).Run(), true;
#else
  (void)block, (void)there, (void)stride, (void)x, (void)y, (void)best;
#endif
  return false;
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(BestOfSmall);

BestOfGrid best_of_small(std::int64_t target) { return HWY_DISPATCH_TABLE(BestOfSmall)[dispatch_index(target)]; }

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
