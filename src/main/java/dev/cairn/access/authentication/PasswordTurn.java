package dev.cairn.access.authentication;

import dev.cairn.access.EmailAddress;
import dev.cairn.platform.http.NetworkAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * The keys that share the turns of {@link PasswordHashing}: on each level, the turn goes to whoever
 * used the least time recently.
 *
 * <p>The widest level has two groups: sign-ins of accounts from addresses that are known to them,
 * and all others. So whoever sends many sign-ins from new addresses delays a known one by the
 * password that is being hashed, and no more. Below it, known ones count by their account, however
 * many addresses it has, and others by their networks, because one holder has many addresses.
 *
 * @param levels the widest first
 */
record PasswordTurn(List<String> levels) {
  private static final String KNOWN = "known";
  private static final String OTHERS = "others";

  /** For an account: from an address that is known to it, or by a caller that proved to be it. */
  static PasswordTurn ofAccount(String email) {
    return new PasswordTurn(List.of(KNOWN, EmailAddress.folded(email)));
  }

  /** For anybody at a network address. */
  static PasswordTurn ofAddress(String address) {
    return new PasswordTurn(
        Stream.concat(Stream.of(OTHERS), NetworkAddress.networks(address).stream()).toList());
  }

  /** For the service itself. */
  static PasswordTurn ofService() {
    return new PasswordTurn(List.of(KNOWN, ""));
  }
}
