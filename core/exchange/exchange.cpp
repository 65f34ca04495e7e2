// Inputs and the request's side of an exchange. Attempts are in attempting.cpp, answers in answering.cpp.
#include "exchange/exchange.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "base/rng.h"
#include "base/strings.h"

namespace shunt::exchange {
namespace {

// A loan outlives its exchange's own deadline by this: the host may be late, it is lost only after that.
constexpr Duration kLoanGrace{30000};

// What only an exchange with a client can be told.
bool is_clients(const Input& input) {
  return std::visit(
      overloaded{[](const RequestArrived&) { return true; }, [](const RequestBytes&) { return true; },
                 [](const RequestEnded&) { return true; }, [](const ClientPaused&) { return true; },
                 [](const ClientReady&) { return true; }, [](const ClientGone&) { return true; },
                 [](const auto&) { return false; }},
      input);
}

}  // namespace

Exchange::Exchange(Engine& engine, std::uint64_t seed, Kind kind, std::uint32_t name)
    : engine_(engine), seed_(seed), kind_(kind), door_(engine, timers_, out_, name) {
  begin_record(0);
}

void Exchange::begin_record(std::uint64_t number) {
  record_.seed = seed_;
  record_.id = "req_";
  append_hex(record_.id, draw(seed_, Draw::request_id, number), 16);
}

Exchange::~Exchange() {
  if (phase_ != Phase::finished && phase_ != Phase::lingering) settle(OutcomeKind::neutral, nullptr);
  if (beside_) {
    swap_courses();
    settle(OutcomeKind::neutral, nullptr);
  }
  engine_.loans().close(loan_);
}

void Exchange::handle(Instant host_now, const Input& input) {
  now_ = engine_.clock().observe(host_now);
  if (std::get_if<TimerFired>(&input) != nullptr) now_ = engine_.clock().advance_to(next_wake().at);
  const auto* bytes = std::get_if<BytesArrived>(&input);
  out_.open(bytes != nullptr ? bytes->bytes : std::string_view());
  if (phase_ == Phase::finished) return;
  if (kind_ == Kind::upkeep) {
    keep_up(input);
  } else if (kind_ != Kind::probe || !is_clients(input)) {
    dispatch(input);
    while (kind_ == Kind::probe && phase_ == Phase::finished && check_next()) {
    }
  }
  if (phase_ == Phase::attempting && upstream_ && upstream_->ticket().is_probe()) {
    engine_.health().renew(upstream_->ticket(), lease_end());
  }
  const Instant wake = next_wake().at;
  if (wake != kNever) hold_until(wake + kLoanGrace);
  engine_.sharing().publisher().note(engine_.health().take_news(), now_);
}

// What is taken of the engine is held a little longer than the exchange's own next deadline.
void Exchange::hold_until(Instant end) {
  engine_.loans().renew(loan_, end);
  door_.hold_until(end);
  if (upstream_) engine_.line_limits().renew(upstream_->permit(), end);
  if (beside_) engine_.line_limits().renew(beside_->upstream->permit(), end);
}

void Exchange::keep_up(const Input& input) {
  if (!upkeep_) upkeep_ = std::make_unique<Upkeep>(engine_, seed_, timers_, out_);
  upkeep_->handle(now_, input);
  if (!upkeep_->finished()) return;
  upkeep_.reset();
  timers_.stop_all();
  phase_ = Phase::finished;
}

Wakeup Exchange::wake_at() const {
  Wakeup wake = next_wake();
  wake.at = engine_.clock().to_host(wake.at);
  return wake;
}

std::size_t Exchange::memory() const {
  return sizeof *this + out_.memory() + (intake_ ? sizeof(Request) + intake_->outline().memory() : 0) +
         (answer_ ? answer_->memory() : 0) + (upstream_ ? upstream_->memory() : 0) +
         (beside_ ? beside_->memory() : 0);
}

// ---- the client's side ----

void Exchange::on(const Started& input) {
  if (phase_ != Phase::waiting || kind_ != Kind::probe) return;
  engine_.observe_wall(now_, input.wall);
  record_.arrived = now_;
  record_.wall = input.wall;
  out_.mute();
  phase_ = Phase::finished;  // with the lines so far
}

// One line after the other: each check is a request of our own for one line, which nobody reads.
bool Exchange::check_next() {
  const auto line = next_check(engine_, checked_, seed_, now_);
  if (!line) return false;
  checked_ = *line + 1;
  const WallTime wall{record_.wall.ms + (now_ - record_.arrived).ms};
  const Deployment& deployment = engine_.catalog().deployments[*line];
  upstream_.reset();
  record_ = {};
  begin_record(*line + 1);
  intake_.emplace(RequestArrived{"POST", "/v1/chat/completions", {}, {}, wall, {}},
                  match_endpoint("POST", "/v1/chat/completions"));
  record_.wall = wall;
  record_.arrived = now_;
  record_.route = deployment.id;
  check_body_ = check_body(deployment.id);
  CORE_CHECK(intake_->feed(check_body_, true) && intake_->read());
  record_.request_bytes = check_body_.size();
  body_ended_ = true;
  entries_ = {RouteEntry{DeploymentId{*line}, 1, 1, {}}};
  needs_ = {};
  needs_.task = engine_.task("check");
  limits_ = limits_of(DeploymentId{*line});
  limits_.plain_total = std::min(limits_.plain_total, Checks::kTime);
  record_.views = engine_.views(entries_, needs_, now_);
  record_.plan = route::PlanVerdict::all_protected;
  tries_.tried.clear();
  tries_.cursor = 0;
  loan_ = engine_.loans().open(now_ + kLoanGrace);
  prepare_answer();
  start(0, Purpose::probe);
  return true;
}

void Exchange::on(const RequestArrived& input) {
  if (phase_ != Phase::waiting) return;
  const EndpointMatch match = match_endpoint(input.method, input.target);
  intake_.emplace(input, match);
  intake_->keep_beginning(engine_.most_prefix());
  engine_.observe_wall(now_, input.wall);
  record_.arrived = now_;
  record_.wall = input.wall;
  record_.client = input.client;
  record_.dialect = match.dialect;
  loan_ = engine_.loans().open(now_ + kLoanGrace);
  if (kind_ == Kind::admin) {
    admin_ = std::make_unique<AdminCall>(AdminCall{std::string(input.method), std::string(input.target), {}});
    if (input.method != "POST") return answer_operator();
    return wait_for_body();
  }
  const EnginePolicy& policy = engine_.loaded().engine;
  const bool open_to_all = match.endpoint == Endpoint::health || match.endpoint == Endpoint::preflight;
  if (!open_to_all && !policy.clients.empty() && input.client.empty()) {
    return refuse({401, "invalid_api_key",
                   "No client of this gateway has this key. Send one as 'authorization: Bearer …', "
                   "'x-api-key' or 'x-goog-api-key'."});
  }
  // A page of another origin needs no preflight for a plain POST: what it may not read it must not spend
  // either.
  const bool foreign = !intake_->origin().empty() && !origin_allowed(intake_->origin(), policy.cors_origins);
  const bool costs = match.endpoint == Endpoint::completion || match.endpoint == Endpoint::passthrough;
  if (costs && foreign && policy.clients.empty()) {
    return refuse({403, "origin_not_allowed",
                   "Pages of this origin may not use the gateway. Add the origin to cors.origins."});
  }
  switch (match.endpoint) {
    case Endpoint::models: return send_reply(models(catalog(), intake_->anthropic_client()), Result::local);
    case Endpoint::health: return send_reply(health_ok(), Result::local);
    case Endpoint::preflight:
      return send_reply(preflight(origin_allowed(intake_->origin(), policy.cors_origins)), Result::local);
    case Endpoint::passthrough:
      if (intake_->direct()) break;
      return refuse(
          {404, "not_found",
           "There is nothing at this path. To call a provider's own API through this gateway, name the "
           "line by the header x-shunt-deployment."});
    case Endpoint::not_found:
      return refuse({404, "not_found",
                     "There is nothing at this path. Use /v1/chat/completions, /v1/responses, /v1/messages, "
                     "/v1beta/models/{model}:generateContent, /v1/models or /healthz."});
    case Endpoint::wrong_method:
      return refuse({405, "method_not_allowed", "This path takes another method."});
    case Endpoint::completion: break;
  }
  wait_for_body();
  length_stated_ = input.content_length.has_value();
  hold_or_send_once(input.content_length.value_or(0));
}

// A body is held by the host so that it can be sent again; one that is too large for that, or that comes
// while too much is held already, is sent once, while it arrives.
void Exchange::hold_or_send_once(std::uint64_t bytes) {
  const EnginePolicy& policy = engine_.loaded().engine;
  Loans& loans = engine_.loans();
  loans.set_body(loan_, bytes);
  if (loans.bodies() > policy.held_bytes) loans.reclaim(now_);
  if (bytes <= policy.body_buffer_bytes && loans.bodies() <= policy.held_bytes) return;
  loans.set_body(loan_, 0);
  upload_.emplace();
  record_.sent_once = true;
}

void Exchange::on(const RequestBytes& input) {
  if (body_ended_ || intake_ == std::nullopt || phase_ == Phase::waiting || phase_ == Phase::lingering)
    return;
  timers_.set_after(TimerReason::request_body, now_, Timeouts{}.client_stall);
  body_grew(input.bytes);
}

void Exchange::wait_for_body() {
  phase_ = Phase::reading;
  timers_.set_after(TimerReason::request_body, now_, Timeouts{}.client_stall);
}

void Exchange::answer_operator() {
  send_reply(answer_admin(engine_, *admin_, now_, {record_.wall.ms + (now_ - record_.arrived).ms}),
             Result::local);
}

void Exchange::body_grew(std::string_view bytes) {
  if (admin_) {
    if (admin_->body.size() + bytes.size() > AdminCall::kBodyBytes)
      return refuse({413, "body_too_large", "An order is a small JSON object."}, Result::local);
    admin_->body.append(bytes);
    return;
  }
  if (!intake_->feed(bytes, false)) return refuse(intake_->problem());
  record_.request_bytes = intake_->bytes();
  if (!upload_ && !length_stated_) hold_or_send_once(intake_->bytes());
  if (!upload_) return;
  if (intake_->passthrough()) {
    return refuse(
        {413, "body_too_large", "This body is larger than this gateway holds for a call it passes on."});
  }
  if (upstream_) return send_more_body(false);
  if (intake_->wanted().empty()) {
    if (intake_->bytes() < limits::kRouteNamePrefix) return;
    return refuse({413, "body_too_large",
                   "This body is too large to be held (or too many are held now), so it is sent on while it "
                   "arrives and must name its route in its first 64 KB: put \"model\" first, or send the "
                   "header x-shunt-route."});
  }
  if (phase_ != Phase::reading || intake_->outline().open_string() == json::kNoNode || !intake_->read())
    return;
  plan_and_start();
}

void Exchange::on(const RequestEnded&) {
  if (body_ended_ || intake_ == std::nullopt || phase_ == Phase::waiting || phase_ == Phase::lingering)
    return;
  body_ended_ = true;
  timers_.stop(TimerReason::request_body);
  if (admin_) return answer_operator();
  if (!intake_->feed({}, true) || !intake_->read()) return refuse(intake_->problem());
  if (upload_ && upstream_) {
    if (!upstream_->has_head() && !answer_->head_sent()) prepare_answer();
    return send_more_body(true);
  }
  if (phase_ == Phase::reading) plan_and_start();
}

void Exchange::refuse(const Refusal& refusal, Result result) {
  send_reply(refusal_reply(intake_->dialect(), refusal), result);
}

// What the client sent cannot be served by anyone. An attempt that was already being fed is broken off.
void Exchange::refuse(const RequestProblem& problem) {
  drop_attempt();
  const bool placed = !problem.where.empty();
  refuse({problem.status, "invalid_request", joined({problem.where, placed ? ": " : "", problem.what})});
}

Timeouts Exchange::limits_of(DeploymentId line) const {
  const Timeouts& own = catalog().deployment(line).timeouts;
  return route_ != nullptr ? overridden(own, route_->timeouts) : own;
}

BodyTarget Exchange::target_of(DeploymentId line) const {
  const Deployment& deployment = catalog().deployment(line);
  std::string_view model = deployment.model;
  if (model.empty())
    model = route_ != nullptr ? asked_model(*route_, record_.route) : std::string_view(record_.route);
  return {&deployment, &catalog().provider_of(line), model, prompt_of(line)};
}

// The route's prompt for the role in which the line serves.
std::string_view Exchange::prompt_of(DeploymentId line) const {
  if (route_ == nullptr || route_->prompts.empty()) return {};
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const RouteEntry& each) { return each.deployment == line; });
  for (const auto& [role, prompt] : route_->prompts) {
    if (entry != entries_.end() && has_role(*entry, catalog().deployment(line), role)) return prompt;
  }
  return {};
}

