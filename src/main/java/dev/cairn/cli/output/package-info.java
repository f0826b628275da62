/**
 * What commands write: tables and key-value views for people, tab-separated lines and JSON for
 * programs, messages and progress on the standard error. Nothing here knows the API. Start reading
 * at {@link dev.cairn.cli.output.Output}.
 */
package dev.cairn.cli.output;
