package dev.cairn.cli.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of an option that switches something {@code on} or {@code off}. */
public enum OnOff {
  /** Switched on. */
  ON,
  /** Switched off. */
  OFF;

  /** Whether it is {@link #ON}. */
  public boolean isOn() {
    return this == ON;
  }

  /** Reads it in lower case, as the help has it. */
  public static final class Converter implements ITypeConverter<OnOff> {
    /** For picocli. */
    public Converter() {}

    @Override
    public OnOff convert(String value) {
      return switch (value) {
        case "on" -> ON;
        case "off" -> OFF;
        default -> throw new TypeConversionException("expected on or off, and got '" + value + "'");
      };
    }
  }
}
