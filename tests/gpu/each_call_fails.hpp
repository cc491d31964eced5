// SPDX-License-Identifier: Apache-2.0
// One test for all classes of the API: each call that an object makes to a GPU fails once, in every way it can. One
// clear Error comes out, afterwards the object gives right bytes or says that it is dead, and nothing is left behind.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/failing_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "support/fault_count.hpp"
#include "vergence/device.hpp"

namespace vergence::test {

/// Tests on a device that counts its calls and fails on demand; skips, with the reasons, where there is no GPU.
class FailingDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    const std::vector<GpuDevice> devices = gpu_devices(reasons);
    if (devices.empty()) GTEST_SKIP() << reasons;
    workshop_ = std::make_shared<Workshop>(devices.front().device);
  }
  /// The first GPU, with these faults and changed properties.
  template <class Change>
  Device make_device(const SharedFaults& faults, const std::string& name, const Change& change) {
    auto one = std::make_shared<FailingDevice>(workshop_, faults);
    one->set_properties(change);
    return backend::handle(gpu::make_device(name, "opencl", std::move(one)));
  }

 private:
  std::shared_ptr<Workshop> workshop_;
};

/// A fixture says how its object is made, and which requests are compared with the reference, by numbers.
class EachCallFails : public FailingDeviceTest {
 protected:
  static constexpr unsigned time_limit_s = 240;  ///< For all failures of one test: what hangs ends the program.

  class Subject {
   public:
    virtual ~Subject() = default;
    /// Empty where the object gives the reference's bytes, else what differs.
    virtual std::string compare(int request) = 0;
  };
  virtual std::unique_ptr<Subject> make_subject(const Device& device) = 0;
  /// Whether the object may go on after this error and give right bytes, so that none comes out.
  virtual bool may_recover(ErrorCode /*code*/) const { return false; }

  void SetUp() override {
    FailingDeviceTest::SetUp();
    if (!IsSkipped()) alarm(time_limit_s);
  }
  void TearDown() override { alarm(0); }

  /// Lets each call fail once; `lost`: all calls after it too.
  void walk(const std::vector<int>& requests, ErrorCode code, bool lost) {
    const int calls = count_calls(requests);
    EXPECT_GT(calls, 30);
    reported_ = 0;
    for (int n = 1; n <= calls; ++n) {
      const auto faults = std::make_shared<Faults>();
      faults->fail_at = n;
      faults->code = code;
      faults->lost = lost;
      fail_once(requests, faults);
      ASSERT_FALSE(HasFailure()) << "call " << n << " of " << calls << ": " << faults->failed;
    }
    print_faults(lost ? "a GPU lost at a call" : "a call to a GPU", calls, reported_);
  }

 private:
  std::unique_ptr<Subject> make(const SharedFaults& faults) {
    return make_subject(make_device(faults, "failing:0", [](gpu::Properties&) {}));
  }

  int count_calls(const std::vector<int>& requests) {
    const auto faults = std::make_shared<Faults>();
    const std::unique_ptr<Subject> subject = make(faults);
    for (const int request : requests) EXPECT_EQ(subject->compare(request), "");
    return faults->calls;
  }

  void fail_once(const std::vector<int>& requests, const SharedFaults& faults) {
    std::unique_ptr<Subject> subject;
    std::optional<Error> first;
    int failed = requests.front();
    try {
      subject = make(faults);
      for (const int request : requests) {
        failed = request;
        EXPECT_EQ(subject->compare(request), "");
      }
    } catch (const Error& error) {
      first = error;
    }
    if (!first && may_recover(faults->code) && !faults->failed.empty()) {
      subject.reset();
      EXPECT_EQ(faults->living(), 0);
      return;
    }
    ASSERT_TRUE(first) << "nothing was thrown";
    ++reported_;
    EXPECT_EQ(first->code(), faults->code) << first->what();
    EXPECT_NE(std::string(first->what()).find(faults->failed), std::string::npos) << first->what();
    if (subject == nullptr) {
      EXPECT_EQ(faults->living(), 0) << "after a constructor that failed";
      if (!faults->lost) subject = make(faults);
      EXPECT_EQ(subject != nullptr ? subject->compare(requests.front()) : "", "");
    } else {
      go_on(*subject, failed, requests, *faults);
    }
    subject.reset();
    EXPECT_EQ(faults->buffers, 0);
    EXPECT_EQ(faults->programs, 0);
    EXPECT_EQ(faults->kernels, 0);
    EXPECT_EQ(faults->queues, 0);
  }

  /// After the first Error: right bytes, or Error(device) at every further request that needs what died.
  static void go_on(Subject& subject, int failed, const std::vector<int>& requests, const Faults& faults) {
    const bool dead = faults.lost || faults.queue_died;
    for (int again = 0; again < 2; ++again)
      for (const int request : requests) {
        std::string outcome;
        try {
          outcome = subject.compare(request);
        } catch (const Error& error) {
          EXPECT_TRUE(dead) << error.what();
          EXPECT_EQ(error.code(), faults.lost ? faults.code : ErrorCode::device) << error.what();
          EXPECT_TRUE(faults.lost || std::string(error.what()).find("not used any more") != std::string::npos)
              << error.what();
          continue;
        }
        EXPECT_EQ(outcome, "");
        EXPECT_FALSE(dead && request == failed) << "a request through what is dead";
      }
  }

  int reported_ = 0;  ///< Failures of a walk from which an Error came.
};

}  // namespace vergence::test
