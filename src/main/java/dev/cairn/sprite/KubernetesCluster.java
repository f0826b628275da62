package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Optional;

/**
 * The API server and the service account with which Jobs are created. The token is read for each
 * call, because Kubernetes replaces it while a pod runs.
 */
record KubernetesCluster(CairnConfig.Kubernetes config) {
  private static final String HOST = "KUBERNETES_SERVICE_HOST";
  private static final String PORT = "KUBERNETES_SERVICE_PORT";

  /** The URL of the API server; empty outside of a cluster, unless it is configured. */
  Optional<URI> url() {
    var host = Optional.ofNullable(System.getenv(HOST));
    var port = Optional.ofNullable(System.getenv(PORT)).orElse("443");
    return config
        .apiUrl()
        .or(
            () ->
                host.map(KubernetesCluster::literal)
                    .map(h -> URI.create("https://" + h + ":" + port)));
  }

  private static String literal(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** The value of the {@code Authorization} header. */
  String authorization() throws SpriteException {
    return "Bearer " + token();
  }

  /** The token of the service account. */
  String token() throws SpriteException {
    return file("token");
  }

  /** The namespace of the jobs. */
  String namespace() throws SpriteException {
    var configured = config.namespace();
    return configured.isPresent() ? configured.get() : file("namespace");
  }

  private String file(String name) throws SpriteException {
    try {
      return Files.readString(path(name)).strip();
    } catch (IOException e) {
      throw SpriteException.terminal(
          SpriteError.SPRITE_AUTH_MISSING,
          "The service account's `%s` cannot be read.".formatted(name));
    }
  }

  /** The path of a file of the service account. */
  Path path(String name) {
    return Path.of(config.serviceAccount()).resolve(name);
  }

  /** A client that trusts the CA of the cluster, if the service account has its certificate. */
  KubernetesApi api() throws SpriteException {
    var builder = BackendClients.builder(url().orElseThrow());
    if (Files.exists(path("ca.crt"))) {
      builder.trustStore(authorities());
    }
    return builder.build(KubernetesApi.class);
  }

  private KeyStore authorities() throws SpriteException {
    try (var in = Files.newInputStream(path("ca.crt"))) {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (var authority : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + store.size(), authority);
      }
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw SpriteException.terminal(
          SpriteError.SPRITE_AUTH_MISSING, "The service account's `ca.crt` cannot be read.");
    }
  }
}
