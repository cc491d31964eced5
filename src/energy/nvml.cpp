// SPDX-License-Identifier: Apache-2.0
// Opens NVML, lists its boards and reads their counters. The declarations follow the binary interface of
// libnvidia-ml.so.1 on 64-bit Linux (NVIDIA, NVML API Reference Guide).
#include "energy/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "vergence/error.hpp"

namespace vergence::energy {
namespace {

using Result = int;
using Board = struct OpaqueBoard*;
constexpr Result success = 0;

/// nvmlPciInfo_t.
struct PciInfo {
  std::array<char, 16> old_bus_id;
  unsigned domain, bus, device, device_id, subsystem_id;
  std::array<char, 32> bus_id;
};
static_assert(sizeof(PciInfo) == 68, "as the library lays it out");

// Name here, symbol, parameters.
#define VERGENCE_NVML_CALLS(X)                                               \
  X(Init, nvmlInit_v2, ())                                                   \
  X(Shutdown, nvmlShutdown, ())                                              \
  X(GetCount, nvmlDeviceGetCount_v2, (unsigned* count))                      \
  X(GetBoard, nvmlDeviceGetHandleByIndex_v2, (unsigned index, Board* board)) \
  X(GetName, nvmlDeviceGetName, (Board board, char* name, unsigned size))    \
  X(GetUuid, nvmlDeviceGetUUID, (Board board, char* uuid, unsigned size))    \
  X(GetPci, nvmlDeviceGetPciInfo_v3, (Board board, PciInfo * info))          \
  X(GetEnergy, nvmlDeviceGetTotalEnergyConsumption, (Board board, unsigned long long* millijoules))

/// NVML, started for as long as this lives. The library itself stays open for the process's life.
class Nvml {
 public:
  /// Throws Error(device), saying what is missing.
  explicit Nvml(const std::string& library) {
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      const char* const why = dlerror();
      throw Error(ErrorCode::device, fmt::format("{} (NVIDIA's driver) cannot be opened: {}", library,
                                                 why == nullptr ? "no reason given" : why));
    }
#define VERGENCE_NVML_LOAD(name, symbol, parameters)                                        \
  this->name = reinterpret_cast<decltype(this->name)>(dlsym(handle, #symbol)); /* NOLINT */ \
  if (this->name == nullptr)                                                                \
    throw Error(ErrorCode::device, fmt::format("{} has no " #symbol ": a newer driver is needed", library));
    VERGENCE_NVML_CALLS(VERGENCE_NVML_LOAD)
#undef VERGENCE_NVML_LOAD
    text_ = reinterpret_cast<decltype(text_)>(dlsym(handle, "nvmlErrorString"));  // NOLINT: as dlsym wants
    check(Init(), "NVML cannot start");
  }
  ~Nvml() {
    if (Shutdown != nullptr) Shutdown();
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

#define VERGENCE_NVML_MEMBER(name, symbol, parameters) Result(*name) parameters = nullptr;  // NOLINT: declares
  VERGENCE_NVML_CALLS(VERGENCE_NVML_MEMBER)
#undef VERGENCE_NVML_MEMBER

  void check(Result code, const std::string& what) const {
    if (code == success) return;
    const char* const text = text_ == nullptr ? nullptr : text_(code);
    throw Error(ErrorCode::device, fmt::format("{}: {} (NVML error {})", what, text == nullptr ? "?" : text, code));
  }

 private:
  const char* (*text_)(Result code) = nullptr;
};

std::uint64_t energy_of(const Nvml& nvml, Board board) {
  unsigned long long millijoules = 0;
  nvml.check(nvml.GetEnergy(board, &millijoules), "the board's energy counter cannot be read");
  return millijoules;
}

class NvmlCounter final : public Counter {
 public:
  NvmlCounter(EnergyCounter about, std::shared_ptr<const Nvml> nvml, Board board)
      : Counter(std::move(about), 1e-3, 0), nvml_(std::move(nvml)), board_(board) {}
  std::uint64_t read() override { return energy_of(*nvml_, board_); }

 private:
  std::shared_ptr<const Nvml> nvml_;
  Board board_;
};

/// Seconds between updates of a board's counter, as measured on the boards that were looked at (H200).
constexpr double update_interval = 0.1;

/// What NVML says of a board before its counter is tried.
EnergyCounter describe(const Nvml& nvml, Board board) {
  std::array<char, 96> text{};
  PciInfo pci{};
  EnergyCounter about{"", "NVML", "", "", "", update_interval, false};
  nvml.check(nvml.GetName(board, text.data(), text.size()), "a board does not say its name");
  about.name = text.data();
  nvml.check(nvml.GetPci(board, &pci), fmt::format("{} does not say where it is", about.name));
  about.place = pci_address(fmt::format("{:04x}:{:02x}:{:02x}.0", pci.domain, pci.bus, pci.device));
  if (nvml.GetUuid(board, text.data(), text.size()) == success) about.id = text.data();
  return about;
}

void add_board(const std::shared_ptr<const Nvml>& nvml, unsigned index, const std::vector<std::string>& used,
               Sources& found, std::vector<std::string>& seen) {
  std::string name = fmt::format("NVML board {}", index);
  try {
    Board board = nullptr;
    nvml->check(nvml->GetBoard(index, &board), "NVML does not give it");
    EnergyCounter about = describe(*nvml, board);
    name = fmt::format("NVML {} {}", about.name, about.place);
    about.used = std::find(used.begin(), used.end(), about.place) != used.end();
    seen.push_back(about.place);
    energy_of(*nvml, board);  // tells whether it has one
    found.counters.push_back(std::make_unique<NvmlCounter>(std::move(about), nvml, board));
  } catch (const Error& error) {
    found.missing.push_back({name, error.what()});
  }
}

}  // namespace

std::string pci_address(const std::string& text) {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  int end = 0;
  const int read = std::sscanf(text.c_str(), "%8x:%2x:%2x.%1x%n", &domain, &bus, &device, &function, &end);  // NOLINT
  if (read != 4 || static_cast<std::size_t>(end) != text.size()) return {};
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, device, function);
}

Sources find_nvml(const std::string& library, const std::vector<std::string>& boards) {
  Sources found;
  std::vector<std::string> used, seen;
  for (const std::string& board : boards)
    if (!board.empty()) used.push_back(pci_address(board));
  try {
    const auto nvml = std::make_shared<const Nvml>(library);
    unsigned count = 0;
    nvml->check(nvml->GetCount(&count), "NVML cannot count its boards");
    if (count == 0) found.missing.push_back({"NVML", "NVIDIA's driver knows no board"});
    for (unsigned i = 0; i < count; ++i) add_board(nvml, i, used, found, seen);
    for (const std::string& board : used)
      if (std::find(seen.begin(), seen.end(), board) == seen.end())
        found.missing.push_back({"board " + board, "did the work, and NVML does not know it"});
  } catch (const Error& error) {
    found.missing.push_back({"NVML", error.what()});
  }
  return found;
}

}  // namespace vergence::energy
