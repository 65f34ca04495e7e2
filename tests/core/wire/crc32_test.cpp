// The checksum by half bytes against published values and one bit by bit.
#include "wire/crc32.h"

#include <gtest/gtest.h>

#include <string>

#include "core/wire/aws_message.h"

namespace shunt::wire {
namespace {

TEST(Crc32, IsTheOneOfZlib) {
  EXPECT_EQ(crc32(""), 0u);
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);  // the check value of CRC-32/ISO-HDLC
}

TEST(Crc32, AgreesWithBitByBit) {
  std::string bytes;
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(crc32(bytes), test::slow_crc32(bytes));
    bytes += static_cast<char>(i * 37 + i / 7);
  }
}

}  // namespace
}  // namespace shunt::wire
