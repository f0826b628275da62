package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * A change of a credential set.
 *
 * @param description the purpose of the set; null leaves it, a JSON null removes it
 * @param keys values by the names of their keys, of which a null value removes the key; null if
 *     absent
 */
public record CredentialChange(
    @Nullable JsonNode description,
    @JsonInclude(value = JsonInclude.Include.NON_NULL, content = JsonInclude.Include.ALWAYS)
        @Nullable
        Map<String, String> keys) {

  /** Everything but the values. */
  @Override
  public String toString() {
    return "CredentialChange[description="
        + description
        + ", keys="
        + (keys == null ? null : keys.keySet())
        + "]";
  }
}
