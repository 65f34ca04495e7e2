#!/usr/bin/env bash
# Shows that targets/wasi/toolchain.cmake takes a wasi-sdk: builds through WASI_SDK_PATH, or through a
# tree of symlinks in wasi-sdk's layout made of the Debian packages, then instantiates the module and
# looks for imports.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib/common.sh"
. "$here/lib/build.sh"

lay_out() { # directory
  local sdk=$1 tool
  mkdir -p "$sdk/bin" "$sdk/share/wasi-sysroot/include" "$sdk/share/wasi-sysroot/lib"
  for tool in clang clang++ llvm-ar llvm-ranlib wasm-ld; do
    ln -sfn "/usr/bin/$tool-19" "$sdk/bin/$tool"
  done
  ln -sfn /usr/include/wasm32-wasi "$sdk/share/wasi-sysroot/include/wasm32-wasi"
  ln -sfn /usr/lib/wasm32-wasi "$sdk/share/wasi-sysroot/lib/wasm32-wasi"
}

if [ -z "${WASI_SDK_PATH:-}" ]; then
  WASI_SDK_PATH=$root/build/wasi-sdk
  lay_out "$WASI_SDK_PATH"
fi
say "wasi-sdk at ${WASI_SDK_PATH#"$root"/}"
export WASI_SDK_PATH # the toolchain file reads it
build wasi-sdk-build
SHUNT_WASM="$root/build/wasi-sdk-build/shunt.wasm" \
  node --test --test-reporter=tap "$root/tests/conformance/imports.test.mjs"
