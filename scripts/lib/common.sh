# Words shared by the verbs of scripts/dev. Sourced, never run; knows the tree and how to speak, no verb.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cores=$(nproc 2>/dev/null || echo 2)

say() { printf '\033[1m==>\033[0m %s\n' "$*"; }
fail() {
  printf 'scripts/dev: %s\n' "$*" >&2
  exit 1
}
