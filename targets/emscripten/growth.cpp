// Emscripten tells its JavaScript runtime when memory has grown; our loader looks for itself, so the
// import goes.
#include <cstddef>

extern "C" void emscripten_notify_memory_growth(std::size_t);
void emscripten_notify_memory_growth(std::size_t) {}
