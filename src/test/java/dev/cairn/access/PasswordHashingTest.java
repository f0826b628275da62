package dev.cairn.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Access: passwords. */
class PasswordHashingTest {
  private final PasswordHashing passwords = new PasswordHashing();

  /** All but the salt and the hash: the algorithm and what makes it take its time. */
  private static String cost(String hash) {
    return hash.substring(0, hash.indexOf("p=1$"));
  }

  @Test
  void where_there_is_no_account_the_same_work_is_done_as_where_there_is_one() {
    var hash = passwords.hash("a good long password");
    assertEquals(cost(hash), cost(PasswordHashing.NOBODY));
    assertEquals(hash.length(), PasswordHashing.NOBODY.length());
    assertTrue(passwords.matches("a good long password", hash));
    assertFalse(passwords.matches("another password", hash));
    assertFalse(passwords.matches("a good long password", null));
  }
}
