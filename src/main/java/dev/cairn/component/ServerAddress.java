package dev.cairn.component;

import dev.cairn.access.MemberRoles;
import dev.cairn.access.Permission;
import dev.cairn.content.Source;
import dev.cairn.content.read.EntitiesByName;
import dev.cairn.content.read.EntitiesByName.Written;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import dev.cairn.model.Wref;
import dev.cairn.platform.http.RequestTarget;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Where the server of an installed component is: the {@code cliBaseUrl} in {@code
 * ComponentConfig/<name>} of the repository. Calls to it are signed with a secret of the
 * repository, so it counts only if it was written with a token that may read and configure the
 * repository, and only while the account of that token may: otherwise whoever may write content
 * could have them sent elsewhere. Changes of other members do not count. See {@code
 * docs/components.md}, Methods.
 */
@ApplicationScoped
class ServerAddress {
  static final int MAX_URL = 1_500;

  private static final String MEMBER = "cliBaseUrl";

  /** A record with a few settings; a longer one is not read. */
  private static final int MAX_BYTES = 64 * 1024;

  private final EntitiesByName entities;
  private final MemberRoles roles;

  /**
   * The address of a server.
   *
   * @param url without a slash at its end, and without a query
   * @param accountId who wrote it, and on whose behalf the server is called
   */
  record Server(String url, UUID accountId) {
    /** The URL of a path, which begins with a slash. */
    String at(String path) {
      return url + path;
    }
  }

  ServerAddress(EntitiesByName entities, MemberRoles roles) {
    this.entities = entities;
    this.roles = roles;
  }

  /** The name of the thing with the settings of a component. */
  static Wref config(String component) {
    return Wref.local(BuiltinShape.COMPONENT_CONFIG.shapeName(), component);
  }

  /**
   * The server of an installed component at this moment.
   *
   * @param component the name of the component, without its organization
   * @throws Problem {@code CONFLICT} if there is no such URL ({@code not_configured}), or if it
   *     does not count ({@code config_not_trusted})
   */
  Server of(UUID repoId, String component) {
    var config = config(component);
    var name = config.local();
    var written =
        entities
            .written(repoId, config, MEMBER, MAX_BYTES)
            .orElseThrow(() -> notConfigured(name, "There is no active `" + name + "`."));
    var url = url(written, name);
    if (!roles.grant(repoId, written.accountId(), Permission.REPO_CONFIGURE)) {
      throw Problem.of(
              ErrorCode.CONFLICT,
              "The `%s` of `%s` is not trusted: the account or the token that wrote it may not read and configure the repository, or it is not known who wrote it."
                  .formatted(MEMBER, name))
          .with("reason", "config_not_trusted")
          .hint(
              "Check the URL, then set it with an account and a token that both have `repo:read` and `repo:configure` for the whole repository, not with the token of a program: patch `%s` to null and then to the URL, in two operations of one commit. Writing the same data again changes nothing."
                  .formatted(MEMBER));
    }
    return new Server(url, written.accountId());
  }

  /**
   * Whether calls of a component would go to another URL than its manifest seeds, once the account
   * that wrote that URL may configure the repository. That of a retracted thing counts too: whoever
   * may write content can restore it.
   *
   * @param component the name of the component
   */
  boolean differsFromSeed(UUID repoId, Manifest manifest, String component) {
    return entities
        .find(Source.HEAD, repoId, config(component))
        .map(found -> new String(found.entity().data(), StandardCharsets.UTF_8))
        .map(text -> IJson.read(StoredJson.plain(text).getBytes(StandardCharsets.UTF_8)))
        .map(data -> data.path(MEMBER).textValue())
        .filter(ServerAddress::isBase)
        .map(ServerAddress::withoutSlash)
        .filter(url -> !ofSeed(manifest, component).equals(Optional.of(url)))
        .isPresent();
  }

  /**
   * Whether the repository has no thing with the settings of a component, active or not: then an
   * installation writes the address that its manifest seeds.
   *
   * @param component the name of the component
   */
  boolean isUnset(UUID repoId, String component) {
    return entities.id(repoId, config(component)).isEmpty();
  }

  private static String url(Written written, String name) {
    if (written.data() == null) {
      throw notConfigured(
          name, "`%s` has more than %,d bytes, so it is not read.".formatted(name, MAX_BYTES));
    }
    var value =
        IJson.read(written.data().getBytes(StandardCharsets.UTF_8)).path(MEMBER).textValue();
    if (value == null || !isBase(value)) {
      throw notConfigured(
          name,
          "`%s` must have `%s`, a URL `https://host/path` without a query and without empty or dot segments, percent-encoded, with scheme and host in lower case, of at most %,d characters."
              .formatted(name, MEMBER, MAX_URL));
    }
    return withoutSlash(value);
  }

  private static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /**
   * The URL that a manifest seeds, which an installation writes only if the repository has none.
   *
   * @param component the name of the component
   * @return in the form of {@link Server#url}; empty if the manifest has none
   */
  static Optional<String> ofSeed(Manifest manifest, String component) {
    var name = config(component).local();
    return manifest.seeds().stream()
        .filter(seed -> seed.name().equals(name))
        .map(seed -> seed.data().path(MEMBER).textValue())
        .filter(Objects::nonNull)
        .map(ServerAddress::withoutSlash)
        .findFirst();
  }

  /**
   * Whether no segment of a path is empty or a dot segment: the server might resolve such a path to
   * another one.
   */
  private static boolean hasPlainSegments(String path) {
    return path.isEmpty()
        || Stream.of(path.substring(1).split("/", -1))
            .allMatch(segment -> !segment.isEmpty() && RequestTarget.isSegment(segment));
  }

  /**
   * What the URL leads to is for each call to check. It is signed as it stands here, and so must be
   * as it is called.
   */
  private static boolean isBase(String value) {
    try {
      var url = new URI(value);
      return value.length() <= MAX_URL
          && url.getScheme() != null
          && url.getRawAuthority() != null
          && url.toASCIIString().equals(value)
          && url.getRawAuthority().equals(url.getRawAuthority().toLowerCase(Locale.ROOT))
          && url.getScheme().equals(url.getScheme().toLowerCase(Locale.ROOT))
          && url.getRawQuery() == null
          && hasPlainSegments(withoutSlash(url.getRawPath()))
          && url.getRawFragment() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static Problem notConfigured(String name, String detail) {
    return Problem.of(ErrorCode.CONFLICT, detail)
        .with("reason", "not_configured")
        .hint(
            "Add or revise `%s` with an account and a token that have `repo:read` and `repo:configure`."
                .formatted(name));
  }
}
