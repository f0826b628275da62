package dev.cairn.oauth;

/**
 * Who is signed in, and the way out.
 *
 * @param returnTo where to go on as somebody else; null for nowhere
 */
record SignOutForm(String action, String csrf, String returnTo, String name, String email) {}
