package dev.cairn.client;

/**
 * The result of a verification.
 *
 * @param verified whether everything matches
 * @param commits how many commits were checked
 * @param hash the hash of the newest commit
 * @param brokenAt the first commit that does not match; null if all match
 */
public record Verification(boolean verified, int commits, String hash, @Nullable Long brokenAt) {}
