package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.LocalCommands;
import dev.cairn.platform.StartupCheck;
import jakarta.inject.Singleton;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Checks the settings of sprites at the start. */
@Singleton
final class SpriteSettings implements StartupCheck {
  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final Duration MAX_TIMEOUT = Duration.ofHours(6);

  private final CairnConfig.Sprite config;
  private final boolean signUpIsOpen;
  private final boolean issuerSignsUp;

  SpriteSettings(
      CairnConfig config, @ConfigProperty(name = "mp.jwt.verify.issuer") Optional<String> issuer) {
    this.config = config.sprite();
    this.signUpIsOpen = config.signup().open();
    this.issuerSignsUp = issuer.isPresent();
  }

  @Override
  public List<String> faults() {
    var faults = new ArrayList<String>();
    faults.addAll(
        switch (config.backend().orElse("none")) {
          case "none" -> List.of();
          case "http" -> http();
          case "kubernetes" -> kubernetes();
          case "local" -> local();
          default ->
              List.of(
                  "cairn.sprite.backend (CAIRN_SPRITE_BACKEND) must be http, kubernetes, local or"
                      + " none.");
        });
    if (config.timeout().toSeconds() < 1 || config.timeout().compareTo(MAX_TIMEOUT) > 0) {
      faults.add("cairn.sprite.timeout (CAIRN_SPRITE_TIMEOUT) must be PT1S to PT6H.");
    }
    if (config.gitBase().getScheme() == null) {
      faults.add("cairn.sprite.git-base (CAIRN_SPRITE_GIT_BASE) must be an absolute URL.");
    }
    return faults;
  }

  private List<String> http() {
    return config.url().filter(SpriteSettings::isHttp).isPresent()
        ? List.of()
        : List.of(
            "cairn.sprite.url (CAIRN_SPRITE_URL) must be the http or https URL of the service that"
                + " runs commands.");
  }

  private static boolean isHttp(URI url) {
    return SCHEMES.contains(String.valueOf(url.getScheme())) && url.getHost() != null;
  }

  private List<String> kubernetes() {
    var faults = new ArrayList<String>();
    var cluster = new KubernetesCluster(config.kubernetes());
    if (config.kubernetes().image().isEmpty()) {
      faults.add(
          "cairn.sprite.kubernetes.image (CAIRN_SPRITE_KUBERNETES_IMAGE) is missing: commands run"
              + " in it.");
    }
    if (cluster.url().filter(SpriteSettings::isHttp).isEmpty()) {
      faults.add(
          "cairn.sprite.kubernetes.api-url (CAIRN_SPRITE_KUBERNETES_API_URL) must be the URL of an"
              + " API server: the service does not run in a cluster.");
    }
    if (!Files.isReadable(cluster.path("token"))
        || (config.kubernetes().namespace().isEmpty()
            && !Files.isReadable(cluster.path("namespace")))) {
      faults.add(
          "cairn.sprite.kubernetes.service-account (CAIRN_SPRITE_KUBERNETES_SERVICE_ACCOUNT) must"
              + " be a directory with the files `token` and `namespace` of a service account.");
    }
    return faults;
  }

  private List<String> local() {
    var obstacle =
        LocalCommands.obstacle().stream()
            .map(why -> "cairn.sprite.backend (CAIRN_SPRITE_BACKEND) cannot be local: " + why);
    return Stream.of(obstacle, openSignUp().stream(), new LocalLimits(config.local()).faults())
        .flatMap(faults -> faults)
        .toList();
  }

  private Optional<String> openSignUp() {
    if (config.organizations().isPresent() || !(issuerSignsUp || signUpIsOpen)) {
      return Optional.empty();
    }
    return Optional.of(
        "cairn.sprite.organizations (CAIRN_SPRITE_ORGANIZATIONS) is missing: "
            + (issuerSignsUp
                ? "everybody who signs in by the external issuer (MP_JWT_VERIFY_ISSUER) can create an"
                    + " organization, and commands run on this machine. List the organizations"
                    + " whose commands may run."
                : "sign-up is open, and commands run on this machine. List the organizations whose"
                    + " commands may run, or set CAIRN_SIGNUP_OPEN=false."));
  }
}
