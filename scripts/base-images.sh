#!/usr/bin/env bash
# Makes stand-ins of the images that deploy/image/Dockerfile and docker-compose.yml start from, where no registry of images can be reached:
# Debian by debootstrap, Node and its npm out of the npm registry, Kafka's jars from Maven Central, the rest from Debian's packages. They
# get the real names, so that nothing else changes; Redis, Prometheus and Alertmanager are of Debian's versions. An image that is there
# already is left alone. Grafana is in no package: leave it out, as docs/guides/install.md says.
#
#   scripts/base-images.sh             as root, with docker, debootstrap, mvn, java, npm
#   scripts/base-images.sh --save FILE   also writes them as an archive for `docker load` on a machine without any registry
#
# They trust the certificate authorities of this machine, which a proxy that inspects TLS needs. DEBIAN_MIRROR names another mirror
# than that of debootstrap.
set -euo pipefail
cd "$(dirname "$0")/.."

save=''
case "${1:-}" in
  --save) save="${2:?into which file?}" ;;
  '') ;;
  *) echo "usage: scripts/base-images.sh [--save FILE]" >&2; exit 2 ;;
esac

suite=bookworm
debian="plimsoll-base:$suite"
cache="${PLIMSOLL_CACHE:-$PWD/.cache}"
authorities=/etc/ssl/certs/ca-certificates.crt
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

is_there() { docker image inspect "$1" > /dev/null 2>&1; }

# build NAME FOLDER: an image from the Dockerfile on stdin.
build() {
  cat > "$2/Dockerfile"
  docker build --quiet --label dev.plimsoll.stand-in=true --tag "$1" "$2" > /dev/null 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
}

apt() { echo "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $* > /dev/null && rm -rf /var/lib/apt/lists/*"; }

make_debian() {
  is_there "$debian" && return
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$work/root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} > "$work/log" || { tail "$work/log" >&2; exit 1; }
  [ -e "$authorities" ] && cp "$authorities" "$work/root$authorities"
  tar -C "$work/root" -c --exclude='./var/cache/apt/*' --exclude='./var/lib/apt/lists/*' --exclude='./usr/share/doc/*' \
    --exclude='./usr/share/man/*/*' --exclude='./usr/share/locale/*' . | docker import --change 'CMD ["bash"]' - "$debian" > /dev/null
  rm -rf "$work/root"
}

make_node() {
  local version="${1#node:}" made="$work/node"
  scripts/node-release.sh "${version%%-*}" "$made"
  build "$1" "$made" << DOCKERFILE
FROM $debian
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
COPY bin /usr/local/bin
COPY lib /usr/local/lib
ENV NODE_EXTRA_CA_CERTS=$authorities
CMD ["node"]
DOCKERFILE
}

# What the image of Apache Kafka does at its start: its settings are variables, with _ for a dot, __ for _ and ___ for a dash.
kafka_start() {
  cat << 'SCRIPT'
#!/bin/bash
set -euo pipefail
settings=/tmp/server.properties
env | grep '^KAFKA_' | grep -vE '^KAFKA_(HEAP_OPTS|OPTS|VERSION)=' | while IFS='=' read -r name value; do
  name="$(sed -e 's/^KAFKA_//' -e 's/___/-/g' -e 's/__/\x01/g' -e 's/_/./g' -e 's/\x01/_/g' <<< "$name" | tr 'A-Z' 'a-z')"
  echo "$name=$value"
done > "$settings"
java=(java ${KAFKA_HEAP_OPTS:--Xms256m -Xmx1g} ${KAFKA_OPTS:-} -Dlog4j2.configurationFile=/opt/kafka/config/log4j2.properties -cp '/opt/kafka/libs/*')
"${java[@]}" kafka.tools.StorageTool format --ignore-formatted --cluster-id "${CLUSTER_ID:-5L6g3nShT-eMCtK--X86sw}" --config "$settings"
exec "${java[@]}" kafka.Kafka "$settings"
SCRIPT
}

