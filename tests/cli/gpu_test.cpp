// SPDX-License-Identifier: Apache-2.0
// `stereo` on an OpenCL or CUDA device: what its report says of compiling and of the device's time, and the cache
// folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/device.hpp"

namespace vergence::cli_test {
namespace {

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    for (const DeviceInfo& info : Device::list()) {
      if (!info.gpu || !info.available) {
        if (!info.reason.empty()) reasons += info.name + ": " + info.reason + "\n";
      } else if (device.empty()) {
        device = info.name;
      }
    }
    if (device.empty()) GTEST_SKIP() << reasons;
    scratch.write("left.pgm", left_pgm(40, 24, 3));
    scratch.write("right.pgm", right_pgm(40, 24));
  }
  Result run(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"stereo", "left.pgm",       "right.pgm", "--window",      "3x3", "--left-right",
                                       "-1",     "--speckle-size", "0",         "--disparities", "8",   "--device",
                                       device};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Result result = scratch.run(arguments, with_cache());
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
  }
  RunOptions with_cache() const {
    RunOptions options;
    options.environment["VERGENCE_CACHE"] = scratch.path("cache");
    return options;
  }
  Json report(std::vector<std::string> more) const {
    more.emplace_back("--json");
    return Json::parse(run(more).out);
  }

  Scratch scratch;
  std::string device;
};

/// PoCL's own device, the one of a processor.
class PoclTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const DeviceInfo& info : Device::list())
      if (info.available && info.kind == "opencl" && info.gpu && info.gpu->device.starts_with("pthread"))
        device = info.name;
    if (device.empty()) GTEST_SKIP() << "no OpenCL device of PoCL";
    scratch.write("left.pgm", left_pgm(40, 24, 3));
    scratch.write("right.pgm", right_pgm(40, 24));
  }
  /// `path` is below the scratch folder.
  RunOptions with_caches(const std::string& path) const {
    RunOptions options;
    options.environment = {{"VERGENCE_CACHE", scratch.path(path)},
                           {"POCL_CACHE_DIR", scratch.path(path)},
                           {"VERGENCE_POCL_BINARIES", ""}};  // as for users; scripts/run-tests has "off"
    return options;
  }

  Scratch scratch;
  std::string device;
};

/// PoCL would end the process.
TEST_F(PoclTest, WithoutALinkerItsDevicesAreRefused) {
  RunOptions options = with_caches("");
  const auto list = [&] { return scratch.run({"devices"}, options); };
  ASSERT_NE(list().out.find("opencl"), std::string::npos);
  options.environment["PATH"] = "/nonexistent:" + scratch.path("");
  scratch.write("ld", "not a program");
  const Result result = scratch.run(
      {"stereo", "left.pgm", "right.pgm", "--disparities", "8", "--device", device, "-o", "d.pfm"}, options);
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_NE(result.err.find("needs the linker ld, and no folder of PATH has it: install binutils"), std::string::npos)
      << result.err;
  EXPECT_FALSE(scratch.has("d.pfm"));
  EXPECT_NE(list().out.find("needs the linker ld"), std::string::npos) << list().out;
}

/// scripts/run-tests has kernels compiled without optimisation, which users do not.
class OptimisedPocl : public PoclTest {
 protected:
  void expect_hash_of_cpu(const std::vector<std::string>& command) {
    scratch.write("frame_0.pgm", left_pgm(40, 24, 3));
    scratch.write("frame_1.pgm", right_pgm(40, 24));
    RunOptions options = with_caches("cache");
    options.environment["POCL_EXTRA_BUILD_FLAGS"] = "";
    const auto hash_on = [&](const std::string& name) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {"--json", "--device", name});
      const Result result = scratch.run(words, options);
      EXPECT_EQ(result.status, 0) << result.err;
      return result.status == 0 ? Json::parse(result.out)["hash"] : Json();
    };
    EXPECT_EQ(hash_on(device), hash_on("cpu"));
  }
};
TEST_F(OptimisedPocl, StereoHasTheSameHash) {
  expect_hash_of_cpu({"stereo", "left.pgm", "right.pgm", "--disparities", "8"});
}
TEST_F(OptimisedPocl, MotionHasTheSameHash) { expect_hash_of_cpu({"motion", "frame_%d.pgm"}); }
TEST_F(OptimisedPocl, TracksHaveTheSameHash) { expect_hash_of_cpu({"track", "frame_%d.pgm"}); }

/// Without a lock PoCL gives one process the empty program of another, and ends it.
TEST_F(PoclTest, ProcessesMayCompileTheSameAtOneTime) {
  const auto run = [&] {
    return scratch.run({"stereo", "left.pgm", "right.pgm", "--disparities", "8", "--device", device, "--json"},
                       with_caches("cache"));
  };
  std::vector<std::future<Result>> runs;
  for (int i = 0; i < 4; ++i) runs.push_back(std::async(std::launch::async, run));
  for (std::future<Result>& one : runs) {
    const Result result = one.get();
    EXPECT_EQ(result.status, 0) << result.err;
  }
}

