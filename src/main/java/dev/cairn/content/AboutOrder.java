package dev.cairn.content;

/**
 * The order of about, in which the assertions about an entity are listed: the newest assertion
 * first, and of one commit the later operation first. The index {@code entity_about} has it.
 */
public final class AboutOrder {
  /** Of assertions {@code e}, to stand after {@code order by}. */
  public static final String NEWEST_FIRST = "e.created_seq desc, e.created_op desc";

  private AboutOrder() {}

  /**
   * Narrows to the assertions after one of them.
   *
   * @param seq the commit that added it
   * @param opIndex the operation of the commit
   */
  public static void after(Predicates where, long seq, long opIndex) {
    where.and("(e.created_seq, e.created_op) < (?, ?)", seq, opIndex);
  }
}
