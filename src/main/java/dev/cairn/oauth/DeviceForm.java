package dev.cairn.oauth;

/**
 * The content of the page that asks for a device's code.
 *
 * @param error what was wrong with the last attempt; null for none
 */
record DeviceForm(String action, String csrf, String userCode, String error, SignOutForm signOut) {}