/// Of a program whose binary is asked for, PoCL compiles each kernel for work-groups of any size, too ("0-0-0").
TEST_F(PoclTest, WithoutBinariesKernelsAreCompiledForTheirWorkGroupsAlone) {
  RunOptions options = with_caches("cache");
  options.environment["VERGENCE_POCL_BINARIES"] = "off";
  const auto hash = [&] {
    const Result result = scratch.run(
        {"stereo", "left.pgm", "right.pgm", "--preset", "fast", "--disparities", "8", "--device", device, "--json"},
        options);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.status == 0 ? Json::parse(result.out)["hash"] : Json();
  };
  const Json first = hash();
  int libraries = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(scratch.path("cache"))) {
    libraries += file.path().extension() == ".so";
    EXPECT_EQ(file.path().string().find("/0-0-0/"), std::string::npos) << file.path();
  }
  EXPECT_GT(libraries, 0);
  EXPECT_EQ(hash(), first) << "from the caches";
}

TEST_F(GpuTest, KernelsAreCompiledOnceAndTheirTimeStandsApart) {
  const Json first = report({"--no-kernel-cache"});
  EXPECT_FALSE(scratch.has("cache")) << "nothing may be kept";
  EXPECT_GT(first["device_ms"]["compile"], 0.0);
  EXPECT_GT(first["device_ms"]["compiled"], 0);
  EXPECT_EQ(first["device_ms"]["cached"], 0);
  EXPECT_GT(first["device_ms"]["kernel"], 0.0);
  EXPECT_GE(first["device_ms"]["upload"], 0.0);
  EXPECT_GE(first["device_ms"]["download"], 0.0);

  const Json kept = report({"--repeat", "3"});
  EXPECT_EQ(kept["device_ms"]["compiled"], first["device_ms"]["compiled"]);
  ASSERT_TRUE(scratch.has("cache"));
  const std::vector<std::string> files = scratch.listing();

  const Json again = report({});
  EXPECT_EQ(again["device_ms"]["compile"], 0.0);
  EXPECT_EQ(again["device_ms"]["compiled"], 0);
  EXPECT_EQ(again["device_ms"]["cached"], first["device_ms"]["compiled"]);
  EXPECT_EQ(again["hash"], first["hash"]);
  EXPECT_EQ(report({"--no-kernel-cache"})["device_ms"]["cached"], 0) << "nothing may be read";
  EXPECT_EQ(scratch.listing(), files);

  const std::string text = run({"--repeat", "2"}).out;
  EXPECT_NE(text.find("\non device  upload "), std::string::npos) << text;
  EXPECT_NE(text.find("0 programs compiled in 0.000 ms"), std::string::npos) << text;
}

TEST_F(GpuTest, TuneKeepsAWinnerThatLaterRunsUse) {
  // What was compiled before is taken along: compiling is not what this is about.
  if (const char* const cache = std::getenv("VERGENCE_CACHE"); cache != nullptr && std::filesystem::exists(cache))
    std::filesystem::copy(cache, scratch.path("cache"), std::filesystem::copy_options::create_hard_links);
  const RunOptions options = with_cache();
  // The entry whose candidates compile fastest.
  const std::vector<std::string> arguments{"tune",   "--device", device,     "--entry", "track-prepare",
                                           "--size", "96x64",    "--repeat", "1"};
  std::vector<std::string> as_json = arguments;
  as_json.emplace_back("--json");
  const Result result = scratch.run(as_json, options);
  ASSERT_EQ(result.status, 0) << result.err << result.out;
  const Json report = Json::parse(result.out);
  ASSERT_EQ(report["entries"].size(), 1u);
  const Json entry = report["entries"][0];
  EXPECT_EQ(entry["entry"], "track-prepare");
  EXPECT_EQ(entry["folder"], scratch.path("cache"));
  EXPECT_GT(entry["candidates"].size(), 1u);
  EXPECT_LT(entry["winner"], entry["candidates"].size());
  for (const Json& candidate : entry["candidates"].elements()) {
    EXPECT_EQ(candidate["wrong"], "");
    EXPECT_GT(candidate["ms"], 0.0);
  }
  const std::string text = scratch.run(arguments, options).out;
  EXPECT_NE(text.find("\n* "), std::string::npos) << text;
  EXPECT_NE(text.find("(default)"), std::string::npos) << text;
  EXPECT_EQ(scratch.run({"tune", "--device", device, "--entry", "speckle"}, options).status, 2);
}

