// How the pieces of a body are put together. Adjacent pieces of a kind join, so equal bodies have equal
// pieces.
#include "canonical/request.h"

#include <algorithm>

namespace shunt {

void BodyPieces::literal(std::string_view bytes) {
  if (bytes.empty()) return;
  if (pieces.empty() || !pieces.back().literal) pieces.push_back({true, text.size(), 0});
  text.append(bytes);
  pieces.back().length += bytes.size();
}

void BodyPieces::range(std::uint64_t offset, std::uint64_t length) {
  if (length == 0) return;
  if (!pieces.empty()) {
    Piece& before = pieces.back();
    if (!before.literal && before.offset + before.length == offset) {
      before.length += length;
      return;
    }
  }
  pieces.push_back({false, offset, length});
}

void BodyPieces::content(const BodyText& text_or_raw) {
  if (text_or_raw.length != 0) {
    range(text_or_raw.offset, text_or_raw.length);
  } else {
    literal(text_or_raw.literal);
  }
}

void BodyPieces::drop(std::string_view what) {
  if (std::find(dropped.begin(), dropped.end(), what) == dropped.end()) dropped.emplace_back(what);
}

bool BodyPieces::cut_after_range_past(std::uint64_t offset) {
  const auto found = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    return !piece.literal && piece.offset > offset;
  });
  if (found == pieces.end()) return false;
  pieces.erase(found + 1, pieces.end());
  std::uint64_t literals = 0;
  for (const Piece& piece : pieces) literals += piece.literal ? piece.length : 0;
  text.resize(static_cast<std::size_t>(literals));
  return true;
}

std::uint64_t BodyPieces::size() const {
  std::uint64_t bytes = 0;
  for (const Piece& piece : pieces) bytes += piece.length;
  return bytes;
}

void BodyPieces::clear() {
  text.clear();
  pieces.clear();
  dropped.clear();
}

}  // namespace shunt
