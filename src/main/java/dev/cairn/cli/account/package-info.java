/**
 * Commands about the caller and this machine: sign-in, profiles, the chosen repository, checks of
 * the connection, the browser, completion of shells.
 */
package dev.cairn.cli.account;
