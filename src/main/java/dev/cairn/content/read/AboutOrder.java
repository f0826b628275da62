package dev.cairn.content.read;

import dev.cairn.content.Predicates;

/**
 * Order of about: newest assertion first, and within one commit the later operation first. The
 * index {@code entity_about} has this order.
 */
public final class AboutOrder {
  /** The order of assertions {@code e}, for use after {@code order by}. */
  public static final String NEWEST_FIRST = "e.created_seq desc, e.created_op desc";

  private AboutOrder() {}

  /**
   * Narrows to the assertions after a given one.
   *
   * @param seq the sequence number of the commit that added it
   * @param opIndex the index of its operation in the commit
   */
  public static Predicates after(Predicates where, long seq, long opIndex) {
    return where.and("(e.created_seq, e.created_op) < (?, ?)", seq, opIndex);
  }
}
