package dev.cairn.access.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.CairnConfig;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Half of an external issuer's settings must not leave the built-in one on. */
@HttpTest
@QuarkusTest
@InProcess("It looks at the configuration.")
class ExternalIssuerSettingsTest {
  @Inject CairnConfig config;

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, -, -",
        "https://issuer.example, https://issuer.example/jwks, cairn, -",
        "https://issuer.example, -, cairn, mp.jwt.verify.publickey.location",
        "-, https://issuer.example/jwks, cairn, mp.jwt.verify.issuer",
        "https://issuer.example, https://issuer.example/jwks, -, mp.jwt.verify.audiences"
      })
  void a_setting_that_is_missing_beside_the_others_is_named(
      String issuer, String keySet, String audience, String missing) {
    var faults =
        new ExternalIssuer(
                null,
                null,
                null,
                config,
                Optional.ofNullable(issuer),
                Optional.ofNullable(keySet),
                Optional.ofNullable(audience).map(Set::of),
                60)
            .faults();
    assertEquals(
        Optional.ofNullable(missing),
        faults.stream().map(fault -> fault.substring(0, fault.indexOf(' '))).findFirst());
  }
}
