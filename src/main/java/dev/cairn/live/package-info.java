/**
 * Live updates: who follows a repository is told of each of its commits, by an event stream, a
 * WebSocket, or a read that waits.
 *
 * <pre>
 * commit → CommitSignals → NOTIFY → CommitSignals of each replica → Watches → each Watch
 *                                                                              (wakes its thread)
 *          Changes (what a commit changed, read once for all who follow) ←─────┘
 * </pre>
 *
 * <p>No changes are kept for a client: it has a position in the log of commits, from which it reads
 * on as fast as it can, so that a slow one uses no memory and a lost connection loses nothing. What
 * it asks for is kept, and bounded by {@link dev.cairn.live.ClientRoom}. {@link
 * dev.cairn.live.AccessChecks} authorizes all again who follow. Start reading at {@link
 * dev.cairn.live.ChangeStreams}, which event streams and subscriptions of MCP share, and {@link
 * dev.cairn.live.LiveQuerySession}, of which each client of live queries has one; the rules are in
 * {@code docs/live.md}.
 */
package dev.cairn.live;
