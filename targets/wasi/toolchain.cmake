# WebAssembly for WASI hosts. Without WASI_SDK_PATH: Debian's clang-19 and its wasm32-wasi sysroot; with
# it (a CMake variable or the environment): wasi-sdk's clang and sysroot. Knows compilers and paths
# only, nothing of the product.
set(CMAKE_SYSTEM_NAME Generic)  # CMake 3.25 has no platform of the name WASI
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WASI_SDK_PATH)
set(SHUNT_WASI ON)

if(NOT WASI_SDK_PATH AND DEFINED ENV{WASI_SDK_PATH})
  set(WASI_SDK_PATH "$ENV{WASI_SDK_PATH}")
endif()

if(WASI_SDK_PATH)
  set(wasi_sysroot ${WASI_SDK_PATH}/share/wasi-sysroot)
  set(CMAKE_CXX_COMPILER ${WASI_SDK_PATH}/bin/clang++)
  set(CMAKE_AR ${WASI_SDK_PATH}/bin/llvm-ar)
  set(CMAKE_RANLIB ${WASI_SDK_PATH}/bin/llvm-ranlib)
  set(CMAKE_SYSROOT ${wasi_sysroot})
  set(wasi_includes "")
else()
  set(CMAKE_CXX_COMPILER clang++-19)
  # GNU ar writes no symbol index for wasm objects.
  set(CMAKE_AR /usr/bin/llvm-ar-19)
  set(CMAKE_RANLIB /usr/bin/llvm-ranlib-19)
  # /usr/include is on this driver's default path, so a host header would be found by accident.
  set(wasi_includes
    "-nostdlibinc -nostdinc++ -isystem /usr/include/wasm32-wasi/c++/v1 -isystem /usr/include/wasm32-wasi")
endif()
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)  # the only triple whose headers both layouts have

set(CMAKE_CXX_FLAGS_INIT "${wasi_includes} -fno-exceptions")
# No -O here: these flags reach the link line too, where the driver would then run whatever wasm-opt is
# in PATH. Optimisation is a compile option (targets/wasm_flags.cmake).
set(CMAKE_CXX_FLAGS_RELEASE_INIT "")
set(CMAKE_CXX_FLAGS_RELEASE "-DNDEBUG" CACHE STRING "Release flags without -O")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
