# WebAssembly by Emscripten: em++ of EMSCRIPTEN_ROOT or of Debian's package. We take only its compiler: the
# product is a plain module with our own loader, so Emscripten's CMake platform, made for glue, is not used.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(SHUNT_EMSCRIPTEN ON)

if(DEFINED ENV{EMSCRIPTEN_ROOT})
  set(em_root "$ENV{EMSCRIPTEN_ROOT}/")
endif()
set(CMAKE_CXX_COMPILER ${em_root}em++)
set(CMAKE_AR ${em_root}emar CACHE FILEPATH "wasm archiver")
set(CMAKE_RANLIB ${em_root}emranlib CACHE FILEPATH "wasm archive index")

# Debian's library cache is complete and not ours to write; Emscripten's JavaScript passes look for
# acorn under NODE_PATH, which another distribution's node does not set.
set(em_environment ${CMAKE_COMMAND} -E env EM_FROZEN_CACHE=1 NODE_PATH=/usr/share/nodejs)
find_program(em_ccache ccache)
set(CMAKE_CXX_COMPILER_LAUNCHER ${em_environment} CACHE STRING "")
if(em_ccache)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${em_environment} ${em_ccache} CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_LINKER_LAUNCHER ${em_environment} CACHE STRING "")

set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions")
set(CMAKE_CXX_FLAGS_RELEASE "-DNDEBUG" CACHE STRING "Release flags without -O")
