package dev.cairn.client;

/**
 * A new binding.
 *
 * @param bound always true
 * @param subscriptionName a subscription's name, unique within its repository. No segment is empty,
 *     {@code .} or {@code ..}
 * @param credentialSetName a credential set's name
 * @param subscription the subscription, as it is bound
 */
public record Bound(
    boolean bound, String subscriptionName, String credentialSetName, Subscription subscription) {}
