package dev.cairn.oauth;

/**
 * What the page for a device's code shows.
 *
 * @param error what was wrong with the last attempt; null for none
 */
record DeviceForm(String action, String csrf, String userCode, String error, SignOutForm signOut) {}
