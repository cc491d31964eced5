// SPDX-License-Identifier: Apache-2.0
// Memory and events of devices; pictures and maps in device memory: what they must be, and which of them kernels take
// as they lie.
#include "vergence/device_image.hpp"

#include <fmt/format.h>

#include <utility>

#include "backend/access.hpp"
#include "backend/event.hpp"
#include "backend/memory.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::invalid_argument, message); }

void check_bytes(const backend::Memory& memory, const char* what, std::size_t bytes, std::size_t offset) {
  if (offset > memory.bytes() || bytes > memory.bytes() - offset)
    refuse(fmt::format("{} {} bytes from byte {} on leaves the memory, which has {} bytes", what, bytes, offset,
                       memory.bytes()));
}

}  // namespace

std::size_t DeviceMemory::bytes() const { return impl_ == nullptr ? 0 : impl_->memory->bytes(); }
void* DeviceMemory::handle() const { return impl_ == nullptr ? nullptr : impl_->memory->handle(); }

void DeviceMemory::write(const void* from, std::size_t bytes, std::size_t offset) const {
  if (impl_ == nullptr) refuse("this is no memory: make it with Device::allocate or Device::wrap");
  check_bytes(*impl_->memory, "writing", bytes, offset);
  impl_->memory->write(from, bytes, offset);
}

void DeviceMemory::read(void* to, std::size_t bytes, std::size_t offset) const {
  if (impl_ == nullptr) refuse("this is no memory: make it with Device::allocate or Device::wrap");
  check_bytes(*impl_->memory, "reading", bytes, offset);
  impl_->memory->read(to, {offset, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1});
}

void* DeviceEvent::handle() const { return impl_ == nullptr ? nullptr : impl_->event->handle(); }
bool DeviceEvent::is_done() const { return impl_ == nullptr || impl_->event->is_done(); }
void DeviceEvent::wait() const {
  if (impl_ != nullptr) impl_->event->wait();
}
void DeviceEvent::make_wait(void* stream) const {
  if (impl_ != nullptr) impl_->event->make_wait(stream);
}

std::size_t bytes_of(PixelType type) {
  switch (type) {
    case PixelType::u8:
      return 1;
    case PixelType::u16:
    case PixelType::i16:
      return 2;
    case PixelType::u32:
    case PixelType::i32:
      return 4;
  }
  refuse(fmt::format("pixel type {} is unknown: allowed are u8, u16, u32, i16 and i32", static_cast<int>(type)));
}

DeviceImage::DeviceImage(const DeviceMemory& memory, PixelType type, Size size, std::size_t pitch, std::size_t offset)
    : memory_(memory), type_(type), size_(size), pitch_(pitch), offset_(offset) {
  if (memory.empty()) refuse("an image has no memory: make it with Device::allocate or Device::wrap");
  if (size.width < 1 || size.height < 1)
    refuse(fmt::format("an image in device memory is {}x{}: at least 1x1 is needed", size.width, size.height));
  const std::size_t pixel = bytes_of(type), row = pixel * static_cast<std::size_t>(size.width);
  if (pitch == 0) pitch_ = row;
  if (pitch_ < row || pitch_ % pixel != 0)
    refuse(
        fmt::format("an image in device memory has a pitch of {} bytes: {} pixels of {} bytes need at least {}, and "
                    "a multiple of {}",
                    pitch_, size.width, pixel, row, pixel));
  const backend::Memory::Place place = backend::of(memory)->place();
  if (offset % pixel != 0 || (place.start + offset) % pixel != 0)
    refuse(fmt::format("an image in device memory begins at byte {}: its pixels need a multiple of {}",
                       place.start + offset, pixel));
  const auto rows_before = static_cast<std::size_t>(size.height - 1);
  const std::size_t total = memory.bytes();
  if (offset > total || row > total - offset || (rows_before > 0 && (total - offset - row) / rows_before < pitch_))
    refuse(
        fmt::format("an image of {}x{} pixels of {} bytes with a pitch of {} at byte {} does not fit memory of {} "
                    "bytes",
                    size.width, size.height, pixel, pitch_, offset, total));
  if (size.height > 1 && pitch_ != row) return;
  if (auto part = backend::of(memory)->part(offset, row * static_cast<std::size_t>(size.height)); part != nullptr)
    direct_ = backend::handle(std::move(part));
}

std::size_t DeviceImage::row_bytes() const { return bytes_of(type_) * static_cast<std::size_t>(size_.width); }

void DeviceImage::check_stride(std::ptrdiff_t stride) const {
  if (stride < static_cast<std::ptrdiff_t>(row_bytes()))
    refuse(
        fmt::format("reading an image in device memory to rows {} bytes apart: its rows have {}", stride, row_bytes()));
}

void DeviceImage::read(void* to, std::ptrdiff_t stride) const {
  if (empty()) refuse("this is no image: it has no memory");
  check_stride(stride);
  backend::of(memory_)->read(to, {offset_, pitch_, stride, row_bytes(), static_cast<std::size_t>(size_.height)});
}

void DeviceImage::read_in_turn(const std::function<HostRows()>& place) const {
  if (empty()) refuse("this is no image: it has no memory");
  const auto memory = backend::of(memory_);
  const std::shared_ptr<void> turn = memory->read_turn();
  const HostRows rows = place();
  check_stride(rows.stride);
  memory->read(rows.data, {offset_, pitch_, rows.stride, row_bytes(), static_cast<std::size_t>(size_.height)});
}

}  // namespace vergence