TEST_F(GpuTest, TheListTellsWhatADeviceOffers) {
  const std::string text = scratch.run({"devices"}).out;
  for (const char* const part :
       {"driver ", " compute units", "; memory ", " in one piece)", "local ", "work-groups up to "})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

/// A driver that is no library, and a loader that knows no driver.
TEST(AbsentGpu, TheListSaysWhatWasSoughtAndWhatCameBack) {
  const Scratch scratch;
  scratch.write("libcuda.so.1", "no library");
  std::filesystem::create_directory(scratch.path("vendors"));
  RunOptions options;
  options.environment = {{"LD_LIBRARY_PATH", scratch.path("")}, {"OCL_ICD_VENDORS", scratch.path("vendors")}};
  const Result list = scratch.run({"devices"}, options);
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_NE(list.out.find("(libcuda.so.1 (NVIDIA's driver) cannot be opened: "), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("file too short"), std::string::npos) << list.out;
  EXPECT_EQ(list.out.find("opencl:0"), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("OpenCL loader"), std::string::npos) << list.out;
  for (const char* const name : {"cuda", "cuda:0", "opencl"}) {
    const Result refused = scratch.run({"verify", "--cases", "1", "--device", name}, options);
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(lines(refused.err), 1u) << refused.err;
    const bool cuda = name[0] == 'c';
    EXPECT_NE(refused.err.find(cuda ? "libcuda.so.1" : "OpenCL loader"), std::string::npos) << refused.err;
  }
}

TEST(AbsentGpu, APlaceThatHidesAllDriversIsNamed) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path("vendors"));
  scratch.write("file.txt", "no driver");
  for (const auto& [place, why] :
       std::vector<std::pair<std::string, std::string>>{{"vendors", "a folder without any .icd file"},
                                                        {"file.txt", "no folder and no .icd file"},
                                                        {"nowhere", "which is not there"}}) {
    RunOptions options;
    options.environment = {{"OCL_ICD_VENDORS", scratch.path(place)}};
    const std::string words = "OCL_ICD_VENDORS is '" + scratch.path(place) + "', " + why + ": unset it";
    const Result list = scratch.run({"devices"}, options);
    if (list.out.find("(the OpenCL loader) cannot be opened") != std::string::npos) GTEST_SKIP() << "no OpenCL loader";
    EXPECT_NE(list.out.find(words), std::string::npos) << list.out;
    const Result refused = scratch.run({"verify", "--cases", "1", "--device", "opencl"}, options);
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(lines(refused.err), 1u) << refused.err;
    EXPECT_NE(refused.err.find(words), std::string::npos) << refused.err;
  }
}

TEST(AbsentGpu, ACacheFolderThatCannotBeMadeIsNamed) {
  const Scratch scratch;
  RunOptions options;
  options.environment = {{"POCL_CACHE_DIR", "/proc/nowhere"}};
  const Result result = scratch.run({"verify", "--cases", "1", "--device", "opencl"}, options);
  if (result.status == 0 || result.err.find("(the OpenCL loader) cannot be opened") != std::string::npos)
    GTEST_SKIP() << "no OpenCL loader, or a device that needs no such folder";
  EXPECT_NE(result.err.find("/proc/nowhere"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("POCL_CACHE_DIR"), std::string::npos) << result.err;
}

/// A child is asked, since PoCL ends the process that asks it.
TEST(AbsentGpu, AnEmptyCacheFolderOfPoclIsNamed) {
  const Scratch scratch;
  RunOptions options;
  options.environment = {{"POCL_CACHE_DIR", ""}};
  const Result list = scratch.run({"devices"}, options);
  EXPECT_EQ(list.status, 0) << list.err;
  const Result result = scratch.run({"verify", "--cases", "1", "--device", "opencl"}, options);
  if (result.status == 0 || result.err.find("(the OpenCL loader) cannot be opened") != std::string::npos)
    GTEST_SKIP() << "no OpenCL loader, or a device that is not PoCL's";
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("POCL_CACHE_DIR is empty"), std::string::npos) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
}

TEST(AbsentGpu, ASmallAddressSpaceIsNamed) {
  const Scratch scratch;
  RunOptions options;
  options.memory_limit = 700'000'000;  // with which PoCL's compiler crashes
  const Result result = scratch.run({"verify", "--cases", "1", "--device", "opencl"}, options);
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("limited to 700 MB (ulimit -v)"), std::string::npos) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
}

TEST_F(GpuTest, WordsThatTurnTheCacheOffAreNoFolders) {
  for (const std::string word : {"off", "OFF", "0", "no", "none", "false"}) {
    RunOptions options;
    options.environment["VERGENCE_CACHE"] = word;
    const Result result = scratch.run({"tune", "--device", device}, options);
    EXPECT_EQ(result.status, 1) << word;
    EXPECT_NE(result.err.find("there is no cache folder"), std::string::npos) << word << ": " << result.err;
    EXPECT_FALSE(scratch.has(word)) << word;
  }
}

TEST_F(GpuTest, OptionsOfTheProcessorAreRefused) {
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--threads", "2"}, std::vector<std::string>{"--simd", "AVX2"}}) {
    const Result result = scratch.run({"verify", "--cases", "1", "--device", device, option[0], option[1]});
    EXPECT_NE(result.status, 0);
    EXPECT_NE(result.err.find(option[0].substr(2) + " is"), std::string::npos) << result.err;
    EXPECT_EQ(lines(result.err), 1u);
  }
}

}  // namespace
}  // namespace vergence::cli_test
