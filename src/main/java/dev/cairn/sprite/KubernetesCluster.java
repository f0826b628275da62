package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import io.quarkus.rest.client.reactive.QuarkusRestClientBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The API server that jobs are made at, and as whom: a service account, whose token is read anew
 * for each call, since Kubernetes replaces it while a pod lives.
 */
record KubernetesCluster(CairnConfig.Kubernetes config) {
  private static final String HOST = "KUBERNETES_SERVICE_HOST";
  private static final String PORT = "KUBERNETES_SERVICE_PORT";

  /** Where the API server is; empty outside of a cluster, unless it was said. */
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

  /** The header that says who calls. */
  String authorization() throws SpriteException {
    return "Bearer " + file("token");
  }

  /** Where jobs are made. */
  String namespace() throws SpriteException {
    var said = config.namespace();
    return said.isPresent() ? said.get() : file("namespace");
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

  /** Where a file of the service account is. */
  Path path(String name) {
    return Path.of(config.serviceAccount()).resolve(name);
  }

  /** A client that trusts the cluster's own authority, where the service account has it. */
  KubernetesApi api() throws SpriteException {
    var builder =
        QuarkusRestClientBuilder.newBuilder()
            .baseUri(url().orElseThrow())
            .connectTimeout(5, TimeUnit.SECONDS)
            .readTimeout(30, TimeUnit.SECONDS)
            .followRedirects(false);
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
