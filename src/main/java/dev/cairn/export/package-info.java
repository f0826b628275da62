/**
 * A repository's content as lines of NDJSON, in an order in which they can be added again: as a
 * stream, or built by a worker and downloaded.
 *
 * <pre>
 * job:  pending ──built──▶ complete ──24 h──▶ gone
 *          │  ▲
 *          │  └─ a worker died or failed: the next attempt, from the beginning
 *          └──after 5 attempts, or 2 whose worker died──▶ failed
 * </pre>
 *
 * <p>Every change of a job is guarded by its state and attempt, and a chunk belongs to an attempt:
 * a worker that lost its job writes nothing that anybody reads. Start reading at {@link
 * dev.cairn.export.ExportResource}; {@link dev.cairn.export.Lines} writes the lines. {@link
 * dev.cairn.export.ExportKind} is what {@code work} knows of jobs. The rules are in {@code
 * docs/export.md}.
 */
package dev.cairn.export;
