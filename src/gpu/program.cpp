// SPDX-License-Identifier: Apache-2.0
// Puts kernel texts together and keeps what was compiled of them.
#include "gpu/program.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <set>

#include "gpu/disk_cache.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu {
namespace {

std::string_view text_of(std::string_view name, std::span<const EmbeddedFile> more) {
  for (const EmbeddedFile& file : more)
    if (file.name == name) return file.text;
  for (const EmbeddedFile& file : embedded_files())
    if (file.name == name) return file.text;
  throw Error(ErrorCode::device, fmt::format("no kernel file is named '{}'", name));
}

/// Copies a file with all it includes. Only lines of the form `#include "NAME"` are looked at, as embedded files have
/// them; compilers see #line marks in their place.
void append(std::string_view name, std::span<const EmbeddedFile> more, std::set<std::string_view>& done,
            std::string& out) {
  if (!done.insert(name).second) return;
  constexpr std::string_view word = "#include \"";
  const std::string_view text = text_of(name, more);
  out += fmt::format("#line 1 \"{}\"\n", name);
  int line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view one = text.substr(at, end - at);
    ++line;
    if (one.substr(0, word.size()) == word) {
      append(one.substr(word.size(), one.rfind('"') - word.size()), more, done, out);
      out += fmt::format("#line {} \"{}\"\n", line + 1, name);
    } else {
      out.append(one).append("\n");
    }
    at = end + 1;
  }
}

/// "FILE:LINE" of a line of an assembled text, counted from 1, by the mark before it.
std::string place_of(std::string_view text, int wanted) {
  std::string file = "<kernel>";
  int line = 0, number = 0;
  for (std::size_t at = 0; at < text.size() && line < wanted; ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view one = text.substr(at, end - at);
    constexpr std::string_view mark = "#line ";
    if (one.substr(0, mark.size()) == mark) {
      number = std::atoi(std::string(one.substr(mark.size())).c_str()) - 1;
      const std::size_t quote = one.find('"');
      file = one.substr(quote + 1, one.rfind('"') - quote - 1);
    } else {
      ++number;
    }
    at = end + 1;
  }
  return fmt::format("{}:{}", file, number);
}

constexpr std::string_view registers_line = "#define VERGENCE_REGISTERS ";

}  // namespace

int registers_of(std::string_view text) {
  return text.substr(0, registers_line.size()) == registers_line
             ? std::atoi(std::string(text.substr(registers_line.size(), 4)).c_str())
             : 0;
}

Defines& Defines::set(std::string_view name, long long value) {
  return set(name, value < 0 ? fmt::format("({})", value) : fmt::format("{}", value));
}

Defines& Defines::set(std::string_view name, std::string_view value) {
  lines_ += fmt::format("#define {} {}\n", name, value);
  return *this;
}

std::string assemble(Dialect dialect, const Properties& properties, std::string_view file, const Defines& defines,
                     std::span<const EmbeddedFile> more) {
  std::set<std::string_view> done;
  std::string out;
  if (defines.registers() > 0) out += fmt::format("{}{}\n", registers_line, defines.registers());
  if (properties.is_nvidia) out += "#define VERGENCE_NVIDIA 1\n";
  append(dialect == Dialect::opencl ? "prelude_opencl.h" : "prelude_cuda.h", more, done, out);
  out += "#line 1 \"defines\"\n" + defines.lines();
  append(file, more, done, out);
  return out;
}

std::string with_places(std::string_view text, std::string message) {
  constexpr std::string_view nowhere = "<kernel>:";
  for (std::size_t at = 0; (at = message.find(nowhere, at)) != std::string::npos;) {
    const std::size_t digits = at + nowhere.size();
    const std::size_t end = std::min(message.find_first_not_of("0123456789", digits), message.size());
    const std::string place = place_of(text, std::atoi(message.substr(digits, end - digits).c_str()));
    message.replace(at, end - at, place);
    at += place.size();
  }
  return message;
}

std::unique_ptr<Program> Programs::build(const std::string& text) {
  KernelCodes& codes = device_->codes();
  if (const std::shared_ptr<const KernelCodes::Code> known = codes.find(text)) return device_->load(*known);
  const DiskCache cache = DiskCache::of(*device_);
  const std::string key = cache.key(device_->properties(), text);
  if (const std::vector<std::byte> code = cache.read(key); !code.empty()) {
    try {
      std::unique_ptr<Program> program = device_->load(code);
      ++times_.cached;
      codes.keep(text, code);
      return program;
    } catch (const Error&) {
      // The driver knows better: the code is made anew below.
    }
  }
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::byte> code = device_->compile(text);
  times_.compile_ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  ++times_.compiled;
  cache.write(key, code);
  codes.keep(text, code);
  return device_->load(code);
}

const Kernel& Programs::kernel(std::string_view file, const Defines& defines, const std::string& name) {
  const std::string text = assemble(device_->dialect(), device_->properties(), file, defines);
  Loaded& loaded = loaded_[text];
  if (loaded.program == nullptr) loaded.program = build(text);
  std::unique_ptr<Kernel>& kernel = loaded.kernels[name];
  if (kernel == nullptr) kernel = loaded.program->kernel(name);
  return *kernel;
}

}  // namespace vergence::gpu
