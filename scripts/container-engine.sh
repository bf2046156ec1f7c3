#!/usr/bin/env bash
# An engine for containers, for the tests of the image and the stack: prints the DOCKER_HOST of an engine that answers, else of Debian's, which it
# installs and starts on a socket of its own in FOLDER. Exits with 1 and says why where none can run: no privileges, or another system.
#
#   scripts/container-engine.sh start FOLDER
#   scripts/container-engine.sh stop FOLDER    ends the engine it has started, with its images
set -euo pipefail

action="${1:?start or stop?}" folder="${2:?which folder?}"
pid="$folder/pid"

no_engine() { echo "no container engine: $*" >&2; exit 1; }

if [ "$action" = stop ]; then
  if [ -s "$pid" ]; then
    engine="$(cat "$pid")"
    kill "$engine" 2> /dev/null || true
    for _ in $(seq 60); do [ -e "/proc/$engine" ] || break; sleep 0.5; done
  fi
  rm -rf "$folder"
  exit
fi

if docker version > /dev/null 2>&1; then
  echo "${DOCKER_HOST:-unix:///var/run/docker.sock}"
  exit
fi
[ "$(id -u)" = 0 ] || no_engine 'none answers, and only root can start one'
if ! command -v dockerd > /dev/null || ! command -v debootstrap > /dev/null; then
  command -v apt-get > /dev/null || no_engine 'none answers, and without apt-get none can be installed'
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends docker.io debootstrap; } \
    < /dev/null > /dev/null 2>&1 || no_engine 'docker.io cannot be installed'
fi

mkdir -p "$folder"
host="unix://$folder/docker.sock"
# It takes overlay2 where the file system allows it, else vfs.
nohup dockerd --host "$host" --data-root "$folder/data" --exec-root "$folder/exec" --pidfile "$pid" < /dev/null > "$folder/log" 2>&1 &
for _ in $(seq 60); do
  if DOCKER_HOST="$host" docker version > /dev/null 2>&1; then
    echo "$host"
    exit
  fi
  sleep 0.5
  kill -0 "$!" 2> /dev/null || break
done
no_engine "$(tail -n 1 "$folder/log" 2> /dev/null)"
