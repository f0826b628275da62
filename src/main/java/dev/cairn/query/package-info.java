/**
 * The read path: HEAD, queries, counts, single entities, assertions about an entity, history, and
 * batch look-ups.
 *
 * <p>{@link dev.cairn.content.read} has the statements. Rows contain payloads as JSON text, and
 * {@link dev.cairn.query.Items} writes the envelope around them. Lists use keyset pagination: a
 * cursor contains the keys of the last item, so that it stays valid while others write. Start
 * reading at {@link dev.cairn.query.EntityReads}; the rules are in {@code docs/reads.md}.
 */
package dev.cairn.query;
