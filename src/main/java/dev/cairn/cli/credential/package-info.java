/**
 * Commands about secrets: personal access tokens and credential sets. No option has a secret;
 * values come from the terminal without being shown, from the standard input, or from files.
 */
package dev.cairn.cli.credential;
