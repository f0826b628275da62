import java.net.URI;

/** Where the service answers on loopback. */
@FunctionalInterface
interface Target {
  int port();

  default URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }
}
