package dev.cairn.oauth;

/**
 * What the sign-in page shows.
 *
 * @param error what was wrong with the last attempt; null for none
 * @param returnTo where to go on afterwards; null for nowhere
 */
record SignInForm(String action, String csrf, String returnTo, String email, String error) {}