// The route or the single line that the request names; false: it was refused.
bool Exchange::resolve() {
  const std::string wanted = intake_->wanted();
  record_.route = wanted;
  record_.stream = intake_->request().stream;
  std::optional<RouteId> route;
  if (!intake_->direct()) route = catalog().find_route(wanted);
  if (route) {
    route_ = &catalog().route(*route);
    entries_ = route_->entries;
  } else if (const auto line = catalog().find_deployment(wanted)) {
    entries_ = {RouteEntry{*line, 1, 1, {}}};
  } else {
    if (wanted.empty()) {
      refuse({400, "invalid_request",
              "The request names no model. Set \"model\" to a route of this gateway; GET /v1/models lists "
              "them."});
    } else {
      refuse({404, "model_not_found",
              joined({"There is no route or deployment '", std::string_view(wanted).substr(0, 64),
                      "'. GET /v1/models lists the routes."})});
    }
    return false;
  }
  limits_ = limits_of(entries_.front().deployment);
  state_needs();
  return true;
}

// What routing is told of the request.
void Exchange::state_needs() {
  const Request& request = intake_->request();
  std::string_view task = intake_->task();
  if (task.empty())
    task = route_ == nullptr ? record_.route : route_->task.empty() ? route_->name : route_->task;
  door_.introduce(record_.client, task, intake_->priority());
  needs_ = {};
  needs_.priority = door_.priority();
  needs_.abilities = request.needs;
  needs_.intake = &*intake_;
  needs_.seed = seed_;
  needs_.task = engine_.task(task);
  needs_.task_name = task;
  needs_.input_tokens = request.input_tokens_estimate;
  needs_.output_tokens = request.params.max_tokens;
  needs_.route = route_;
  if (!intake_->role().empty()) needs_.roles.push_back(intake_->role());
  policy_ = Engine::plan_policy(route_);
  policy_.region = engine_.region(intake_->region());
  if (route_ == nullptr) return;
  if (request.stream && !route_->stream_role.empty()) needs_.roles.push_back(route_->stream_role);
  needs_.roles.insert(needs_.roles.end(), route_->roles.begin(), route_->roles.end());
  policy_.affinity = intake_->affinity(route_->affinity);
}

