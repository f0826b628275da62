package dev.cairn.access.token;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.ScopeEntry;
import dev.cairn.model.Problem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/** The checked name, description and expiry of a new personal access token. */
record NewPat(String name, String description, Instant expiresAt, Instant createdAt) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,100}");
  private static final int MAX_DESCRIPTION = 500;
  private static final Duration DEFAULT_LIFETIME = Duration.ofDays(30);

  /** A year, leap years included. */
  private static final Duration MAX_LIFETIME = Duration.ofDays(366);

  /**
   * Body of the request.
   *
   * @param scopes null for no restriction
   * @param structured whether one resource may have several entries
   * @param expiresAt epoch milliseconds, or null for 30 days from now
   */
  @RegisterForReflection
  record Body(
      String name,
      List<ScopeEntry> scopes,
      Boolean structured,
      String description,
      Long expiresAt) {}

  /**
   * Refuses null for members that narrow the token if they are present: a client that sends null
   * may mean a restriction.
   */
  static void refuseNulls(JsonNode body) {
    refuseNull(body, "", "scopes");
    var entries = body.path("scopes");
    for (int i = 0; i < entries.size(); i++) {
      refuseNull(entries.path(i), "/scopes/" + i, "resource");
      refuseNull(entries.path(i), "/scopes/" + i, "allowedMatches");
    }
  }

  private static void refuseNull(JsonNode object, String pointer, String member) {
    if (object.path(member).isNull()) {
      throw Problem.invalid(
          pointer + "/" + member,
          "`%s` must not be null: leave it out for no restriction.".formatted(member));
    }
  }

  /** Checks name, description and expiry. */
  static NewPat of(Body body, Instant now) {
    if (body.name() == null || !NAME.matcher(body.name()).matches()) {
      throw Problem.invalid(
          "/name", "`name` must have 1 to 100 letters, digits, hyphens and underscores.");
    }
    var description = body.description();
    if (description != null
        && description.codePointCount(0, description.length()) > MAX_DESCRIPTION) {
      throw Problem.invalid(
          "/description", "`description` may have at most " + MAX_DESCRIPTION + " characters.");
    }
    return new NewPat(body.name(), description, expiry(body.expiresAt(), now), now);
  }

  private static Instant expiry(Long wanted, Instant now) {
    if (wanted == null) {
      return now.plus(DEFAULT_LIFETIME);
    }
    if (wanted <= now.toEpochMilli()) {
      throw Problem.invalid("/expiresAt", "`expiresAt` must be in the future.");
    }
    if (wanted > now.plus(MAX_LIFETIME).toEpochMilli()) {
      throw Problem.invalid("/expiresAt", "`expiresAt` may be at most 366 days from now.");
    }
    return Instant.ofEpochMilli(wanted);
  }
}
