package dev.cairn.client;

import java.util.List;

/**
 * A page of organizations.
 *
 * @param items the organizations
 * @param nextCursor an opaque cursor for the next page; null on the last page
 */
public record OrganizationPage(List<Organization> items, @Nullable String nextCursor)
    implements Page<Organization> {}