make_kafka() {
  local version="${1##*:}" jars made="$work/kafka"
  jars="$cache/kafka/$version"
  mkdir -p "$made/libs" "$made/config" "$made/bin"
  if [ -d "$jars" ]; then cp "$jars"/*.jar "$made/libs"
  else mvn -q -B -f test/support/kafka/pom.xml "-Dkafka.version=$version" -DincludeScope=runtime "-DoutputDirectory=$made/libs" dependency:copy-dependencies
  fi
  # The tools, which a broker does not need and the check of its health does.
  mvn -q -B -f test/support/kafka/pom.xml dependency:copy "-Dartifact=org.apache.kafka:kafka-tools:$version" "-DoutputDirectory=$made/libs"
  cp test/support/kafka/log4j2.properties "$made/config"
  kafka_start > "$made/run"
  printf '#!/bin/sh\nexec java -Xmx128m -XX:TieredStopAtLevel=1 -cp "/opt/kafka/libs/*" org.apache.kafka.tools.BrokerApiVersionsCommand "$@"\n' \
    > "$made/bin/kafka-broker-api-versions.sh"
  chmod +x "$made/run" "$made/bin/kafka-broker-api-versions.sh"
  build "$1" "$made" << DOCKERFILE
FROM $debian
RUN $(apt openjdk-17-jre-headless)
RUN useradd --uid 1000 --create-home appuser && mkdir -p /var/lib/kafka/data && chown appuser /var/lib/kafka/data
COPY libs /opt/kafka/libs
COPY config /opt/kafka/config
COPY bin /opt/kafka/bin
COPY run /etc/kafka/docker/run
USER appuser
EXPOSE 9092
CMD ["/etc/kafka/docker/run"]
DOCKERFILE
}

make_redis() {
  local made="$work/redis"
  mkdir "$made"
  # As in the real image, clients may come from outside of the container.
  printf '#!/bin/sh\nif [ "$1" = redis-server ]; then shift; set -- redis-server --protected-mode no "$@"; fi\nexec "$@"\n' > "$made/start"
  chmod +x "$made/start"
  build "$1" "$made" << DOCKERFILE
FROM $debian
RUN $(apt redis-server) && mkdir -p /data && chown redis /data
COPY start /usr/local/bin/start
USER redis
WORKDIR /data
VOLUME /data
EXPOSE 6379
ENTRYPOINT ["start"]
CMD ["redis-server"]
DOCKERFILE
}

# make_prometheus NAME PACKAGE PROGRAM PORT: Prometheus or Alertmanager, which are alike.
make_prometheus() {
  local made="$work/$3"
  mkdir "$made"
  build "$1" "$made" << DOCKERFILE
FROM $debian
RUN $(apt "$2" wget) && ln -s "/usr/bin/$2" "/bin/$3" ; mkdir -p "/$3" "/etc/$3" && chown nobody "/$3"
USER nobody
WORKDIR /$3
EXPOSE $4
ENTRYPOINT ["/usr/bin/$2"]
CMD ["--config.file=/etc/$3/$3.yml"]
DOCKERFILE
}

names="$(sed -n -e 's/^FROM \([^ ]*\).*/\1/p' deploy/image/Dockerfile; sed -n -e 's/^ *image: \([^ ]*\)$/\1/p' docker-compose.yml)"
made=()
for name in $(grep -v "^plimsoll:" <<< "$names" | sort -u); do
  if is_there "$name"; then echo "$name is there"; made+=("$name"); continue; fi
  case "$name" in
    node:*) make_debian; make_node "$name" ;;
    apache/kafka:*) make_debian; make_kafka "$name" ;;
    redis:*) make_debian; make_redis "$name" ;;
    prom/prometheus:*) make_debian; make_prometheus "$name" prometheus prometheus 9090 ;;
    prom/alertmanager:*) make_debian; make_prometheus "$name" prometheus-alertmanager alertmanager 9093 ;;
    grafana/*) echo "$name cannot be made: no package has Grafana"; continue ;;
    *) echo "base-images: no way to make \`$name\`" >&2; exit 1 ;;
  esac
  echo "$name is made"
  made+=("$name")
done
[ -z "$save" ] || docker save --output "$save" "${made[@]}"
