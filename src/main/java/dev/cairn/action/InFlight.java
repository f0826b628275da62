package dev.cairn.action;

/** An attempt that a thread of this replica carries out. */
final class InFlight {
  final Claimed run;
  volatile Thread thread;

  /** Whether its lease was found to be another one's. */
  volatile boolean lost;

  /** Whether its end is written, or nobody will write it; guarded by the worker. */
  boolean over;

  private boolean executing = true;

  InFlight(Claimed run) {
    this.run = run;
  }

  /** Its executor has answered: from now on nothing breaks it off. */
  synchronized void answered() {
    executing = false;
    Thread.interrupted(); // what came too late
  }

  /** Breaks it off, if its executor still works. */
  synchronized void interrupt() {
    if (executing) {
      thread.interrupt();
    }
  }

  /** Another worker has it by now. */
  void lose() {
    lost = true;
    interrupt();
  }
}
