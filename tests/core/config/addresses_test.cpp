// Which addresses are this machine's or a network of one's own.
#include "config/addresses.h"

#include <gtest/gtest.h>

namespace shunt::config {
namespace {

struct Case {
  const char* host;
  bool loopback, own;
};

TEST(Addresses, ByTheHostAlone) {
  for (const Case& c : {Case{"127.0.0.1", true, true},
                        {"127.255.3.4:8000", true, true},
                        {"localhost", true, true},
                        {"LocalHost.:11434", true, true},
                        {"[::1]:80", true, true},
                        {"[0:0:0:0:0:0:0:1]", true, true},
                        {"10.0.0.5", false, true},
                        {"11.0.0.5", false, false},
                        {"172.15.0.1", false, false},
                        {"172.16.0.1", false, true},
                        {"172.31.255.255", false, true},
                        {"172.32.0.1", false, false},
                        {"192.168.1.1:1234", false, true},
                        {"192.169.1.1", false, false},
                        {"[fc00::1]", false, true},
                        {"[FD12:3456::1]:8080", false, true},
                        {"[fe80::1]", false, false},
                        {"[fd::1]", false, false},
                        {"gpu.local", false, true},
                        {"models.INTERNAL:9000", false, true},
                        {"local", false, false},
                        {"notlocal", false, false},
                        {"api.openai.com", false, false},
                        {"127.0.0.1.example", false, false},
                        {"localhost.example", false, false},
                        {"10.0.0", false, false},
                        {"10.0.0.0.1", false, false},
                        {"10.0.0.256", false, false},
                        {"10.example", false, false}}) {
    for (const char* form : {"http://%", "https://%/v1"}) {
      std::string url = form;
      url.replace(url.find('%'), 1, c.host);
      EXPECT_EQ(is_loopback(url), c.loopback) << url;
      EXPECT_EQ(is_private(url), c.own) << url;
    }
  }
  EXPECT_FALSE(is_private("")) << "none was given, or it was refused";
}

}  // namespace
}  // namespace shunt::config
