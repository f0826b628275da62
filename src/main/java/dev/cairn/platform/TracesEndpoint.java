package dev.cairn.platform;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.net.URI;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * Reads {@code cairn.traces.endpoint}. Not one of {@link StartupChecks}, since the exporter reads
 * it before them, and would not say which setting is wrong.
 */
@RegisterForReflection
public final class TracesEndpoint implements Converter<URI> {
  private static final long serialVersionUID = 1;

  /**
   * Reads a URL; null for an empty text.
   *
   * @throws IllegalStateException if traces cannot be sent to the URL; the usual exception of a
   *     converter would repeat the value, which may contain a password
   */
  @Override
  public URI convert(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      var url = URI.create(text.strip());
      if (StartupChecks.isBase(url) && url.getUserInfo() == null) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // the same message as for a URL of another kind
    }
    throw new IllegalStateException(
        "cairn.traces.endpoint (CAIRN_TRACES_ENDPOINT) must be an http or https URL without user,"
            + " query or fragment, such as http://collector:4318.");
  }
}
