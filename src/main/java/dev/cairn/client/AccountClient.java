package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.stream.Stream;

/** The caller's own account; the rules are in {@code docs/access.md}. */
public final class AccountClient {
  private final Transport transport;

  AccountClient(Transport transport) {
    this.transport = transport;
  }

  /** The caller's account and token, and the organizations that the token covers. */
  public Whoami whoami() {
    return transport.json(Call.get("api", "whoami"), Whoami.class);
  }

  /** The caller's personal access tokens, newest first, without their values. */
  public Stream<Pat> listTokens() {
    return Pages.stream(this::listTokensPage);
  }

  /** A page of {@link #listTokens}. */
  public Page<Pat> listTokensPage(Paging page) {
    return transport.page(Call.get("api", "pats").query(page), Pat.class);
  }

  /** Creates a personal access token; only this answer has its value. */
  public CreatedPat createToken(NewPat request) {
    return create(request);
  }

  /** The same with a body that is JSON already, as {@link NewPat} has it. */
  public CreatedPat createToken(JsonNode request) {
    return create(request);
  }

  private CreatedPat create(Object request) {
    return transport.json(Call.post("api", "pats").json(request), CreatedPat.class);
  }

  /** Revokes a personal access token; revoking it again succeeds. */
  public void revokeToken(String name) {
    transport.run(Call.delete("api", "pats", name));
  }

  /** The sign-ins of the account, and its grants to programs. */
  public Stream<Session> listSessions() {
    return Pages.stream(this::listSessionsPage);
  }

  /** A page of {@link #listSessions}. */
  public SessionPage listSessionsPage(Paging page) {
    return transport.json(Call.get("api", "sessions").query(page), SessionPage.class);
  }

  /** Ends a sign-in or a grant, with all its tokens. */
  public void endSession(String id) {
    transport.run(Call.delete("api", "sessions", id));
  }

  /** Ends all other sign-ins and grants. */
  public EndedSessions endOtherSessions() {
    return transport.json(Call.delete("api", "sessions"), EndedSessions.class);
  }

  /** What happened to the account, newest first. */
  public Stream<AccountEvent> listAccountEvents() {
    return Pages.stream(this::listAccountEventsPage);
  }

  /** A page of {@link #listAccountEvents}. */
  public AccountEventPage listAccountEventsPage(Paging page) {
    return transport.json(Call.get("api", "audit").query(page), AccountEventPage.class);
  }

  /** Changes the password, which ends all other sign-ins; only with the token of a sign-in. */
  public void changePassword(String currentPassword, String newPassword) {
    transport.run(
        Call.post("api", "auth", "password")
            .json(Map.of("currentPassword", currentPassword, "newPassword", newPassword)));
  }
}
