package dev.cairn.sprite;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Arrays;

/** How the command gets its input; see {@code docs/sprites.md}, Input. */
@RegisterForReflection
enum InputMode {
  STDIN("stdin"),
  JSON_FILE("json-file"),
  ENV("env");

  private final String wire;

  InputMode(String wire) {
    this.wire = wire;
  }

  @JsonValue
  String wire() {
    return wire;
  }

  static InputMode of(String wire) {
    return Arrays.stream(values()).filter(mode -> mode.wire.equals(wire)).findFirst().orElseThrow();
  }
}
