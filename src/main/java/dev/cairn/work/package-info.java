/**
 * Leased work: work that waits in the database and is done once over all replicas, whichever of
 * them find it.
 *
 * <p>It calls only {@code platform}.
 */
package dev.cairn.work;
