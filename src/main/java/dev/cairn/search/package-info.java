/**
 * Full-text search: the index of each repository, which follows its commits, and the search.
 *
 * <pre>
 * commit ──marks as due──▶ search_index ──claimed by──▶ IndexKind ──slices──▶ Indexer
 *                                                                               │ writes
 * TextSearch ──reads── search_document, joined with HEAD ◀──────────────────────┘
 * </pre>
 *
 * <p>A document is what can be searched of an entity ({@link dev.cairn.search.DocumentWords}). It
 * may be older than its entity: the index says up to which commit it is complete. So a search takes
 * from documents only which entities match and how well, and everything else from HEAD.
 *
 * <p>Start reading at {@link dev.cairn.search.TextSearch} and {@link dev.cairn.search.Indexer}; the
 * rules are in {@code docs/search.md}.
 */
package dev.cairn.search;
