package dev.cairn.content;

/** A statement with its parameters, in order. */
public record Statement(String sql, Object[] parameters) {}
