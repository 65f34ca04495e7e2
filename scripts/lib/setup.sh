# Installs what a verb needs and nothing else: Debian packages by name, a Node of our own where the
# system's is too old, and locked npm trees. Safe to run again. SHUNT_SETUP_DRY=1 prints what would be
# installed.

node_major_min=20
node_pinned=22.23.3
node_prefix=$root/build/tools/node

# name | why, once per group: the first lines a newcomer reads when something is missing.
declare -A group_why=(
  [native]="the native command and the tests (g++, CMake, GoogleTest, fmt, CLI11, nlohmann/json)"
  [wasi]="WebAssembly by clang and wasi-libc"
  [emscripten]="WebAssembly by Emscripten"
  [node]="the scripts and the JavaScript side"
  [format]="the format check"
  [lint]="clang-tidy"
)
declare -A group_packages=(
  [native]="g++ cmake ninja-build ccache libgtest-dev libfmt-dev libcli11-dev nlohmann-json3-dev"
  [wasi]="cmake ninja-build ccache clang-19 lld-19 llvm-19 binaryen wasi-libc
          libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32"
  [emscripten]="cmake ninja-build ccache emscripten"
  [format]="clang-format-19"
  [lint]="clang-tidy-19 clang-19"
)

dry() { [ -n "${SHUNT_SETUP_DRY:-}" ]; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "must be root, or have sudo, to run: $*"
  fi
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

apt_updated=
apt_install() { # why, packages...
  local why=$1 missing=() package
  shift
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "missing for $why: ${missing[*]}"
  if dry; then return 0; fi
  command -v apt-get >/dev/null || fail "no apt-get here: install these by hand: ${missing[*]}"
  if [ -z "$apt_updated" ]; then
    as_root apt-get update -q
    apt_updated=1
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    -o DPkg::Lock::Timeout=300 "${missing[@]}"
}

node_is_new_enough() {
  local version
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  [ "${version%%.*}" -ge "$node_major_min" ]
}

# Puts a Node >= 20 first in PATH. NodeSource's nodejs brings npm along; Debian 12's does not, and is Node 18.
use_node() {
  if node_is_new_enough node; then return 0; fi
  if ! [ -x "$node_prefix/bin/node" ]; then
    command -v npm >/dev/null || apt_install "${group_why[node]}" nodejs npm ca-certificates
    if ! node_is_new_enough node; then
      say "Node >= $node_major_min is missing: npm's Node $node_pinned goes into ${node_prefix#"$root"/}"
      if dry; then return 0; fi
      install_own_node
    fi
  fi
  if [ -x "$node_prefix/bin/node" ]; then export PATH="$node_prefix/bin:$PATH"; fi
}

# The package of one architecture is only the binary: no install script, so it also works where npm
# blocks those.
install_own_node() {
  local arch
  case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64) arch=arm64 ;;
    *) fail "npm has no Node for $(uname -m): install Node >= $node_major_min by hand" ;;
  esac
  mkdir -p "$node_prefix/bin"
  npm install --prefix "$node_prefix" --no-save --no-audit --no-fund --loglevel=error \
    "node-linux-$arch@$node_pinned"
  ln -sf "../node_modules/node-linux-$arch/bin/node" "$node_prefix/bin/node"
  node_is_new_enough "$node_prefix/bin/node" || fail "npm's Node does not run here"
}

# Every locked npm tree of the project; npm leaves a copy of the lock behind, so an up-to-date tree
# costs nothing.
npm_trees() {
  local lock tree
  while IFS= read -r lock; do
    tree=$(dirname "$lock")
    if [ "$tree/node_modules/.package-lock.json" -nt "$lock" ]; then continue; fi
    say "npm ci in ${tree#"$root"/}"
    if dry; then continue; fi
    command -v npm >/dev/null || apt_install "npm ci" npm
    (cd "$tree" && npm ci --no-audit --no-fund --loglevel=error)
  done < <(find "$root/host-bindings" "$root/tests" -name node_modules -prune -o \
    -name package-lock.json -print)
}

setup_group() {
  case $1 in
    native | wasi | emscripten | format | lint)
      # shellcheck disable=SC2086  # the list is split on purpose
      apt_install "${group_why[$1]}" ${group_packages[$1]}
      ;;
    node) use_node ;;
    edge)
      use_node
      npm_trees
      ;;
    all) setup native wasi emscripten format edge ;;
    *) fail "setup: unknown group '$1' (native, wasi, emscripten, format, lint, node, edge, all)" ;;
  esac
}

setup() {
  local group
  for group in "$@"; do setup_group "$group"; done
}
