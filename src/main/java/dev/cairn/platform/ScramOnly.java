package dev.cairn.platform;

import java.util.Properties;
import org.postgresql.PGProperty;
import org.postgresql.plugin.AuthenticationPlugin;
import org.postgresql.plugin.AuthenticationRequestType;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Keeps the driver from sending a password to anything but a server that knows it. By default the
 * driver answers whoever asks for the password in clear text; when the embedded PostgreSQL has
 * ended, any process of this machine may take its port. SCRAM never sends the password, and proves
 * that the server knows it.
 */
public final class ScramOnly implements AuthenticationPlugin {
  /** The driver's property whose value is this class's name. */
  public static final String PROPERTY = PGProperty.AUTHENTICATION_PLUGIN_CLASS_NAME.getName();

  private final Properties connection;

  /** For the driver, which calls it by reflection with the properties of a connection. */
  public ScramOnly(Properties connection) {
    this.connection = connection;
  }

  @Override
  public char[] getPassword(AuthenticationRequestType type) throws PSQLException {
    if (type != AuthenticationRequestType.SASL) {
      throw new PSQLException(
          "The server asked for the password by other means than SCRAM, so it is not ours: " + type,
          PSQLState.CONNECTION_REJECTED);
    }
    return PGProperty.PASSWORD.getOrDefault(connection).toCharArray();
  }
}
