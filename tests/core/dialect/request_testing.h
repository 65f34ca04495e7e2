// For tests of request bodies: outlines, reads and writes a text as the engine would, and puts the pieces
// together as a host would.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/anthropic_request.h"
#include "dialect/dialect.h"
#include "dialect/openai_chat_request.h"
#include "dialect/request_common.h"
#include "dialect/splice.h"

namespace shunt::dialect::testing {

using Json = nlohmann::json;

inline json::Outline outline_of(std::string_view body, DialectId dialect, std::size_t slice = 65536,
                                bool complete = true) {
  json::Outline outline(request_outline_options(dialect));
  while (body.size() > slice) {
    outline.feed(body.substr(0, slice), false);
    body.remove_prefix(slice);
  }
  outline.feed(body, complete);
  return outline;
}

inline bool read(DialectId dialect, const json::Outline& body, Request& out, RequestProblem& problem) {
  return find(dialect)->read_request(body, out, problem);
}

inline bool write(DialectId dialect, const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem) {
  return find(dialect)->write_request(request, target, out, problem);
}

inline DialectId other(DialectId dialect) {
  return dialect == DialectId::openai_chat ? DialectId::anthropic_messages : DialectId::openai_chat;
}

inline std::string put_together(const BodyPieces& pieces, std::string_view body) {
  std::string whole;
  for (const BodyPieces::Piece& piece : pieces.pieces) {
    const std::string_view from = piece.literal ? std::string_view(pieces.text) : body;
    EXPECT_LE(piece.offset + piece.length, from.size());
    if (piece.offset + piece.length > from.size()) return whole;
    whole += from.substr(piece.offset, piece.length);
  }
  EXPECT_EQ(whole.size(), pieces.size());
  return whole;
}

struct Translated {
  bool ok = false;
  std::string text;
  Json body;
  std::vector<std::string> dropped;
  RequestProblem problem;
};

// `say` writes what was read: (request, pieces, problem) -> whether it could.
template <typename Say>
Translated translated(DialectId from, std::string_view body, Say say) {
  Translated result;
  Request request;
  BodyPieces pieces;
  const json::Outline outline = outline_of(body, from);
  result.ok = read(from, outline, request, result.problem) && say(request, pieces, result.problem);
  if (!result.ok) return result;
  result.text = put_together(pieces, body);
  result.body = Json::parse(result.text, nullptr, false);
  result.dropped = pieces.dropped;
  EXPECT_FALSE(result.body.is_discarded()) << result.text;
  return result;
}

inline Translated translate(DialectId from, DialectId to, std::string_view body,
                            RequestTarget target = {"m", 0, {}}) {
  return translated(from, body, [&](const Request& request, BodyPieces& pieces, RequestProblem& problem) {
    return write(to, request, target, pieces, problem);
  });
}

inline Translated translate(DialectId from, std::string_view body, RequestTarget target = {"m", 0, {}}) {
  return translate(from, other(from), body, target);
}

inline Translated splice(DialectId dialect, std::string_view body, RequestTarget target = {"m", 0, {}}) {
  Translated result;
  Request request;
  BodyPieces pieces;
  const json::Outline outline = outline_of(body, dialect);
  result.ok = read(dialect, outline, request, result.problem) &&
              splice_request(outline, request, target, dialect, pieces, result.problem);
  if (!result.ok) return result;
  result.text = put_together(pieces, body);
  result.body = Json::parse(result.text, nullptr, false);
  result.dropped = pieces.dropped;
  EXPECT_FALSE(result.body.is_discarded()) << result.text;
  return result;
}

struct Recorded {
  std::string id;
  std::string body;
};

// Request bodies of recorded calls that succeeded, of files whose names contain `infix`; empty when there is
// no data.
inline std::vector<Recorded> recorded_requests(std::string_view infix) {
  std::vector<Recorded> found;
  const char* home = std::getenv("SHUNT_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(home != nullptr ? home : SHUNT_SOURCE_DIR "/../shared/data") / "traces";
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(folder, none)) {
    if (file.path().filename().string().find(infix) == std::string::npos) continue;
    std::ifstream lines(file.path());
    for (std::string line; std::getline(lines, line);) {
      const Json row = Json::parse(line, nullptr, false);
      if (row.is_discarded()) continue;
      const Json& request = row["request"];
      const int status = row["response"].value("status", 0);
      if (status / 100 != 2 || request.value("body_elided", false)) continue;
      if (request["body"].is_object()) found.push_back({row["id"], request["body"].dump()});
    }
  }
  return found;
}

// All the strings under keys that hold what people and models said, joined, in document order.
inline void gather_texts(const Json& value, std::string& out) {
  if (value.is_array()) {
    for (const Json& one : value) gather_texts(one, out);
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      if (key == "text" || key == "content") {
        if (member.is_string()) out += member.get<std::string>();
      }
      gather_texts(member, out);
    }
  }
}

}  // namespace shunt::dialect::testing
