package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * RFC 8414 metadata.
 *
 * @param issuer the base URL
 * @param authorizationEndpoint the endpoint for authorization requests
 * @param tokenEndpoint the endpoint for tokens
 * @param registrationEndpoint the endpoint for client registration; null if absent
 * @param revocationEndpoint the endpoint for revocation; null if absent
 * @param deviceAuthorizationEndpoint the endpoint for device authorization; null if absent
 * @param jwksUri the keys of access tokens; null if absent
 * @param scopesSupported the permissions; null if absent
 * @param responseTypesSupported the values for {@code /oauth/authorize}; null if absent
 * @param responseModesSupported the values for {@code /oauth/authorize}; null if absent
 * @param grantTypesSupported the values for {@code /oauth/token}; null if absent
 * @param codeChallengeMethodsSupported the methods of PKCE; null if absent
 * @param tokenEndpointAuthMethodsSupported only {@code none}, since clients have no secret; null if
 *     absent
 * @param revocationEndpointAuthMethodsSupported only {@code none}, since clients have no secret;
 *     null if absent
 * @param authorizationResponseIssParameterSupported whether answers have {@code iss}, RFC 9207;
 *     null if absent
 * @param clientIdMetadataDocumentSupported whether a client may be identified by the URL of its
 *     metadata document; null if absent
 */
public record AuthorizationServer(
    String issuer,
    @JsonProperty("authorization_endpoint") String authorizationEndpoint,
    @JsonProperty("token_endpoint") String tokenEndpoint,
    @JsonProperty("registration_endpoint") @Nullable String registrationEndpoint,
    @JsonProperty("revocation_endpoint") @Nullable String revocationEndpoint,
    @JsonProperty("device_authorization_endpoint") @Nullable String deviceAuthorizationEndpoint,
    @JsonProperty("jwks_uri") @Nullable String jwksUri,
    @JsonProperty("scopes_supported")
        @Nullable
        @Values({
          "repo:read",
          "repo:checkpoint-read",
          "repo:write",
          "repo:action-callback",
          "repo:configure",
          "repo:admin",
          "org:read",
          "org:configure",
          "org:action-callback",
          "org:admin"
        })
        List<String> scopesSupported,
    @JsonProperty("response_types_supported") @Nullable List<String> responseTypesSupported,
    @JsonProperty("response_modes_supported") @Nullable List<String> responseModesSupported,
    @JsonProperty("grant_types_supported") @Nullable List<String> grantTypesSupported,
    @JsonProperty("code_challenge_methods_supported") @Nullable
        List<String> codeChallengeMethodsSupported,
    @JsonProperty("token_endpoint_auth_methods_supported") @Nullable
        List<String> tokenEndpointAuthMethodsSupported,
    @JsonProperty("revocation_endpoint_auth_methods_supported") @Nullable
        List<String> revocationEndpointAuthMethodsSupported,
    @JsonProperty("authorization_response_iss_parameter_supported") @Nullable
        Boolean authorizationResponseIssParameterSupported,
    @JsonProperty("client_id_metadata_document_supported") @Nullable
        Boolean clientIdMetadataDocumentSupported) {}
