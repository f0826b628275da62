package dev.cairn.client;

import java.util.List;

/**
 * An entity and the newest assertions about it.
 *
 * @param target the entity
 * @param assertions the assertions about it, newest first
 * @param assertionsTruncated there are more assertions about it; null if absent
 */
public record AboutItem(
    Item target, List<Assertion> assertions, @Nullable Boolean assertionsTruncated) {}
