package dev.cairn.platform;

import java.util.UUID;
import org.hibernate.id.uuid.UuidVersion7Strategy;

/** Generates ids: UUIDs of version 7, which sort by the time of their creation. */
public final class Ids {
  private Ids() {}

  /** A new id. */
  public static UUID next() {
    return UuidVersion7Strategy.INSTANCE.generateUuid(null);
  }
}
