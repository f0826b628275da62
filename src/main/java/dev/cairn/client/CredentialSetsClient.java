package dev.cairn.client;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * The credential sets of an organization or of a repository, {@code docs/credentials.md}. Their
 * values can be written and never read.
 */
public final class CredentialSetsClient {
  private final Transport transport;
  private final String[] path;

  CredentialSetsClient(Transport transport, String... path) {
    this.transport = transport;
    this.path = path;
  }

  /** All sets by name, without their values. */
  public List<CredentialSet> listCredentialSets() {
    return transport.json(Call.get(path), new TypeReference<>() {});
  }

  /** A set, without its values. */
  public CredentialSet getCredentialSet(String name) {
    return transport.json(Call.get(path).segment(name), CredentialSet.class);
  }

  /** Creates a set, or changes one; what is left out stays. */
  public CredentialSet putCredentialSet(String name, CredentialChange change) {
    return put(name, change);
  }

  /** The same with a body that is JSON already, as {@link CredentialChange} has it. */
  public CredentialSet putCredentialSet(String name, JsonNode change) {
    return put(name, change);
  }

  private CredentialSet put(String name, Object change) {
    return transport.json(Call.put(path).segment(name).json(change), CredentialSet.class);
  }

  /** Deletes a set. */
  public void deleteCredentialSet(String name) {
    transport.run(Call.delete(path).segment(name));
  }

  /** Revokes a set, which stays in the list; revoking it again succeeds. */
  public CredentialSet revokeCredentialSet(String name) {
    return transport.json(
        Call.post(path).segment(name).segment("revoke").repeatable(), CredentialSet.class);
  }
}
