package dev.cairn.client;

/**
 * How many operations had which effect.
 *
 * @param add how many added an entity
 * @param revise how many revised or retracted one
 * @param rename how many renamed one
 * @param noop how many changed nothing
 * @param error how many failed
 */
public record Effects(int add, int revise, int rename, int noop, int error) {}
