package dev.cairn.query;

import dev.cairn.content.EntityRow;
import dev.cairn.platform.page.JsonOut;

/** Writes entities as items of lists. */
public final class Items {
  private Items() {}

  /**
   * Writes the members of an item, without the braces.
   *
   * @param withActive whether to write {@code active}, because inactive entities may occur
   */
  public static void members(JsonOut out, EntityRow entity, boolean withActive) {
    members(out, entity, withActive, "");
  }

  private static void members(
      JsonOut out, EntityRow entity, boolean withActive, String repository) {
    out.name("wref").value(repository + entity.local());
    out.name("name").value(entity.name());
    out.name("shapeName").value(entity.shapeName());
    out.name("kind").value(entity.kind());
    out.name("version").value(entity.version());
    out.name("data").stored(entity.data());
    if (entity.aboutWref() != null) {
      out.name("aboutWref").value(entity.aboutWref());
    }
    if (withActive) {
      out.name("active").value(entity.active());
    }
  }

  /** Writes a whole item. */
  static void write(JsonOut out, EntityRow entity, boolean withActive) {
    write(out, entity, withActive, "");
  }

  /**
   * Writes a whole item of this or another repository.
   *
   * @param repository the prefix of canonical wrefs of another repository; empty for this one
   */
  static void write(JsonOut out, EntityRow entity, boolean withActive, String repository) {
    out.object();
    members(out, entity, withActive, repository);
    out.end();
  }
}
