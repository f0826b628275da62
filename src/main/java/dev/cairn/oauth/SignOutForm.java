package dev.cairn.oauth;

/**
 * The account that is signed in, and the form to sign out.
 *
 * @param returnTo the path to return to after signing in with another account; null for none
 */
record SignOutForm(String action, String csrf, String returnTo, String name, String email) {}
