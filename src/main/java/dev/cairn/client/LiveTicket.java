package dev.cairn.client;

/**
 * A ticket for live updates.
 *
 * @param ticket the ticket; it is used once
 * @param expiresAt until when it can be used
 */
public record LiveTicket(String ticket, long expiresAt) {
  /** Without secrets. */
  @Override
  public String toString() {
    return "LiveTicket[expiresAt=" + expiresAt + "]";
  }
}
