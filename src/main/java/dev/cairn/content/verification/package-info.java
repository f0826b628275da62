/**
 * Verifies a repository: {@link dev.cairn.content.verification.HistoryVerification} recomputes the
 * hash chain from the stored rows, in one read-only snapshot. {@link
 * dev.cairn.content.verification.PayloadVerification} compares payloads with the hashes that the
 * chain covers, and {@link dev.cairn.content.verification.StateVerification} compares the tables
 * with each other. See {@code docs/commits.md}, Verification.
 */
package dev.cairn.content.verification;
