/**
 * Organizations, their members, and their repositories with what belongs to each from the start.
 *
 * <p>It calls {@code content}, {@code access}, {@code egress}, {@code platform} and {@code model}.
 * Start reading at {@link dev.cairn.tenant.Organizations} and {@link
 * dev.cairn.tenant.Repositories}; the rules are in {@code docs/access.md}.
 */
package dev.cairn.tenant;
