// SPDX-License-Identifier: Apache-2.0
// Work beside that of the caller, and frames that are read ahead, seen from inside.
#include "cli/beside.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cli/read_ahead.hpp"

namespace vergence::cli {
namespace {

TEST(Beside, PiecesRunAtTheSameTimeAndTakeTheirTurns) {
  std::vector<int> order;
  std::promise<void> second_began;
  Beside beside(2);
  beside.start([&](const Turn& turn) {
    second_began.get_future().wait();
    turn();
    order.push_back(1);
  });
  beside.start([&](const Turn& turn) {
    second_began.set_value();
    turn();
    order.push_back(2);
  });
  beside.wait();
  EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(Beside, NoMoreThanAskedForRunAtATime) {
  std::atomic<int> running{0}, most{0};
  Beside beside(20);
  beside.allow(2);
  for (int i = 0; i < 20; ++i)
    beside.start([&](const Turn&) {
      const int now = ++running;
      if (now > most) most = now;
      std::this_thread::yield();
      --running;
    });
  beside.wait();
  EXPECT_LE(most, 2);
}

TEST(Beside, WhatAPieceThrowsEndsThoseBehindItAtTheirTurn) {
  bool second_had_its_turn = false;
  std::promise<void> second_began;
  Beside beside(2);
  beside.start([&](const Turn&) {
    second_began.get_future().wait();
    throw std::runtime_error("first");
  });
  beside.start([&](const Turn& turn) {
    second_began.set_value();
    turn();
    second_had_its_turn = true;
  });
  std::string told;
  try {
    beside.wait();
  } catch (const std::runtime_error& error) {
    told = error.what();
  }
  EXPECT_EQ(told, "first");
  beside.wait_whatever_comes();
  EXPECT_FALSE(second_had_its_turn);
}

TEST(Beside, TheErrorOfTheEarlierPieceIsTold) {
  std::promise<void> second_failed;
  Beside beside(3);
  beside.start([&](const Turn&) {
    second_failed.get_future().wait();
    throw std::runtime_error("first");
  });
  beside.start([&](const Turn&) {
    second_failed.set_value();
    throw std::runtime_error("second");
  });
  EXPECT_THROW(
      try { beside.wait(); } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "first");
        throw;
      },
      std::runtime_error);
}

/// 0, 1, 2, ... up to `end`.
std::function<std::optional<int>()> count_to(int end, std::atomic<int>& read) {
  return [end, &read]() -> std::optional<int> { return read < end ? std::optional(read++) : std::nullopt; };
}

TEST(ReadAhead, GivesFramesInTheirOrder) {
  for (const std::size_t most : {0U, 1U, 3U}) {
    std::atomic<int> read{0};
    ReadAhead<int> frames(count_to(50, read), most);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(frames.next(), i) << most;
    EXPECT_EQ(frames.next(), std::nullopt) << most;
  }
}

TEST(ReadAhead, ReadsSomeFramesAndNoMoreUntilOneIsTaken) {
  std::atomic<int> read{0};
  ReadAhead<int> frames(count_to(50, read), 3);
  const auto read_within = [&](int wanted, std::chrono::milliseconds most) {
    const auto end = std::chrono::steady_clock::now() + most;
    while (read < wanted && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return read >= wanted;
  };
  EXPECT_TRUE(read_within(3, std::chrono::seconds(20)));
  EXPECT_FALSE(read_within(4, std::chrono::milliseconds(30)));
  EXPECT_EQ(frames.next(), 0);
  EXPECT_TRUE(read_within(4, std::chrono::seconds(20)));
}

TEST(ReadAhead, AnErrorComesBehindTheFramesBeforeIt) {
  int read = 0;
  ReadAhead<int> frames(
      [&]() -> std::optional<int> {
        if (read == 2) throw std::runtime_error("damaged");
        return read++;
      },
      3);
  EXPECT_EQ(frames.next(), 0);
  EXPECT_EQ(frames.next(), 1);
  EXPECT_THROW(frames.next(), std::runtime_error);
}

TEST(ReadAhead, EndsWhereNobodyTakesItsFrames) {
  std::atomic<int> read{0};
  { const ReadAhead<int> frames(count_to(50, read), 2); }
  EXPECT_LE(read, 2);
}

TEST(ReadAhead, OfLargeFramesFewerWait) {
  EXPECT_EQ(frames_ahead({1280, 720}), 3U);
  EXPECT_EQ(frames_ahead({7680, 4320}), 2U);
  EXPECT_EQ(frames_ahead({16384, 8192}), 1U);
}

}  // namespace
}  // namespace vergence::cli
