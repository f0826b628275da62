/**
 * The read path: HEAD, queries, counts, single things, what is asserted about what, history, and
 * batches of look-ups.
 *
 * <p>Rows bring payloads as JSON text, and {@link dev.cairn.query.Items} writes the envelope around
 * them. Lists are paged by keyset: a cursor holds the keys of the last item, so that it stays right
 * while others write. Start reading at {@link dev.cairn.query.EntityReads}; the rules are in {@code
 * docs/reads.md}.
 */
package dev.cairn.query;
