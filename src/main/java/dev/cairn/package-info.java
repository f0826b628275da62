/**
 * Cairn, a versioned repository service for structured knowledge. Each package below is one
 * capability; {@code docs/architecture.md} draws how they stand on each other.
 */
package dev.cairn;
