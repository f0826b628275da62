package dev.cairn.commit;

import dev.cairn.model.AboutRule;
import dev.cairn.model.Excerpt;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.glob.Glob;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the shapes of one commit say about the targets of their entities. */
final class AboutRules {
  /** How many compiled globs are kept, each of which takes up to 12 KiB. */
  private static final int MAX_COMPILED = 200;

  /** What compiling one character of a glob costs, in steps of matching. */
  private static final int STEPS_OF_COMPILING = 4;

  /** Maximum shapes and globs that a message lists. */
  private static final int MAX_NAMED = 10;

  private final MatchingBudget budget;
  private final Map<String, Glob> globs = new HashMap<>();

  /**
   * An entity that an assertion is about.
   *
   * @param shapeName the name of its shape
   * @param local {@code Shape/name}
   */
  record Target(String shapeName, String local) {
    static Target of(EntityState entity) {
      return new Target(entity.shapeName(), entity.local());
    }

    /** A target that has no name yet, because something is missing for it. */
    static Target unnamed(String shapeName) {
      return new Target(shapeName, null);
    }

    static Target of(String shapeName, String name) {
      return new Target(shapeName, shapeName + "/" + name);
    }
  }

  /**
   * The rules.
   *
   * @param budget bounds the cost of matching globs
   */
  AboutRules(MatchingBudget budget) {
    this.budget = budget;
  }

  /**
   * Whether an entity satisfies a rule.
   *
   * @param rule null if anything is allowed
   * @param target what it is about, or null
   * @param today the present name of a shape, for the name in the rule
   */
  boolean isSatisfied(AboutRule rule, Target target, UnaryOperator<String> today) {
    if (rule == null || (rule.allowsAny() && target != null)) {
      return true;
    }
    if (target == null || !rule.required()) {
      return target == null && !rule.required();
    }
    return rule.shapes().stream().map(today).anyMatch(target.shapeName()::equals)
        || rule.globs().stream()
            .anyMatch(text -> target.local() == null || glob(text).matches(target.local(), budget));
  }

  private Glob glob(String text) {
    if (globs.size() >= MAX_COMPILED) {
      globs.clear();
    }
    return globs.computeIfAbsent(text, this::compiled);
  }

  private Glob compiled(String text) {
    budget.takeSteps((long) STEPS_OF_COMPILING * text.length());
    return Glob.parse(text);
  }

  /** The rule in words, to follow "must be". */
  static String inWords(AboutRule rule, UnaryOperator<String> today) {
    if (!rule.required()) {
      return "about nothing";
    }
    if (rule.allowsAny()) {
      return "about something";
    }
    int more = rule.shapes().size() + rule.globs().size() - MAX_NAMED;
    var named =
        Stream.concat(
                rule.shapes().stream().map(today).map(shape -> shape + "/…"), rule.globs().stream())
            .limit(MAX_NAMED)
            .map(text -> "`" + Excerpt.of(text) + "`")
            .collect(Collectors.joining(" or ", "about ", ""));
    return more > 0 ? named + ", or " + more + " more" : named;
  }
}
