/**
 * Search by words and by vectors: the index of each repository, which follows its commits, and the
 * search.
 *
 * <pre>
 * commit ──marks as due──▶ search_index ──claimed by──▶ IndexKind ──slices──▶ Indexer
 *                                                                             │ writes, by
 * EntitySearch ──reads── search_document, search_vector, joined with HEAD ◀─ PartWriter
 * </pre>
 *
 * <p>A document is what can be searched of an entity ({@link dev.cairn.search.DocumentWords}), and
 * a vector what it is similar to ({@link dev.cairn.search.Embedder}): two parts of the index that
 * proceed independently. They may be older than their entity: the index says up to which commit
 * they are complete. So a search takes from them only which entities match and how well, and
 * everything else from HEAD. {@link dev.cairn.search.WordIndexRebuild} and {@link
 * dev.cairn.search.SignatureIndexes} maintain the indexes of the database.
 *
 * <p>Start reading at {@link dev.cairn.search.EntitySearch} and {@link dev.cairn.search.Indexer};
 * the rules are in {@code docs/search.md}.
 */
package dev.cairn.search;
