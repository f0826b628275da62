#!/bin/sh
# Tries the upgrade from an older commit to the present tree, under load, and the way back: UpgradeIT.
#   src/test/operation/upgrade.sh REVISION [-Dupgrade.seconds=10] [-Dupgrade.things=20000] ...
set -eu
cd "$(dirname "$0")/../../.."
revision=${1:?which revision to upgrade from}
shift
older=$(mktemp -d)
trap 'git worktree remove --force "$older/tree"; rmdir "$older"' EXIT
git worktree add --detach "$older/tree" "$revision"
(cd "$older/tree" && ./mvnw -B -q package -DskipTests)
./mvnw -B verify -Dtest=KeysTest -Dit.test=UpgradeIT \
  -Dupgrade.from="$older/tree/target/quarkus-app/quarkus-run.jar" "$@"
