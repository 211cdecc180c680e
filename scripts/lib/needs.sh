# What the scripts need of the machine. Sourced, not run.

say() { printf '%s\n' "$*" >&2; }

step() {
  say "== $1"
  shift
  "$@"
}

# need_package <command> <Debian package>
need_package() {
  command -v "$1" >/dev/null 2>&1 || install_package "$2"
  command -v "$1" >/dev/null 2>&1 || give_up "$1 is missing" "$2"
}

# need_file <path> <Debian package>
need_file() {
  [ -e "$1" ] || install_package "$2"
  [ -e "$1" ] || give_up "$1 is missing" "$2"
}

# need_python_module <module> <Debian package>
need_python_module() {
  python3 -c "import $1" 2>/dev/null || install_package "$2"
  python3 -c "import $1" 2>/dev/null || give_up "Python's $1 is missing" "$2"
}

need_cargo() {
  command -v cargo >/dev/null 2>&1 && return
  say "cargo is missing: install Rust with https://rustup.rs"
  exit 1
}

# need_component <command> <rustup component>
need_component() {
  command -v "$1" >/dev/null 2>&1 && "$1" --version >/dev/null 2>&1 && return
  rustup component add "$2" && return
  say "$2 is missing: rustup component add $2"
  exit 1
}

# need_cargo_tool <crate>
need_cargo_tool() {
  command -v "$1" >/dev/null 2>&1 && return
  say "installing $1 (a few minutes, once)"
  cargo install --locked "$1" && return
  say "$1 is missing: cargo install --locked $1"
  exit 1
}

install_package() {
  command -v apt-get >/dev/null 2>&1 || return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || return 0
    as_root=(sudo)
  fi
  say "installing $1"
  "${as_root[@]}" apt-get update -qq && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$1" >&2 || true
}

give_up() {
  say "$1: apt-get install $2 (on Debian and Ubuntu)"
  exit 1
}
