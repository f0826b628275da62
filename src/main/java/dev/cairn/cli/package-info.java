/**
 * The commands of {@code cairn}, for people and scripts: {@code docs/cli.md}. They call the service
 * through {@link dev.cairn.client} and never start Quarkus. Start reading at {@link
 * dev.cairn.cli.CairnCommand}.
 */
package dev.cairn.cli;
