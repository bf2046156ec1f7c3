#!/usr/bin/env bash
# Puts Node VERSION with the npm that it ships into FOLDER (bin/node, bin/npm), for Linux, out of the npm registry: without nodejs.org and
# without Docker. The first upgrade of npm in Node's own changelog, which lies in its package, tells which npm that is.
#
#   scripts/node-release.sh 24.21.0 FOLDER
set -euo pipefail

version="${1:?which version of Node?}" folder="${2:?into which folder?}"
mkdir -p "$folder/bin" "$folder/lib/node_modules"
folder="$(cd "$folder" && pwd)"
made="$(mktemp -d)"
trap 'rm -rf "$made"' EXIT

case "$(uname -m)" in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) echo "node-release: no Node in the npm registry for \`$(uname -m)\`" >&2; exit 1 ;;
esac

# unpack PACKAGE@VERSION TARGET
unpack() {
  local archive
  archive="$(cd "$made" && npm pack --silent "$1")"
  mkdir -p "$2"
  tar -xzf "$made/$archive" -C "$2" --strip-components 1
}

unpack "node-linux-$arch@$version" "$made/node"
npm="$(sed -n 's/.*\*\*deps\*\*: upgrade npm to \([0-9.]*\).*/\1/p' "$made/node/CHANGELOG.md" | head -n 1)"
[ -n "$npm" ] || { echo "node-release: the changelog of Node $version names no npm" >&2; exit 1; }
cp "$made/node/bin/node" "$folder/bin/node"
unpack "npm@$npm" "$folder/lib/node_modules/npm"
for name in npm npx; do
  ln -sf "../lib/node_modules/npm/bin/$name-cli.js" "$folder/bin/$name"
  chmod +x "$folder/lib/node_modules/npm/bin/$name-cli.js"
done
echo "node $version, npm $npm"
