/**
 * Exports of a repository's content as NDJSON, in an order in which the entities can be added
 * again: streamed, or built by a worker and downloaded.
 *
 * <pre>
 * job:  pending ──built──▶ complete ──24 h──▶ deleted
 *          │  ▲
 *          │  └─ a worker died or failed: the next attempt, from the beginning
 *          └──after 5 attempts, or 2 whose worker died──▶ failed
 * </pre>
 *
 * <p>Every change of a job is guarded by its state and attempt, and a chunk belongs to an attempt:
 * a worker that lost its job writes nothing that is ever read. Start reading at {@link
 * dev.cairn.export.ExportResource}; {@link dev.cairn.export.NdjsonWriter} writes the lines, and
 * {@link dev.cairn.export.ExportKind} makes exports a kind of leased work for {@code work}. The
 * rules are in {@code docs/export.md}.
 */
package dev.cairn.export;
