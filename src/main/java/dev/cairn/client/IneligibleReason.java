package dev.cairn.client;

/**
 * Why a caller may not install a component.
 *
 * @param code the reason ({@code archived}, {@code permission_missing}, {@code delegated_token})
 * @param detail the same for people
 */
public record IneligibleReason(
    @Values({"archived", "permission_missing", "delegated_token"}) String code, String detail) {}
