// SPDX-License-Identifier: Apache-2.0
// NVRTC is found in each place where it may lie, in the documented order, and its absence says what was searched.
#include "gpu/cuda/nvrtc_places.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gpu/cuda/driver.hpp"
#include "gpu/cuda/nvrtc.hpp"

namespace vergence::gpu::cuda {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A machine of folders below a temporary one.
class NvrtcPlaces : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(VERGENCE_FAKE_NVRTC)) GTEST_SKIP() << VERGENCE_FAKE_NVRTC " of the build folder is not here";
    std::string name = (fs::temp_directory_path() / "vergence-nvrtc-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root = name;
    surroundings = {.chosen = "",
                    .virtual_env = name + "/venv",
                    .home = name + "/home",
                    .path = name + "/nothing:" + name + "/conda/bin/:" + name + "/usr/bin",
                    .program = name + "/tree/build/release/bin/vergence",
                    .root = name,
                    .driver_major = 12};
    fs::create_directories(root / "conda/bin");
    std::ofstream(root / "conda/bin/python3") << "";
  }
  void TearDown() override {
    if (!root.empty()) fs::remove_all(root);
  }

  /// Puts a library there that can be opened.
  std::string put(const std::string& folder, const std::string& name = "libnvrtc.so.12") {
    fs::create_directories(root / folder);
    const fs::path file = root / folder / name;
    fs::copy_file(VERGENCE_FAKE_NVRTC, file, fs::copy_options::overwrite_existing);
    return file.string();
  }
  /// What is opened, were there nothing where the loader looks.
  std::string found() const {
    std::vector<std::string> paths;
    for (const std::string& one : nvrtc_libraries(surroundings))
      if (one.find('/') != std::string::npos) paths.push_back(one);
    const Library library = open_first(paths);
    if (library.handle != nullptr) dlclose(library.handle);
    return library.name;
  }

  fs::path root;
  NvrtcSurroundings surroundings;
};

TEST_F(NvrtcPlaces, AreTriedInTheirOrder) {
  const std::vector<std::string> places{put("usr/local/cuda/lib64"),
                                        put("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib"),
                                        put("conda/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib"),
                                        put("home/.local/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib"),
                                        put("usr/local/lib/python3.11/dist-packages/nvidia/cuda_nvrtc/lib"),
                                        put("usr/lib/python3/dist-packages/nvidia/cuda_nvrtc/lib"),
                                        put("tree/build/nvrtc/packages/nvidia/cuda_nvrtc/lib")};
  for (const std::string& place : places) {
    EXPECT_EQ(found(), place);
    fs::remove(place);
  }
  EXPECT_EQ(found(), "");
}

TEST_F(NvrtcPlaces, ANewerPythonComesFirst) {
  const std::string old = put("venv/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib");
  const std::string newer = put("venv/lib/python3.13/site-packages/nvidia/cuda_nvrtc/lib");
  put("venv/lib/python2.7/site-packages/nvidia/cuda_nvrtc/lib");
  EXPECT_EQ(found(), newer);
  fs::remove(newer);
  EXPECT_EQ(found(), old);
  fs::remove(old);
  EXPECT_EQ(found(), "");
}

TEST_F(NvrtcPlaces, TheDriversVersionComesBeforeThePlace) {
  const std::string newest = put("usr/local/cuda/lib64", "libnvrtc.so.13");
  const std::string packages = "venv/lib/python3.11/site-packages/nvidia/";
  const std::string fits = put(packages + "cuda_nvrtc/lib");
  EXPECT_EQ(found(), fits) << "a driver of CUDA 12 may refuse what NVRTC 13 makes";
  surroundings.driver_major = 13;
  EXPECT_EQ(found(), newest);
  fs::remove(newest);
  const std::string newest_package = put(packages + "cu13/lib", "libnvrtc.so.13");
  EXPECT_EQ(found(), newest_package);
}

TEST_F(NvrtcPlaces, OneThatCannotBeOpenedIsPassedOver) {
  const std::string broken = put("usr/local/cuda/lib64");
  const std::string whole = put("tree/build/nvrtc/packages/nvidia/cuda_nvrtc/lib");
  std::ofstream(broken, std::ios::trunc) << "no library";
  EXPECT_EQ(found(), whole);
}

TEST_F(NvrtcPlaces, TheChosenOneStandsAlone) {
  put("usr/local/cuda/lib64");
  surroundings.chosen = "/opt/libnvrtc.so.12";
  EXPECT_THAT(nvrtc_libraries(surroundings), testing::ElementsAre("/opt/libnvrtc.so.12"));
  EXPECT_THAT(nvrtc_missing(surroundings, "no such file"),
              testing::AllOf(HasSubstr("VERGENCE_NVRTC is /opt/libnvrtc.so.12"), HasSubstr("no such file")));
}

TEST_F(NvrtcPlaces, AbsenceSaysWhereAndWhatToDo) {
  const fs::path packages = root / "venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib";
  fs::create_directories(packages);
  const std::string text = nvrtc_missing(surroundings, "no such file");
  for (const std::string& part :
       {root.string() + "/usr/local/cuda/lib64", packages.string(), std::string("no such file"),
        std::string("pip install nvidia-cuda-nvrtc-cu12"), std::string("VERGENCE_NVRTC")})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, testing::Not(HasSubstr("\n")));
}

/// In a process of its own, because NVRTC is opened once.
TEST(NvrtcPlacesDeathTest, TheVariableIsObeyed) {
  if (!fs::exists(VERGENCE_FAKE_NVRTC)) GTEST_SKIP() << VERGENCE_FAKE_NVRTC " of the build folder is not here";
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto say = [](const char* chosen) {
    setenv("VERGENCE_NVRTC", chosen, 1);
    std::string reason;
    const bool available = nvrtc_available(&reason);
    std::fputs(reason.c_str(), stderr);
    std::_Exit(available ? 1 : 0);
  };
  EXPECT_EXIT(say("/nowhere/libnvrtc.so.12"), testing::ExitedWithCode(0), "VERGENCE_NVRTC is /nowhere/libnvrtc.so.12");
  EXPECT_EXIT(say(VERGENCE_FAKE_NVRTC), testing::ExitedWithCode(0), "libnvrtc.so has no nvrtcGetNumSupportedArchs");
}

}  // namespace
}  // namespace vergence::gpu::cuda
