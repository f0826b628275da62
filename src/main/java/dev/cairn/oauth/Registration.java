package dev.cairn.oauth;

import static com.nimbusds.oauth2.sdk.client.RegistrationError.INVALID_CLIENT_METADATA;
import static com.nimbusds.oauth2.sdk.client.RegistrationError.INVALID_REDIRECT_URI;

import com.nimbusds.oauth2.sdk.GrantType;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.client.ClientMetadata;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.minidev.json.JSONObject;

/**
 * The metadata that a client registers (RFC 7591). Its name and its redirect URIs are stored. All
 * other members are ignored, or replaced by values that are the same for every client.
 */
record Registration(String name, List<String> redirectUris) {
  /** The members that are used. */
  static final Set<String> KNOWN =
      Set.of("client_name", "redirect_uris", "grant_types", "response_types");

  private static final int MAX_REDIRECT_URIS = 20;

  /** The maximum length of all redirect URIs together; they are ASCII. */
  private static final int MAX_REDIRECT_BYTES = 2_000;

  /** 1 to 80 visible characters, without those that change the direction of text. */
  private static final Pattern NAME =
      Pattern.compile("[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}][\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{0,79}");

  /** The grant types of every client, in the order of answers. */
  static Set<GrantType> grants() {
    return ordered(GrantType.AUTHORIZATION_CODE, GrantType.REFRESH_TOKEN, GrantType.DEVICE_CODE);
  }

  private static Set<GrantType> ordered(GrantType... grants) {
    return new LinkedHashSet<>(List.of(grants));
  }

  /** Whether a grant type is one of {@link #grants}. */
  static boolean allows(String grantType) {
    return grants().contains(new GrantType(grantType));
  }

  /** Reads the metadata; throws an {@link OAuthError} if they are not valid. */
  static Registration read(JSONObject json) {
    var metadata = parse(json);
    var uris =
        metadata.getRedirectionURIs() == null ? Set.<URI>of() : metadata.getRedirectionURIs();
    if (uris.size() > MAX_REDIRECT_URIS
        || uris.stream().mapToInt(uri -> uri.toString().length()).sum() > MAX_REDIRECT_BYTES
        || uris.stream().anyMatch(uri -> RedirectUris.read(uri.toString()).isEmpty())) {
      throw OAuthError.of(
          INVALID_REDIRECT_URI,
          "At most 20 redirect URIs of 2,000 characters together: https, http on a loopback"
              + " address, or a scheme with a dot; without fragment and user.");
    }
    checkGrants(metadata, uris.isEmpty());
    return new Registration(name(metadata, uris), uris.stream().map(URI::toString).toList());
  }

  private static ClientMetadata parse(JSONObject json) {
    var known = new JSONObject(json);
    known.keySet().retainAll(KNOWN);
    // The library does not expect null in a list.
    if (known.values().stream().anyMatch(v -> v instanceof List<?> all && all.contains(null))) {
      throw OAuthError.of(INVALID_CLIENT_METADATA, "The client metadata must not contain null.");
    }
    try {
      return ClientMetadata.parse(known);
    } catch (ParseException e) {
      throw e.getErrorObject() == null ? notValid() : OAuthError.of(e);
    } catch (IllegalArgumentException e) {
      // The library quotes the refused text in the error, which must be printable ASCII.
      throw notValid();
    }
  }

  private static OAuthError notValid() {
    return OAuthError.of(INVALID_CLIENT_METADATA, "The client metadata are not valid.");
  }

  private static void checkGrants(ClientMetadata metadata, boolean noUris) {
    var grants = metadata.getGrantTypes();
    if (grants != null && !grants().containsAll(grants)) {
      throw OAuthError.of(
          INVALID_CLIENT_METADATA,
          "The grant types must be among authorization_code, refresh_token and device_code.");
    }
    if (noUris && (grants == null || grants.contains(GrantType.AUTHORIZATION_CODE))) {
      throw OAuthError.of(
          INVALID_REDIRECT_URI, "The grant type authorization_code requires redirect_uris.");
    }
    var types = metadata.getResponseTypes();
    if (types != null && !Set.of(ResponseType.CODE).containsAll(types)) {
      throw OAuthError.of(INVALID_CLIENT_METADATA, "The response types must be code only.");
    }
  }

  private static String name(ClientMetadata metadata, Set<URI> uris) {
    var name = metadata.getName();
    if (name == null) {
      return uris.stream()
          .filter(uri -> "https".equalsIgnoreCase(uri.getScheme()))
          .map(URI::getHost)
          .filter(host -> host != null && !OwnNames.disguise(host) && !OwnNames.include(host))
          .findFirst()
          .orElse("A program without a name");
    }
    if (!NAME.matcher(name).matches()) {
      throw OAuthError.of(
          INVALID_CLIENT_METADATA, "The client_name must have 1 to 80 visible characters.");
    }
    if (OwnNames.disguise(name)) {
      throw OAuthError.of(
          INVALID_CLIENT_METADATA,
          "The client_name must not mix Latin letters with those of an alphabet that looks like"
              + " it, use Lisu, Cherokee, Coptic or Deseret letters or rare Latin ones, or have"
              + " invisible characters.");
    }
    if (OwnNames.include(name)) {
      throw OAuthError.of(
          INVALID_CLIENT_METADATA,
          "The client_name must not contain Cairn, or look as if it did: people would take the"
              + " client for a part of the service.");
    }
    return name;
  }

  /** The metadata for the answer. */
  ClientMetadata metadata() {
    var metadata = new ClientMetadata();
    metadata.setName(name);
    if (!redirectUris.isEmpty()) {
      metadata.setRedirectionURIs(
          redirectUris.stream()
              .map(URI::create)
              .collect(Collectors.toCollection(LinkedHashSet::new)));
    }
    metadata.setGrantTypes(
        redirectUris.isEmpty()
            ? ordered(GrantType.REFRESH_TOKEN, GrantType.DEVICE_CODE)
            : grants());
    metadata.setResponseTypes(redirectUris.isEmpty() ? Set.of() : Set.of(ResponseType.CODE));
    metadata.setTokenEndpointAuthMethod(ClientAuthenticationMethod.NONE);
    return metadata;
  }
}
