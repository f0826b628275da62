package dev.cairn.egress;

import java.net.IDN;
import java.util.Locale;
import java.util.regex.Pattern;

/** Host names in one spelling: ASCII, lower case, without a dot at the end. */
final class HostName {
  private static final int MAX_LENGTH = 253;
  private static final String LABEL = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";
  private static final Pattern NAME = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*+");
  private static final Pattern ENDS_IN_A_NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)");

  private HostName() {}

  /**
   * The usual spelling of {@code text}, which may be an IPv4 address. International names become
   * their ASCII form, in which full-width digits and dots are ordinary ones.
   *
   * @throws IllegalArgumentException if it is not a host name, or an unusual notation of an address
   */
  static String normalize(String text) {
    if (text.length() > MAX_LENGTH + 1) {
      throw new IllegalArgumentException("a host name has at most " + MAX_LENGTH + " characters");
    }
    var ascii = (isAscii(text) ? text : IDN.toASCII(text)).toLowerCase(Locale.ROOT);
    var name = ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
    if (name.length() > MAX_LENGTH || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not a host name");
    }
    if (isNumeric(name)) {
      AddressRange.address(name);
    }
    return name;
  }

  /** Whether a normalized name is an address: no top-level domain is a number. */
  static boolean isNumeric(String name) {
    return ENDS_IN_A_NUMBER.matcher(name).matches();
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
