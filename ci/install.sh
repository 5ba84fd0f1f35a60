#!/usr/bin/env bash
# Installs deadheat for the scripts beside this one: the package of this checkout's version from npm, below .installed. Does nothing where
# that is done, or where the checkout itself is built.
#
# DEADHEAT_PACKAGE  what npm installs instead, such as deadheat@0.2.0 or tarballs, in words; source = build this checkout
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

version=$(node --version 2> /dev/null || echo none)
if ! node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' 2> /dev/null; then
  echo "deadheat needs Node 20.19 or newer, here is: $version. Set one up before, such as by actions/setup-node." >&2
  exit 2
fi
if [ -f "$root/core/cli/dist/main.js" ] && [ -d "$root/node_modules" ]; then exit 0; fi
if [ -f "$root/.installed/node_modules/deadheat/bin/deadheat.js" ]; then exit 0; fi
own=$(node -p 'require(process.argv[1]).version' "$root/core/deadheat/package.json")
read -r -a packages <<< "${DEADHEAT_PACKAGE:-deadheat@$own}"
if [ "${packages[0]}" = source ]; then
  cd "$root"
  # The script `prepare` builds; devDependencies hold the compiler, whatever NODE_ENV says.
  npm ci --include=dev --no-audit --no-fund
else
  # koffi brings its library as a package for this machine: no script has to run.
  npm install --prefix "$root/.installed" --no-save --ignore-scripts --no-audit --no-fund "${packages[@]}"
fi
