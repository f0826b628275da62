#!/bin/sh
# Cuts streaming submissions of a file off in the middle, by the connection and by killing the service, and sends
# them again: StreamsIT.
#   src/test/operation/stream.sh debian-packages.ndjson [-Dstream.heap=512m] ...
# The file has an operation a line, the shapes first, and each of them succeeds in an empty repository.
set -eu
cd "$(dirname "$0")/../../.."
file=$(realpath "${1:?which file of operations}")
shift
./mvnw -B verify -Dtest=KeysTest -Dit.test=StreamsIT -Dstream.file="$file" "$@"
