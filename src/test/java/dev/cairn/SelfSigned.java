package dev.cairn;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The key of a server, with a certificate for {@code hook.example} and {@code ::1}. */
public final class SelfSigned {
  /** The password of the key store. */
  public static final String PASSWORD = "changeit";

  private static final String ALIAS = "server";

  private final Path keys;

  /** Makes a key store in a directory. */
  public SelfSigned(Path directory) throws Exception {
    keys = directory.resolve("keys.p12");
    var log = directory.resolve("keytool.log");
    var keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=hook.example",
                "-ext",
                "san=dns:hook.example,ip:0:0:0:0:0:0:0:1",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertTrue(keytool.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, keytool.exitValue(), Files.readString(log));
  }

  /** The key store, of the type PKCS12. */
  public Path keys() {
    return keys;
  }

  /** What a server with this key needs. */
  public SSLContext context() throws Exception {
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store(), PASSWORD.toCharArray());
    var context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  /** What a client needs that trusts this certificate and no other one. */
  public SSLContext trusting() throws Exception {
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store());
    var context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /** The certificate, as PEM. */
  public String certificate() throws Exception {
    var lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));
    var base64 = lines.encodeToString(store().getCertificate(ALIAS).getEncoded());
    return "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n";
  }

  private KeyStore store() throws Exception {
    return KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
  }
}
