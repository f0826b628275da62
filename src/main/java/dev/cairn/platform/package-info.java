/**
 * What every capability stands on and none owns: configuration and its checks at start, the thin
 * SQL helper, problem documents, request limits, connections, addresses of clients, reading of
 * parameters and bodies, sealing of secrets, and the embedded PostgreSQL's interface.
 *
 * <p>It calls only {@code model}. Start reading at {@link dev.cairn.platform.Database} and {@link
 * dev.cairn.platform.ProblemMapper}.
 */
package dev.cairn.platform;
