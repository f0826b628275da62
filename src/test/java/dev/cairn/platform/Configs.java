package dev.cairn.platform;

import dev.cairn.platform.secret.SecretBox;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** Configurations for the tests, read from properties as the service reads them. */
public final class Configs {
  /** A setting that works wherever it must be there. */
  public static final String SECRET_KEY = Base64.getEncoder().encodeToString(new byte[32]);

  private Configs() {}

  /** One with these properties alone. */
  public static CairnConfig of(Map<String, String> properties) {
    return new SmallRyeConfigBuilder()
        .withMapping(CairnConfig.class)
        .withSources(new PropertiesConfigSource(properties, "test", 100))
        .build()
        .getConfigMapping(CairnConfig.class);
  }

  /** One that can work, with one more property, or another value of one. */
  public static CairnConfig with(String property, String value) {
    var properties = new HashMap<>(Map.of("cairn.secret-key", SECRET_KEY));
    properties.put(property, value);
    return of(properties);
  }

  /** What a service with these settings seals secrets with. */
  public static SecretBox secretBox(Map<String, String> settings) {
    return new SecretBox(of(settings));
  }
}
