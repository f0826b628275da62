package dev.cairn.model;

import dev.cairn.model.Problem.Violation;
import java.util.ArrayList;
import java.util.List;

/**
 * Broken rules as they are found. The first one is always listed, more as long as the allowance
 * lasts, and the others are counted: what is wrong a million times is not told a million times.
 */
public final class Violations {
  /** How many one request lists. */
  public static final int LISTED = 100;

  private final Allowance allowance;
  private final List<Violation> listed = new ArrayList<>();
  private int more;

  /** Violations of one request as a whole. */
  public Violations() {
    this(new Allowance(LISTED));
  }

  /** Violations of a part of a request. */
  public Violations(Allowance allowance) {
    this.allowance = allowance;
  }

  /** Notes one broken rule. */
  public void add(String pointer, String detail) {
    boolean lists = allowance.take(1);
    if (lists || listed.isEmpty()) {
      listed.add(new Violation(pointer, detail));
    } else {
      more++;
    }
  }

  /** Notes those of a part, with {@code prefix} before their pointers. */
  public void addAll(Problem part, String prefix) {
    var placed = part.at("").under(prefix);
    placed.listed().forEach(violation -> add(violation.pointer(), violation.detail()));
    addUnlisted(placed.more());
  }

  /** Counts some that nobody listed. */
  public void addUnlisted(int count) {
    more += count;
  }

  /** Whether no rule was broken. */
  public boolean isEmpty() {
    return listed.isEmpty();
  }

  /** What is listed so far. */
  List<Violation> listed() {
    return listed;
  }

  /** The problem that says all this; there must be something to say. */
  public Problem problem(ErrorCode code) {
    return Problem.of(code, listed, more);
  }
}
