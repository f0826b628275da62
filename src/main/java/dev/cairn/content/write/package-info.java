/**
 * What a commit finds and writes: {@link dev.cairn.content.write.StoredEntities} looks up the
 * entities that operations name, {@link dev.cairn.content.write.ReferenceReader} their references,
 * and {@link dev.cairn.content.write.ContentWriter}, {@link
 * dev.cairn.content.write.ReferenceWriter} and {@link dev.cairn.content.write.Renaming} write rows.
 * Each statement takes a set of names or rows as arrays, so their number does not depend on that of
 * the operations. {@code CommitPlansTest} counts the rows that the statements touch.
 */
package dev.cairn.content.write;
