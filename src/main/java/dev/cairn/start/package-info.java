/**
 * What happens when the service starts: the first account on an empty database, the demo
 * repository, and the few lines that tell a newcomer what to do next.
 *
 * <p>It may call every service; nothing calls it. Start reading at {@link
 * dev.cairn.start.FirstStart}.
 */
package dev.cairn.start;
