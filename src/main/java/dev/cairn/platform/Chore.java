package dev.cairn.platform;

/** Something that is done once an hour, over all replicas; {@link Chores} sees to it. */
public interface Chore {
  /** What it is called in the database: the same in every release. */
  String name();

  /**
   * Does some of it, in about a second at the most.
   *
   * @return whether there may be more to do
   */
  boolean some();
}
