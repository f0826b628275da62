/**
 * Bounds what clients can take of this process: connections, and the memory of requests that
 * arrive, of parsed bodies, of pages, and of answers that were sent and not read. See {@code
 * docs/limits.md}, Memory.
 *
 * <p>Every bound is a room: a part of the heap ({@link dev.cairn.platform.memory.HeapShare}) in
 * which each account or network address has a limited share. What finds no room waits, is
 * shortened, or is ended.
 *
 * <p>It calls {@code page}, {@code http}, {@code limiter}, {@code platform} and {@code model}.
 * Start reading at {@link dev.cairn.platform.memory.ArrivingBodies} for requests, and at {@link
 * dev.cairn.platform.memory.PageRoom} for answers.
 */
package dev.cairn.platform.memory;
