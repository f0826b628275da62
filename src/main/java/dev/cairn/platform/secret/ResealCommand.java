package dev.cairn.platform.secret;

import io.quarkus.arc.All;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Singleton;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * The command {@code reseal}: seals all values with {@code cairn.secret-key} that {@code
 * cairn.secret-key-previous} has sealed. It may run while replicas run, and repeatedly. See {@code
 * docs/credentials.md}, Changing the secret key.
 */
@Singleton
@Unremovable
public class ResealCommand implements QuarkusApplication {
  /** The name of the command, the first argument of the service. */
  public static final String NAME = "reseal";

  private static final Logger LOG = Logger.getLogger(ResealCommand.class);

  private final List<Sealed> tables;

  ResealCommand(@All List<Sealed> tables) {
    this.tables = tables;
  }

  /** The exit code: 1 if something could not be read, otherwise 0. */
  @Override
  public int run(String... arguments) {
    int unreadable = 0;
    for (var table : tables) {
      var done = table.reseal();
      LOG.infof("%s: %d resealed, %d unreadable", table.what(), done.resealed(), done.unreadable());
      unreadable += done.unreadable();
    }
    return unreadable == 0 ? 0 : 1;
  }
}
