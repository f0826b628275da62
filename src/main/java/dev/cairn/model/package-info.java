/**
 * The domain model: names, wrefs, shape definitions, operations, canonical JSON, and the vocabulary
 * of errors. Plain Java without a framework, so that unit tests, property tests and benchmarks can
 * use it directly.
 *
 * <p>It depends on no other package of the project, and on neither of its sub-packages: {@code
 * filter} has the filters of operations, and {@code glob}, which they use, the patterns over names.
 * Start reading at {@link dev.cairn.model.Wref} and {@link dev.cairn.model.Operation}; the rules
 * are restated in {@code docs/model.md}.
 */
package dev.cairn.model;
