package dev.cairn.search;

/** An entity and how well it matches. */
record ScoredEntity(long id, double score) {}
