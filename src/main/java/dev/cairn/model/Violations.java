package dev.cairn.model;

import dev.cairn.model.Problem.Violation;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects broken rules. The first one is always listed, further ones until the allowance is used
 * up, and the rest are only counted: a mistake that is made a million times is not listed a million
 * times.
 */
public final class Violations {
  /** Maximum violations that are listed for one request. */
  public static final int MAX_LISTED = 100;

  private final Allowance allowance;
  private final List<Violation> listed = new ArrayList<>();
  private int unlisted;

  /** Violations of one request as a whole. */
  public Violations() {
    this(new Allowance(MAX_LISTED));
  }

  /** Violations of a part of a request. */
  public Violations(Allowance allowance) {
    this.allowance = allowance;
  }

  /** Adds one broken rule. */
  public void add(String pointer, String detail) {
    boolean lists = allowance.take(1);
    if (lists || listed.isEmpty()) {
      listed.add(new Violation(pointer, detail));
    } else {
      unlisted++;
    }
  }

  /** Adds the violations of a part, with {@code prefix} before their pointers. */
  public void addAll(Problem part, String prefix) {
    var prefixed = part.at("").under(prefix);
    prefixed.listed().forEach(violation -> add(violation.pointer(), violation.detail()));
    addUnlisted(prefixed.unlisted());
  }

  /** Counts violations that are not listed. */
  public void addUnlisted(int count) {
    unlisted += count;
  }

  /** Whether no rule was broken. */
  public boolean isEmpty() {
    return listed.isEmpty();
  }

  /** The violations that are listed so far. */
  List<Violation> listed() {
    return listed;
  }

  /** The problem with all violations; there must be at least one. */
  public Problem problem(ErrorCode code) {
    return Problem.of(code, listed, unlisted);
  }
}
