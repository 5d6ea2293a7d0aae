#!/bin/sh
# Starts the program: the executable if its package is installed, else Bun. Reads nothing of the working directory.
here=$(readlink -f "$0") || exit
here=${here%/bin/*}

# As Node looks for a package: in the node_modules of each directory above. An executable runs where its loader is.
above=$here
while [ -n "$above" ]; do
  above=${above%/*}
  for build in linux-x64:/lib64/ld-linux-x86-64.so.2 linux-x64-musl:/lib/ld-musl-x86_64.so.1 \
    darwin-arm64:/usr/lib/dyld darwin-x64:/usr/lib/dyld; do
    program=$above/node_modules/opentui-sidecar-${build%%:*}/opentui-sidecar
    if [ -x "$program" ] && [ -e "${build#*:}" ]; then exec "$program" "$@"; fi
  done
done

if command -v bun >/dev/null 2>&1; then
  exec bun --config=/dev/null --no-env-file --tsconfig-override=/dev/null --no-install "$here/src/main.tsx" "$@"
fi
echo 'opentui-sidecar: Bun is not installed: run "npm install -g bun", or on Linux x64' \
  '"npm install -g opentui-sidecar-linux-x64", which needs no Bun' >&2
exit 127
