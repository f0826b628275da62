package dev.cairn.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What the API answers to a change that has no other result. */
public final class Done {
  private Done() {}

  /** The answer: {@code {"ok": true}}. */
  public static ObjectNode ok() {
    return JsonNodeFactory.instance.objectNode().put("ok", true);
  }
}
