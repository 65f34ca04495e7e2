// SHA-256 by the vectors of NIST (FIPS 180-4 examples, CAVP short messages).
#include "base/sha256.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace shunt {
namespace {

TEST(Sha256, NistVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      sha256_hex(
          "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
          "mnopqrstnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(sha256_hex("\xd3"), "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
  EXPECT_EQ(sha256_hex("\xc9\x8c\x8e\x55"),
            "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504");
}

TEST(Sha256, PiecesAreAsTheWhole) {
  std::string text;
  for (int i = 0; i < 200; ++i) text.push_back(static_cast<char>(i));
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string_view message = std::string_view(text).substr(0, size);
    Sha256 hash;
    for (std::size_t at = 0; at < size; at += 7) hash.update(message.substr(at, 7));
    std::string hex;
    for (const std::uint8_t byte : hash.digest()) append_hex(hex, byte, 2);
    ASSERT_EQ(hex, sha256_hex(message));
  }
}

}  // namespace
}  // namespace shunt
