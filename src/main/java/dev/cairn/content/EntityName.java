package dev.cairn.content;

/** The name of an entity in its repository: {@code shapeName/name}. */
public record EntityName(String shapeName, String name) {}
