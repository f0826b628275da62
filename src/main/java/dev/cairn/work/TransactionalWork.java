package dev.cairn.work;

/**
 * A kind of work whose rows are done in the transaction that finds them, so the locks of that
 * transaction are all the lease that they need. Each implementation is a bean; {@link Workers}
 * polls it once a second in replicas with the role {@code worker}.
 */
public interface TransactionalWork {
  /**
   * An SQL expression without parameters that is true if there may be something to do; otherwise it
   * may be null. {@link Workers} asks for all kinds in one statement, so it may only take a few
   * steps in an index, whose order it names: then the planner takes the index, whatever it knows.
   */
  String dueCondition();

  /**
   * Does what is due, skipping rows that another replica has locked.
   *
   * @return how many rows it did
   */
  int runDue();
}
