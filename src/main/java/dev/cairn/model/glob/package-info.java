/**
 * Globs, the patterns over wrefs: parsing, and matching that never takes exponential time. See
 * {@code docs/model.md}, Globs.
 *
 * <p>It calls {@code model} and nothing else. Start reading at {@link dev.cairn.model.glob.Glob}.
 */
package dev.cairn.model.glob;
