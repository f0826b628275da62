#!/usr/bin/env bash
# Measures the time of a start until the first answer from the database, and the idle memory of the
# service after that:
#
#   export CAIRN_DATABASE_URL=jdbc:postgresql://… CAIRN_DATABASE_USER=… CAIRN_DATABASE_PASSWORD=…
#   export CAIRN_SECRET_KEY=$(openssl rand -base64 32) CAIRN_ADMIN_EMAIL=… CAIRN_ADMIN_PASSWORD=…
#   src/bench/start.sh target/cairn-*-runner
#   src/bench/start.sh java -jar target/quarkus-app/quarkus-run.jar
#
# A first start, which is not counted, migrates the database and creates the demo repository. Then STARTS
# (10) are measured, one after another, with IDLE (5) seconds before the memory is read.
# The output is one line: the median, minimum and maximum of the time to the first answer, the processor
# time until then, and the resident memory. Only on Linux.
set -euo pipefail

starts=${STARTS:-10}
idle=${IDLE:-5}
path=${ANSWER_PATH:-/api/repos/demo/world/things/Country/DE}
export QUARKUS_HTTP_PORT=${QUARKUS_HTTP_PORT:-18080} CAIRN_DEMO=true
ticks=$(getconf CLK_TCK)
log=$(mktemp)
pid=

if [ $# -eq 0 ] || [ -z "${CAIRN_DATABASE_URL:-}" ]; then
  sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi

end() {
  if [ -n "$pid" ]; then
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    pid=
  fi
}
trap 'end; rm -f "$log"' EXIT

# Nothing is ever written here, so reading from it with a timeout is a pause without a process.
exec 9<> <(:)
pause() { read -rt "$1" -u 9 || true; }

# Whether the service answers. Only bash, because starting curl takes longer than a native start.
answers() {
  local status=
  { exec 3<>"/dev/tcp/127.0.0.1/$QUARKUS_HTTP_PORT"; } 2>/dev/null || return 1
  printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$path" >&3
  IFS= read -r -t 5 status <&3 || true
  exec 3>&-
  [[ $status == *" 200 "* ]]
}

# Starts the command, waits for its first answer, and prints the microseconds until then.
start() {
  local began=$EPOCHREALTIME
  "$@" >"$log" 2>&1 &
  pid=$!
  until answers; do
    if ! kill -0 "$pid" 2>/dev/null; then
      echo "It ended:" >&2
      cat "$log" >&2
      exit 1
    fi
    pause 0.002
  done
  took=$((${EPOCHREALTIME/[.,]/} - ${began/[.,]/}))
}

# Processor time of the process so far, in milliseconds.
processor() {
  local stat
  stat=$(<"/proc/$pid/stat")
  # shellcheck disable=SC2086 # the fields after the name, which may contain blanks
  set -- ${stat##*) }
  echo $(((${12} + ${13}) * 1000 / ticks))
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[1], v[NR] }'; }

start "$@"
end
times=()
processors=()
memory=()
for ((i = 0; i < starts; i++)); do
  start "$@"
  times+=($((took / 1000)))
  processors+=("$(processor)")
  pause "$idle"
  memory+=("$(awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$pid/status")")
  end
done
read -r middle least most < <(printf '%s\n' "${times[@]}" | median)
read -r cpu _ < <(printf '%s\n' "${processors[@]}" | median)
read -r rss _ < <(printf '%s\n' "${memory[@]}" | median)
echo "first answer $middle ms ($least to $most), processor $cpu ms, idle $rss MiB: $*"
