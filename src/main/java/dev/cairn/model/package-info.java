/**
 * The domain model: names, wrefs, globs, shape definitions, operations, canonical JSON, and the
 * vocabulary of errors. Plain Java without a framework, so that unit tests, property tests and
 * benchmarks can use it directly.
 *
 * <p>It depends on no other package of the project. Start reading at {@link dev.cairn.model.Wref}
 * and {@link dev.cairn.model.Operation}; the rules are restated in {@code docs/model.md}.
 */
package dev.cairn.model;
