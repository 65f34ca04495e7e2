// The incoming side of a client's request: endpoint, headers that matter, and the body as an index that grows
// while it arrives.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/outline.h"
#include "canonical/request.h"
#include "dialect/dialect.h"
#include "exchange/endpoints.h"
#include "exchange/io.h"

namespace shunt::exchange {

class Intake {
 public:
  Intake(const RequestArrived& arrived, EndpointMatch match);

  // Feeds body bytes. False: the body is not JSON (problem() says where).
  bool feed(std::string_view bytes, bool last);
  // Reads the canonical request from what has come so far. False: it cannot be said (problem()).
  bool read();
  // The name of the route or deployment the client asks for: header, else the path's model, else the body's;
  // empty = not known (yet).
  std::string wanted() const;

  const dialect::Dialect& dialect() const { return *dialect_; }
  Endpoint endpoint() const { return match_.endpoint; }
  const json::Outline& outline() const { return outline_; }
  const Request& request() const { return *request_; }
  const RequestProblem& problem() const { return problem_; }
  std::uint64_t bytes() const { return passthrough() ? passed_bytes_ : outline_.bytes_read(); }

  // It wants its stream as one JSON array: Gemini's without alt=sse.
  bool array() const { return match_.path.stream && !match_.path.sse; }
  // A call of the provider's own API: its body is nobody's to read here.
  bool passthrough() const { return match_.endpoint == Endpoint::passthrough; }
  std::string_view method() const { return method_; }
  std::string_view target() const { return target_; }

  // Header anthropic-beta, which Bedrock wants in the body.
  bool betas() const { return betas_; }
  std::string_view origin() const { return origin_; }
  bool head_request() const { return head_; }
  bool anthropic_client() const { return anthropic_version_; }
  const std::string& client() const { return client_; }
  bool excluded(std::string_view deployment) const;
  bool direct() const { return !deployment_.empty(); }
  std::string_view task() const { return task_; }      // x-shunt-task
  std::string_view role() const { return role_; }      // x-shunt-role
  std::string_view region() const { return region_; }  // x-shunt-region
  // x-shunt-priority, which may only lower what the client has.
  PriorityClass priority() const;
  // x-shunt-retries-left: further attempts that a gateway before this one lets us make; none = no gateway.
  std::optional<std::uint32_t> retries_left() const { return retries_left_; }
  // What requests that should meet the same line have in common; 0 = nothing is known of it.
  std::uint64_t affinity(const Affinity& by) const;
  // Bytes at the body's beginning that are kept until affinity() is asked.
  void keep_beginning(std::size_t bytes) { keep_ = bytes; }
  bool repeatable() const { return repeatable_; }
  WallTime wall() const { return wall_; }
  // Header lines for an attempt at `provider`: its fixed set, ours, and what the client may pass on.
  void attempt_headers(const Provider& provider, bool stream, std::string& out) const;

 private:
  // A header of our own and where its value goes.
  struct Ours {
    std::string_view name;
    std::string Intake::* value;
  };
  static const std::array<Ours, 8> kOurs;

  EndpointMatch match_;
  const dialect::Dialect* dialect_ = nullptr;
  json::Outline outline_;
  std::unique_ptr<Request> request_ = std::make_unique<Request>();  // never null
  RequestProblem problem_;
  std::string passed_;  // client headers on the allow-list, as lines
  std::string origin_;
  std::string client_;
  std::string path_model_;  // empty = the body names it, and says whether to stream
  std::string route_;       // x-shunt-route
  std::string deployment_;  // x-shunt-deployment
  std::string task_;
  std::string role_;
  std::string region_;
  std::string session_;    // x-shunt-session
  std::string priority_;   // x-shunt-priority
  std::string beginning_;  // of the body, at most keep_
  std::size_t keep_ = 0;
  std::optional<std::uint32_t> retries_left_;
  std::vector<std::string> exclude_;
  std::string_view method_ = "POST";  // one of kPassedMethods
  std::string target_;                // of a call that is passed through, with its content type
  std::string content_type_;
  std::uint64_t passed_bytes_ = 0;
  WallTime wall_;
  bool head_ = false;
  bool repeatable_ = true;
  bool anthropic_version_ = false;
  bool betas_ = false;
};

}  // namespace shunt::exchange
