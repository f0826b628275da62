/**
 * Streaming submissions: operations as NDJSON, applied while they arrive, with results that are
 * sent while they do.
 *
 * <pre>
 * body ─▶ lines ─▶ replayed (applied before, by the same idempotency key)
 *                └▶ batches ─▶ a commit each ─▶ result lines ─▶ … ─▶ summary
 * </pre>
 *
 * <p>A run holds the lease of its stream. Each commit checks the lease, and stores how far the run
 * has come, in its own transaction: so each line is applied once, whatever is interrupted. Start
 * reading at {@link dev.cairn.stream.StreamResource} and {@link dev.cairn.stream.Submission};
 * {@link dev.cairn.stream.StreamRoute} hides the path where streams are off. The rules are in
 * {@code docs/streams.md}.
 */
package dev.cairn.stream;
