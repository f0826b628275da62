#!/bin/sh
# Imports a file of operations and 100,000 rows of CSV by the packaged CLI, kills it in the middle, and
# lets it go on: CliImportIT. Rates and memory are in the output.
#   src/test/operation/import.sh debian-packages.ndjson.gz [-Dimport.rows=100000] ...
# The file has an operation a line, the shapes first, and each of them succeeds in an empty repository.
set -eu
cd "$(dirname "$0")/../../.."
file=$(realpath "${1:?which file of operations}")
shift
./mvnw -B verify -Dtest=KeysTest -Dit.test=CliImportIT -Dimport.file="$file" -Dimport.rows=100000 "$@"
