package dev.cairn.client;

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
}
