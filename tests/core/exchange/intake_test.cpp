// The client's request: which headers go on, which name a route, and bodies that are no JSON.
#include "exchange/intake.h"

#include "canonical/http.h"

#include <gtest/gtest.h>

namespace shunt::exchange {
namespace {

Intake with_headers(const std::string& headers, DialectId dialect = DialectId::openai_chat) {
  RequestArrived arrived;
  arrived.method = "POST";
  arrived.headers = headers;
  return Intake(arrived, {Endpoint::completion, dialect});
}

TEST(Intake, PassesOnOnlyTheAllowList) {
  const Intake intake = with_headers(
      "openai-project: p1\ntraceparent: t\ncookie: secret\nauthorization: Bearer secret\nx-mine: 1\n");
  Provider provider;
  provider.headers = {{"x-fixed", "yes"}, {"openai-project", "theirs"}};
  std::string lines;
  intake.attempt_headers(provider, true, lines);
  const HeaderBlock headers(lines);
  EXPECT_EQ(headers.get("openai-project"), "theirs") << "who pays is the operator's to say";
  EXPECT_EQ(headers.get("traceparent"), "t");
  EXPECT_EQ(headers.get("x-fixed"), "yes");
  EXPECT_EQ(headers.get("accept"), "text/event-stream");
  EXPECT_EQ(headers.get("accept-encoding"), "identity");
  EXPECT_EQ(lines.find("secret"), std::string::npos);
  EXPECT_EQ(headers.get("x-mine"), "");
}

TEST(Intake, HeadersOfOneDialectDoNotReachAnother) {
  const Intake intake = with_headers("openai-project: p1\nanthropic-beta: b\n");
  Provider provider;
  provider.dialect = DialectId::anthropic_messages;
  std::string lines;
  intake.attempt_headers(provider, false, lines);
  EXPECT_EQ(HeaderBlock(lines).get("openai-project"), "");
  EXPECT_EQ(HeaderBlock(lines).get("anthropic-beta"), "b");
}

TEST(Intake, NamesComeFromHeadersBeforeTheBody) {
  Intake body = with_headers("");
  EXPECT_EQ(body.wanted(), "");
  ASSERT_TRUE(body.feed(R"({"model":"m","messages":[]})", true));
  EXPECT_EQ(body.wanted(), "m");
  EXPECT_EQ(with_headers("x-shunt-route: r\n").wanted(), "r");
  const Intake direct =
      with_headers("x-shunt-route: r\nx-shunt-deployment: d@p\nx-shunt-exclude: a@p, b@q\n");
  EXPECT_EQ(direct.wanted(), "d@p");
  EXPECT_TRUE(direct.direct());
  EXPECT_TRUE(direct.excluded("b@q"));
  EXPECT_FALSE(direct.excluded("c@q"));
}

TEST(Intake, GooglesPathNamesTheModelAndSaysWhetherToStream) {
  RequestArrived arrived;
  arrived.method = "POST";
  EndpointMatch match{Endpoint::completion, DialectId::gemini_generate, {"a%40b", true, true}};
  Intake intake(arrived, match);
  EXPECT_EQ(intake.wanted(), "a@b") << "known before the body";
  ASSERT_TRUE(intake.feed(R"({"model":"models/other","contents":[]})", true));
  ASSERT_TRUE(intake.read());
  EXPECT_EQ(intake.wanted(), "a@b");
  EXPECT_TRUE(intake.request().stream);
  match.path.stream = false;
  Intake plain(arrived, match);
  ASSERT_TRUE(plain.feed(R"({"contents":[]})", true) && plain.read());
  EXPECT_FALSE(plain.request().stream);
  arrived.headers = "x-shunt-route: r\n";
  EXPECT_EQ(Intake(arrived, match).wanted(), "r");
}

TEST(Intake, ABodyThatIsNotJsonIsRefusedWithItsPlace) {
  Intake intake = with_headers("");
  EXPECT_FALSE(intake.feed(R"({"model": nope})", true));
  EXPECT_NE(intake.problem().what.find("at byte 1"), std::string::npos) << intake.problem().what;
  Intake array = with_headers("");
  ASSERT_TRUE(array.feed("[]", true));
  EXPECT_FALSE(array.read());
}

}  // namespace
}  // namespace shunt::exchange
