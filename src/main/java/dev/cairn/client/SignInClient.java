package dev.cairn.client;

import java.util.Map;
import java.util.TreeMap;

/**
 * Signing in and out: with a password, {@code docs/access.md}, Sign-in, or by the device flow of
 * OAuth, {@code docs/oauth.md}, Devices. None of its requests sends credentials of the client, and
 * none is repeated.
 */
public final class SignInClient {
  private static final String DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

  private final Transport transport;

  SignInClient(Transport transport) {
    this.transport = transport;
  }

  /** Creates an account, where the service lets everybody do that. */
  public Account signUp(NewAccount account) {
    return transport.json(
        Call.post("api", "auth", "signup").anonymous().json(account), Account.class);
  }

  /** Signs in with a password. */
  public Tokens signIn(String email, String password) {
    return transport.json(
        Call.post("api", "auth", "login")
            .anonymous()
            .json(Map.of("email", email, "password", password)),
        Tokens.class);
  }

  /** Ends a sign-in with a password; nothing happens if it has ended already. */
  public void endSignIn(String refreshToken) {
    transport.run(
        Call.post("api", "auth", "logout").anonymous().json(Map.of("refreshToken", refreshToken)));
  }

  /**
   * Starts the device flow (RFC 8628): the person enters the code on a page, and {@link
   * #getDeviceToken} asks for the tokens meanwhile.
   *
   * @param clientId the OAuth client, such as {@code cairn-cli}
   * @param scope permissions, separated by spaces; null for all that the account has
   */
  public DeviceAnswer authorizeDevice(String clientId, @Nullable String scope) {
    var form = new TreeMap<>(Map.of("client_id", clientId));
    if (scope != null) {
      form.put("scope", scope);
    }
    return transport.json(
        Call.post("oauth", "device_authorization").anonymous().form(form), DeviceAnswer.class);
  }

  /**
   * The tokens of a device, once the person has agreed. Until then it is a {@link CairnException}
   * with the code {@code authorization_pending}, or {@code slow_down} if it was asked too often;
   * and in the end {@code access_denied} or {@code expired_token}.
   */
  public Tokens getDeviceToken(String clientId, String deviceCode) {
    var call =
        Call.post("oauth", "token")
            .anonymous()
            .form(
                Map.of(
                    "grant_type", DEVICE_GRANT, "client_id", clientId, "device_code", deviceCode));
    return Authorization.tokens(transport.json(call, OAuthTokens.class));
  }

  /** Ends a grant with all its tokens; nothing happens if it has ended already. */
  public void revokeGrant(String clientId, String refreshToken) {
    transport.run(
        Call.post("oauth", "revoke")
            .anonymous()
            .form(Map.of("client_id", clientId, "token", refreshToken)));
  }
}