void Exchange::on(const ClientPaused&) {
  if (phase_ != Phase::attempting || client_paused_) return;
  client_paused_ = true;
  timers_.stop(TimerReason::idle);
  timers_.set_after(TimerReason::client_stall, now_, limits_.client_stall);
  if (upstream_) upstream_->client_paused(now_);
  if (racing()) {
    beside_->timers.stop(TimerReason::idle);
    beside_->upstream->client_paused(now_);
  }
}

void Exchange::on(const ClientReady&) {
  if (!client_paused_) return;
  client_paused_ = false;
  if (upstream_) upstream_->client_ready(now_);
  timers_.stop(TimerReason::client_stall);
  if (phase_ == Phase::attempting && upstream_ && upstream_->has_head()) {
    timers_.set_after(TimerReason::idle, now_, limits_.idle);
  }
  if (!racing()) return;
  beside_->upstream->client_ready(now_);
  if (beside_->upstream->has_head()) beside_->timers.set_after(TimerReason::idle, now_, beside_->limits.idle);
}

void Exchange::on(const ClientGone&) {
  if (phase_ == Phase::lingering) {
    if (timers_.running(TimerReason::linger)) abort_attempt();
    return stop_lingering();
  }
  drop_attempt();
  finish(Result::client_gone, 0);
}

}  // namespace shunt::exchange
