#!/usr/bin/env bash
# Makes this checkout of deadheat runnable: its libraries, and TypeScript built. Does nothing where that is done already.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

version=$(node --version 2> /dev/null || echo none)
if ! node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' 2> /dev/null; then
  echo "deadheat needs Node 20.19 or newer, here is: $version. Set one up before, such as by actions/setup-node." >&2
  exit 2
fi
if [ -f "$root/packages/cli/dist/main.js" ] && [ -d "$root/node_modules" ]; then exit 0; fi
cd "$root"
# The script `prepare` builds; devDependencies hold the compiler, whatever NODE_ENV says.
npm ci --include=dev --no-audit --no-fund
