// SPDX-License-Identifier: Apache-2.0
// The lock that keeps processes from compiling the same program for PoCL at one time.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <string>

#include "gpu/opencl/pocl.hpp"

namespace vergence::gpu::opencl {
namespace {

class PoclLock : public testing::Test {
 protected:
  PoclLock() {
    if (const char* const value = std::getenv("POCL_CACHE_DIR")) before_ = value;
    setenv("POCL_CACHE_DIR", folder_.c_str(), 1);
  }
  ~PoclLock() override {
    setenv("POCL_CACHE_DIR", before_.c_str(), 1);
    if (before_.empty()) unsetenv("POCL_CACHE_DIR");
    std::filesystem::remove_all(folder_);
  }

  std::string folder_ = testing::TempDir() + "vergence-pocl-lock-" + std::to_string(getpid());
  std::string before_;
};

TEST_F(PoclLock, AnotherOfTheSameTextWaits) {
  std::shared_ptr<void> first = pocl_lock("text");
  ASSERT_NE(first, nullptr);
  std::future<std::shared_ptr<void>> second = std::async(std::launch::async, [] { return pocl_lock("text"); });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  first.reset();
  EXPECT_NE(second.get(), nullptr);
}

TEST_F(PoclLock, WhereNoFolderCanBeMadeThereIsNone) {
  setenv("POCL_CACHE_DIR", "/dev/null/folder", 1);
  EXPECT_EQ(pocl_lock("text"), nullptr);
}

}  // namespace
}  // namespace vergence::gpu::opencl
