/**
 * Who calls: accounts and their passwords, sign-in, access tokens with their signing keys, tokens
 * of an external issuer, and the caller of each request.
 *
 * <p>It calls all other parts of {@code access}, and {@code work}, {@code platform} and {@code
 * model}; no other part of {@code access} calls it. Start reading at {@link
 * dev.cairn.access.authentication.SignIn} and {@code BearerAuthentication}.
 */
package dev.cairn.access.authentication;
