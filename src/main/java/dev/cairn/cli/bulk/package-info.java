/**
 * Import and export: {@code docs/import.md} and {@code docs/export.md}.
 *
 * <pre>
 * files ─▶ items ─▶ changes ─▶ segments ─▶ submissions of a stream, or commits
 *          (line)   (wref)     (looked up)  (one at a time, with an idempotency key)
 * </pre>
 *
 * <p>A segment is a part of the input with a bounded size. Before it is sent, the {@linkplain
 * dev.cairn.cli.bulk.ImportState state file} has what is needed to make the same bytes again; so an
 * import that is interrupted anywhere sends the same segment with the same key, and nothing is
 * applied twice. Memory does not grow with the input. Start reading at {@link
 * dev.cairn.cli.bulk.Importer}.
 */
package dev.cairn.cli.bulk;
