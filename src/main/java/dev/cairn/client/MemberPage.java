package dev.cairn.client;

import java.util.List;

/**
 * A page of members.
 *
 * @param items the members and invitations
 * @param nextCursor an opaque cursor for the next page; null on the last page
 */
public record MemberPage(List<Member> items, @Nullable String nextCursor) implements Page<Member> {}
