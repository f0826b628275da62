package dev.cairn.client;

/**
 * A broken rule.
 *
 * @param pointer a JSON pointer from the root of the body, or {@code ?} and the name of a parameter
 * @param detail the rule and the actual value
 */
public record Violation(String pointer, String detail) {}
