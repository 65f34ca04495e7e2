// Every buffer, count and depth of the core, by name, with its reason. Crossing one is an ordinary, reported
// outcome.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shunt::limits {

// Input slices: the host feeds larger payloads in pieces (edge arenas stay small).
inline constexpr std::size_t kSliceBytes = 64 * 1024;

// JSON. A string longer than kTokenBytes is never gathered: it becomes a range of the body.
inline constexpr std::size_t kTokenBytes = 4 * 1024;
inline constexpr int kJsonDepth = 128;  // nlohmann has none and overflows; the deepest schema seen is 24
inline constexpr std::size_t kOutlineNodes =
    64 * 1024;  // 40 bytes each; a 1,000-message chat has about 8,000
inline constexpr std::size_t kOutlineText = 1024 * 1024;  // kept heads of strings
inline constexpr std::size_t kOutlineKeep = 64 * 1024;    // of a value kept whole: a tool call's arguments
inline constexpr std::size_t kOutlineHead = 256;  // of a long string: enough for "data:image/…;base64,"

// Texts of models. Repair keeps brackets on a stack of its own; nested arguments seen have 12 levels.
inline constexpr std::size_t kRepairDepth = 256;
inline constexpr std::size_t kSchemaProperties = 256;  // of one object, compared with each unknown key
inline constexpr std::size_t kMathBytes = 16 * 1024;   // held back for the end of one formula
inline constexpr std::size_t kThinkTagBytes = 16;      // … of one tag

// Framing. The longest line seen in recorded traffic is 100,869 bytes; image events reach megabytes.
inline constexpr std::size_t kFrameBytes = 16 * 1024 * 1024;
// AWS event streams: botocore's own limits of a message; three headers are usual.
inline constexpr std::size_t kAwsHeaderBytes = 128 * 1024;
inline constexpr std::size_t kAwsPayloadBytes = 24 * 1024 * 1024;
inline constexpr std::size_t kAwsHeaders = 128;

// Request and answer bodies.
inline constexpr std::uint64_t kBodyBufferBytes =
    32ULL * 1024 * 1024;                                          // held by the host until content is sent
inline constexpr std::uint64_t kHeldBytes = 64ULL * 1024 * 1024;  // over all exchanges of an engine
inline constexpr std::uint64_t kRouteNamePrefix =
    64ULL * 1024;                                             // a body sent once names its route within this
inline constexpr std::size_t kAnswerBytes = 4 * 1024 * 1024;  // a plain answer collected in the core
inline constexpr std::size_t kAnswerBytesAll = 32 * 1024 * 1024;  // … over all exchanges of an engine
inline constexpr std::size_t kErrorBodyBytes = 64 * 1024;         // read of a failure's body
inline constexpr std::size_t kRuleRows = 1024;                    // built-in and an operator's own
inline constexpr std::size_t kPreludeBytes = 256 * 1024;          // of a stream before its first content

// Headers handed to or by the host, as one text block.
inline constexpr std::size_t kHeaderBytes = 32 * 1024;
inline constexpr std::size_t kHeaderCount = 128;

// Configuration.
inline constexpr std::size_t kConfigBytes = 8 * 1024 * 1024;  // 10,000 deployments take about 3 MB
inline constexpr std::size_t kDeployments = 10000;
inline constexpr std::size_t kRoutes = 10000;
inline constexpr std::size_t kKeySlots = 64;    // keys of one provider
inline constexpr std::size_t kPlanLines = 500;  // deployments of one route

// Exchanges of one engine at once, and attempts of one exchange whatever configuration says.
inline constexpr std::size_t kExchanges = 65536;
inline constexpr int kAttempts = 16;

}  // namespace shunt::limits
