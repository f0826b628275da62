package dev.cairn.client;

/**
 * A removed binding.
 *
 * @param unbound always true
 * @param subscriptionName a subscription's name, unique within its repository. No segment is empty,
 *     {@code .} or {@code ..}
 */
public record Unbound(boolean unbound, String subscriptionName) {}
