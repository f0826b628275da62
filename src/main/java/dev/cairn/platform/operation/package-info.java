/**
 * How a replica is operated: graceful shutdown, its roles, spans of requests and limits of metrics,
 * the paths for health checks, and the end of the process when its memory has run out. See {@code
 * docs/operation.md} and {@code docs/monitoring.md}.
 *
 * <p>It calls {@code memory}, {@code http}, {@code platform} and {@code model}; no other part of
 * {@code platform} calls it. Start reading at {@link
 * dev.cairn.platform.operation.GracefulShutdown}.
 */
package dev.cairn.platform.operation;
