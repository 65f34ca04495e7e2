# Configures and builds one target into build/<target>. Knows generator, toolchain files and cache; all flags
# that are part of the product stand in CMakeLists.txt and targets/.

configure() { # target, more CMake arguments
  local target=$1 arguments=()
  shift
  if [ -f "$root/build/$target/build.ninja" ]; then
    cmake "$root/build/$target" >/dev/null # finds files that are new; the choices below are in its cache
    return
  fi
  case $target in
    native) arguments=(-DSHUNT_TESTS=OFF) ;;
    asan) arguments=(-DSHUNT_SANITIZE=ON) ;; # the tests are built here alone: under sanitizers, once
    wasi | emscripten) arguments=(-DCMAKE_TOOLCHAIN_FILE="$root/targets/$target/toolchain.cmake") ;;
    wasi-sdk-build) arguments=(-DCMAKE_TOOLCHAIN_FILE="$root/targets/wasi/toolchain.cmake") ;;
    *) fail "no target '$target' (native asan wasi emscripten)" ;;
  esac
  # ccache when there is one: a second build then takes seconds. em++ brings a launcher of its own.
  if [ "$target" != emscripten ] && command -v ccache >/dev/null; then
    arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  say "configure $target"
  cmake -S "$root" -B "$root/build/$target" -G Ninja -DCMAKE_BUILD_TYPE=Release --log-level=WARNING \
    "${arguments[@]}" "$@" >/dev/null
}

build() { # targets...
  local target
  for target in "$@"; do
    configure "$target"
    say "build $target"
    # -k 0: one broken room does not hide the state of the others.
    ninja -C "$root/build/$target" -j "$cores" -k 0
    report_artefact "$target"
  done
}

report_artefact() { # target
  local file
  for file in "$root/build/$1/shunt.wasm" "$root/build/$1/shunt"; do
    [ -f "$file" ] || continue
    say "${file#"$root"/}: $(stat -c %s "$file") bytes, $(gzip -9c "$file" | wc -c) gzip"
  done
}
