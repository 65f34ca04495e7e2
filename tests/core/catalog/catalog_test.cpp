// How routes and lines are found, and whose limits hold.
#include "catalog/catalog.h"

#include <gtest/gtest.h>

namespace shunt {
namespace {

Catalog with_routes(std::initializer_list<std::string> names) {
  Catalog catalog;
  for (const std::string& name : names) {
    Route route;
    route.name = name;
    catalog.routes.push_back(route);
  }
  catalog.finish();
  return catalog;
}

std::string found(const Catalog& catalog, std::string_view model) {
  const auto id = catalog.find_route(model);
  return id ? catalog.route(*id).name : "(none)";
}

TEST(Catalog, ExactNameWinsThenTheLongestPrefix) {
  const Catalog catalog = with_routes({"a/*", "a/b/*", "a/b/c", "gpt-4o", "ab/*"});
  EXPECT_EQ(found(catalog, "gpt-4o"), "gpt-4o");
  EXPECT_EQ(found(catalog, "a/b/c"), "a/b/c");
  EXPECT_EQ(found(catalog, "a/b/d"), "a/b/*");
  EXPECT_EQ(found(catalog, "a/b/c/d"), "a/b/*");
  EXPECT_EQ(found(catalog, "a/x"), "a/*");
  EXPECT_EQ(found(catalog, "ab/x"), "ab/*");
}

TEST(Catalog, APatternNeedsSomethingAfterItsSlash) {
  const Catalog catalog = with_routes({"a/*"});
  EXPECT_EQ(found(catalog, "a/"), "(none)");
  EXPECT_EQ(found(catalog, "a"), "(none)");
  EXPECT_EQ(found(catalog, ""), "(none)");
  EXPECT_EQ(found(catalog, "/x"), "(none)");
}

TEST(Catalog, AHostileModelNameIsLookedUpInLittleTime) {
  const Catalog catalog = with_routes({"a/*"});
  EXPECT_EQ(found(catalog, "a/" + std::string(1 << 20, '/')), "a/*");
  EXPECT_EQ(found(catalog, std::string(1 << 20, '/')), "(none)");
}

TEST(Catalog, DeploymentsAreFoundById) {
  Catalog catalog;
  for (const std::string_view id : {"z@p", "a@p", "m@p"}) {
    Deployment line;
    line.id = id;
    catalog.deployments.push_back(line);
  }
  catalog.finish();
  EXPECT_EQ(catalog.find_deployment("a@p"), DeploymentId{1});
  EXPECT_EQ(catalog.find_deployment("z@p"), DeploymentId{0});
  EXPECT_EQ(catalog.find_deployment("a"), std::nullopt);
}

TEST(Catalog, APassthroughLineIsAskedForWhatFollowsThePattern) {
  const Catalog catalog = with_routes({"openai/*", "plain"});
  EXPECT_EQ(asked_model(catalog.routes[0], "openai/gpt-4o"), "gpt-4o");
  EXPECT_EQ(asked_model(catalog.routes[0], "openai/ft:gpt/x"), "ft:gpt/x");
  EXPECT_EQ(asked_model(catalog.routes[1], "plain"), "plain");
}

TEST(Catalog, ARoutesOwnLimitsStandOverTheLines) {
  Catalog catalog = with_routes({"r"});
  Deployment line;
  line.id = "a";
  line.timeouts.idle = milliseconds(7);
  catalog.deployments.push_back(line);
  catalog.routes[0].timeouts.total = milliseconds(9);
  catalog.finish();
  const Timeouts limits = catalog.timeouts_of(RouteId{0}, DeploymentId{0});
  EXPECT_EQ(limits.idle, milliseconds(7));
  EXPECT_EQ(limits.total, milliseconds(9));
  EXPECT_EQ(limits.connect, milliseconds(5000));
}

}  // namespace
}  // namespace shunt
