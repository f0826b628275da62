package dev.cairn;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** Sets the public URL, here one with a path. One profile for all tests of it starts once. */
public final class BehindProxy implements QuarkusTestProfile {
  public static final String BASE = "https://cairn.example/kb";

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of("cairn.public-url", BASE + "/");
  }
}
