/**
 * The rules of HTTP for all endpoints: message framing, request targets, sizes, query parameters
 * and JSON bodies; the client's address and the service's own URL; problem documents. A pattern in
 * the path of a route begins with {@code \\G}: otherwise the framework tries it from each character
 * of the path on.
 *
 * <p>It calls {@code database} (for the failures that have a problem document), {@code platform}
 * and {@code model}. Start reading at {@link dev.cairn.platform.http.RequestLimits} and {@link
 * dev.cairn.platform.http.ProblemMapper}.
 */
package dev.cairn.platform.http;
