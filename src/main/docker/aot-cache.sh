#!/usr/bin/env bash
# Creates the AOT cache of a packaged service: data about classes that a JVM otherwise computes at each
# start. The service runs for some seconds on its embedded PostgreSQL, answers typical requests, and is
# stopped; then the JVM writes the cache.
#
#   ./mvnw package
#   src/main/docker/aot-cache.sh target/quarkus-app target/quarkus-app
#   cd target/quarkus-app && java -XX:AOTCache=cairn.aot @../../src/main/docker/jvm.options -jar quarkus-run.jar
#
# It uses the java of JAVA_HOME, otherwise of the PATH: the cache only works with this build of the JVM and
# with these jars. With others, the JVM logs that and starts without the cache.
set -euo pipefail

options=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/jvm.options
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
port=18099
beside=$(cd "$2" && pwd)
cache=$beside/cairn.aot
data=$(mktemp -d)
log=$data/service.log
trap 'rm -rf "$data"' EXIT

# Prints the whole answer to a request. It only uses bash, because the image of a JRE may not have curl.
token=
ask() {
  { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || return 0
  printf '%s\r\n' "$1 $2 HTTP/1.1" 'Host: localhost' 'Connection: close' "Content-Length: ${#3}" \
    ${3:+'Content-Type: application/json'} ${token:+"Authorization: Bearer $token"} '' >&3
  printf '%s' "$3" >&3
  cat <&3
  exec 3>&-
}

# Sends a request, and ends this script if the status is not 2xx.
must() {
  answer=$(ask "$@")
  if [[ ${answer:9:1} != 2 ]]; then
    printf '%s\n' "$1 $2 was answered with:" "$answer" >&2
    cat "$log" >&2
    kill "$service" 2>/dev/null || true
    exit 1
  fi
}

cd "$1"
env -u CAIRN_DATABASE_URL CAIRN_DATA_DIR="$data/data" QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT=$port \
  CAIRN_ADMIN_EMAIL=admin@example.org CAIRN_ADMIN_PASSWORD=training \
  "$java" "@$options" -XX:AOTCacheOutput="$cache" -jar "$PWD/quarkus-run.jar" >"$log" 2>&1 &
service=$!
for ((i = 0; i < 600; i++)); do
  answer=$(ask GET /q/health/ready '')
  if [[ ${answer:9:3} == 200 ]]; then break; fi
  if ! kill -0 "$service" 2>/dev/null; then break; fi
  sleep 0.1
done

must POST /api/auth/login '{"email":"admin@example.org","password":"training"}'
token=$(sed -n 's/.*"accessToken":"\([^"]*\)".*/\1/p' <<<"$answer")
world=/api/repos/demo/world
must POST "$world/commits" '{"operations":[{"operation":"add","name":"Shape/Trained","data":{"fields":{}}}]}'
for path in "$world/head?shape=Country&limit=50" "$world/things/Country/DE" "$world/about/Country/BG?depth=2" \
  "$world/query?shape=Country&where=numeric:eq:276" "$world/history?wref=Country/DE" "$world/commits" \
  "$world/describe" "$world/export" "$world/verification" "$world/actions/runs" /api/whoami \
  /q/health/live /q/metrics; do
  must GET "$path" ''
done

kill -TERM "$service"
wait "$service" || true
if [ ! -s "$cache" ]; then
  cat "$log" >&2
  exit 1
fi
cat "$options" >"$beside/jvm.options"
# Starts a JVM that fails if it cannot use the cache.
"$java" "@$options" -XX:AOTMode=on -XX:AOTCache="$cache" -cp quarkus-run.jar -version >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}
