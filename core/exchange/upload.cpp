// The body of an attempt.
#include "exchange/upload.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "dialect/adapt.h"
#include "dialect/splice.h"

namespace shunt::exchange {
namespace {

// Of a literal piece, from `skip` on, at most `most` bytes. Literals are in memory, so their bounds fit
// size_t.
std::string_view text_of(const BodyPieces& body, const BodyPieces::Piece& piece, std::uint64_t skip = 0,
                         std::uint64_t most = UINT64_MAX) {
  const std::uint64_t length = std::min(piece.length - skip, most);
  return std::string_view(body.text).substr(static_cast<std::size_t>(piece.offset + skip),
                                            static_cast<std::size_t>(length));
}

void append_piece(BodyPieces& out, const BodyPieces& from, const BodyPieces::Piece& piece,
                  std::uint64_t skip) {
  if (skip >= piece.length) return;
  if (piece.literal) {
    out.literal(text_of(from, piece, skip));
  } else {
    out.range(piece.offset + skip, piece.length - skip);
  }
}

// Cuts `body` behind the range that runs to `end`, the last byte that has come: nothing after it is certain
// yet.
void cut_behind(BodyPieces& body, std::uint64_t end) {
  for (std::size_t i = 0; i < body.pieces.size(); ++i) {
    const BodyPieces::Piece& piece = body.pieces[i];
    if (!piece.literal && piece.offset + piece.length == end) {
      body.pieces.resize(i + 1);
      return;
    }
  }
  body.clear();
}

// What `all` says beyond `said`; false when `said` is not its beginning.
bool rest_after(const BodyPieces& all, const BodyPieces& said, BodyPieces& fresh) {
  std::size_t at = 0;
  std::uint64_t skip = 0;  // bytes of all.pieces[at] that have been said
  for (const BodyPieces::Piece& old : said.pieces) {
    std::uint64_t done = 0;
    while (done < old.length) {
      if (at == all.pieces.size()) return false;
      const BodyPieces::Piece& piece = all.pieces[at];
      const std::uint64_t step = std::min(old.length - done, piece.length - skip);
      if (piece.literal != old.literal) return false;
      const bool same = piece.literal ? text_of(said, old, done, step) == text_of(all, piece, skip, step)
                                      : old.offset + done == piece.offset + skip;
      if (!same) return false;
      done += step;
      skip += step;
      if (skip == piece.length) {
        ++at;
        skip = 0;
      }
    }
  }
  for (; at < all.pieces.size(); ++at, skip = 0) append_piece(fresh, all, all.pieces[at], skip);
  return true;
}

}  // namespace

bool build_body(const Intake& intake, const BodyTarget& line, BodyPieces& out, RequestProblem& problem) {
  if (intake.passthrough()) {
    out.clear();
    if (intake.bytes() > 0) out.range(0, intake.bytes());
    return true;
  }
  out.clear();
  const Provider& provider = *line.provider;
  const Adaptation& adaptation = line.deployment->adaptation;
  std::string system = adaptation.system_prefix;
  if (!system.empty() && !line.prompt.empty()) system += "\n\n";
  system += line.prompt;
  const RequestTarget target{line.model, provider.quirks,   line.deployment->max_tokens,
                             system,     adaptation.params, adaptation.drop};
  const bool said =
      provider.dialect == intake.dialect().id
          ? dialect::splice_request(intake.outline(), intake.request(), target, provider.dialect, out,
                                    problem)
          : dialect::write_adapted(*dialect::find(provider.dialect), intake.request(), target, out, problem);
  if (said && intake.betas() && has(provider.quirks, Quirk::bedrock_invoke)) out.drop("anthropic-beta");
  return said;
}

bool Upload::advance(const Intake& intake, const BodyTarget& line, bool last, BodyPieces& fresh,
                     RequestProblem& problem) {
  fresh.clear();
  const json::Outline& outline = intake.outline();
  const json::NodeId open = last ? json::kNoNode : outline.open_string();
  if (!last && open == json::kNoNode) return true;
  if (!last && open == open_) {  // more of the same string
    fresh.range(release_to_, outline.bytes_read() - release_to_);
    said_.range(release_to_, outline.bytes_read() - release_to_);
    release_to_ = outline.bytes_read();
    return true;
  }
  open_ = json::kNoNode;
  BodyPieces all;
  if (!build_body(intake, line, all, problem)) return !last;  // not yet
  if (!last) cut_behind(all, outline.bytes_read());
  if (!last && all.pieces.empty()) return true;  // nothing is certain yet
  if (!rest_after(all, said_, fresh)) {
    problem = {"",
               "This body is sent on while it arrives, which needs role before content, type before data, "
               "and system "
               "messages first. Put the keys in that order, or send a smaller body.",
               413};
    return false;
  }
  fresh.dropped = all.dropped;
  said_ = std::move(all);
  open_ = open;
  release_to_ = outline.bytes_read();
  return true;
}

}  // namespace shunt::exchange
