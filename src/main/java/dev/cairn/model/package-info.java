/**
 * The language of the field: names, wrefs, globs, shape definitions, operations, canonical JSON,
 * and the vocabulary of errors. Plain Java without a framework: it can be held in the hands of a
 * unit test, a property test or a benchmark.
 *
 * <p>It calls nobody else of ours. Start reading at {@link dev.cairn.model.Wref} and {@link
 * dev.cairn.model.Operation}; the rules are restated in {@code docs/model.md}.
 */
package dev.cairn.model;
