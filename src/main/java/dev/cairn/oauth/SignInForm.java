package dev.cairn.oauth;

/**
 * The content of the sign-in page.
 *
 * @param error what was wrong with the last attempt; null for none
 * @param returnTo the path of the page to return to; null for none
 */
record SignInForm(String action, String csrf, String returnTo, String email, String error) {}
