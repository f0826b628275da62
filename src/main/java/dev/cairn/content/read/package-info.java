/**
 * The statements of reads of a repository, each with the record that its rows become.
 *
 * <ul>
 *   <li>of entities: {@link dev.cairn.content.read.EntitiesByName}, whose rows are {@link
 *       dev.cairn.content.read.EntityDetails}, {@link dev.cairn.content.read.EntityPages} with
 *       their {@link dev.cairn.content.read.PageKey}, {@link dev.cairn.content.read.EntityIds},
 *       {@link dev.cairn.content.read.EntityCounts}
 *   <li>of shapes: {@link dev.cairn.content.read.ShapeList}, {@link
 *       dev.cairn.content.read.ShapeSamples}, {@link dev.cairn.content.read.ShapeWalk}
 *   <li>of assertions and references: {@link dev.cairn.content.read.AssertionPages} with their
 *       {@link dev.cairn.content.read.AssertionTargets} and {@link
 *       dev.cairn.content.read.AboutOrder}, {@link dev.cairn.content.read.EntityReferences}, {@link
 *       dev.cairn.content.read.ContainingCollections}
 *   <li>of the past: {@link dev.cairn.content.read.History}, {@link
 *       dev.cairn.content.read.Differences}, {@link dev.cairn.content.read.StoredCommits}
 *   <li>of everything, for an export: {@link dev.cairn.content.read.RepositoryTables}
 * </ul>
 *
 * <p>Statements that a caller extends, by a filter or a page, are returned as {@link
 * dev.cairn.content.Statement}; the others are run here.
 *
 * <p>The packages {@code query}, {@code commit} and {@code export}, which call this one, check who
 * may read. They also define cursors and the form of answers. A statement for a page reads one row
 * more than the page has, by which {@link dev.cairn.platform.page.Pager} knows that another page
 * follows. {@code ReadPlansTest} counts the rows that the statements touch.
 */
package dev.cairn.content.read;
