package dev.cairn.subscription;

import java.util.regex.Pattern;

/** The names of credential sets and of their keys; see {@code docs/credentials.md}. */
public final class CredentialNames {
  /** Maximum number of keys of a set. */
  public static final int MAX_KEYS = ManagedCredentials.MAX_KEYS;

  /** The rule for the name of a set, as a sentence. */
  public static final String SET_RULE =
      "A credential set's name must be a letter or digit followed by at most 99 letters, digits,"
          + " '.', '_' or '-'.";

  /** The rule for the name of a key, as a sentence. */
  public static final String KEY_RULE =
      "A key's name must be a letter or '_' followed by at most 99 letters, digits or '_'.";

  private static final Pattern SET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Pattern KEY = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");

  private CredentialNames() {}

  /** Whether it is the name of a set. */
  public static boolean isSet(String name) {
    return SET.matcher(name).matches();
  }

  /** Whether it is the name of a key. */
  public static boolean isKey(String name) {
    return KEY.matcher(name).matches();
  }
}
