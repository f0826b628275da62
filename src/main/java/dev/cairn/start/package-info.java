/**
 * Startup: creates the first account in an empty database and the demo repository, and prints the
 * greeting that tells a new user what to do next.
 *
 * <p>It may call every service; nothing calls it. Start reading at {@link
 * dev.cairn.start.FirstStart}.
 */
package dev.cairn.start;
