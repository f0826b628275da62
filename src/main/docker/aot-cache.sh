#!/usr/bin/env bash
# Makes the AOT cache of a packaged service: what a JVM finds out about its classes at each start, found
# out once. The service runs for some seconds on its embedded PostgreSQL, answers what services are asked
# for, is told to stop, and leaves the cache behind.
#
#   ./mvnw package -Daot
#   src/main/docker/aot-cache.sh target/quarkus-app target/quarkus-app/cairn.aot
#   cd target/quarkus-app && java -XX:AOTCache=cairn.aot @../../src/main/docker/jvm.options -jar quarkus-run.jar
#
# The java is that of JAVA_HOME, else of the PATH: the cache is good for this very build of it, and for
# these very jars. With another one the JVM says so and starts without the cache.
set -euo pipefail

options=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/jvm.options
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
port=18099
beside=$(cd "$2" && pwd)
cache=$beside/cairn.aot
data=$(mktemp -d)
log=$data/service.log
trap 'rm -rf "$data"' EXIT

# The whole answer, asked by bash alone, since an image of a JRE may hold nothing else.
token=
ask() {
  { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || return 0
  printf '%s\r\n' "$1 $2 HTTP/1.1" 'Host: localhost' 'Connection: close' "Content-Length: ${#3}" \
    ${3:+'Content-Type: application/json'} ${token:+"Authorization: Bearer $token"} '' >&3
  printf '%s' "$3" >&3
  cat <&3
  exec 3>&-
}

# Asks, and ends all of this where the answer is no good one.
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
  "$java" "@$options" -XX:AOTCacheOutput="$cache" -jar quarkus-run.jar >"$log" 2>&1 &
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
# A JVM that must have the cache, and ends where it cannot be used.
"$java" "@$options" -XX:AOTMode=on -XX:AOTCache="$cache" -cp quarkus-run.jar -version >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}
