package dev.cairn.model;

import java.util.Objects;

/**
 * The reference to one entity, see {@code docs/model.md}, Wrefs: {@code Shape/name} within a
 * repository, {@code cairn:org/repo/Shape/name} from elsewhere, each with at most one modifier.
 *
 * @param org the organization, or null in a local wref
 * @param repo the repository, or null in a local wref
 * @param shape the shape's name; {@code Shape} if the entity is itself a shape
 * @param name the local name, in NFC
 * @param modifier the version that is meant; never null
 */
public record Wref(String org, String repo, String shape, String name, Modifier modifier)
    implements Comparable<Wref> {
  /** The prefix of canonical wrefs. */
  public static final String SCHEME = "cairn:";

  private static final int MAX_VERSION_DIGITS = 10;

  /** Which version of the entity a wref means. */
  public sealed interface Modifier {
    /** No modifier: the meaning depends on where the wref is used. */
    record None() implements Modifier {}

    /** {@code @HEAD}: the newest version. */
    record Head() implements Modifier {}

    /** {@code @ALL}: every version. */
    record All() implements Modifier {}

    /**
     * {@code @v7}: exactly this version.
     *
     * @param version 1 or more
     */
    record Pinned(int version) implements Modifier {}

    /** The modifier as it is written at the end of a wref; empty for {@link None}. */
    default String text() {
      return switch (this) {
        case None _ -> "";
        case Head _ -> "@HEAD";
        case All _ -> "@ALL";
        case Pinned(int version) -> "@v" + version;
      };
    }
  }

  /** Rejects a wref that has only one of organization and repository. */
  public Wref {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(modifier, "modifier");
    if ((org == null) != (repo == null)) {
      throw new IllegalArgumentException("org and repo must both be given or both be null");
    }
  }

  /** A local wref without modifier, from parts that have been checked. */
  public static Wref local(String shape, String name) {
    return new Wref(null, null, shape, name, new Modifier.None());
  }

  /**
   * Reads a local or canonical wref.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} with the syntax and the rule that is broken
   */
  public static Wref parse(String text) {
    return parse(text, false);
  }

  /**
   * Reads a wref as {@link #parse} does, and also a bare {@code Sensor}, with or without modifier,
   * which means {@code Shape/Sensor}.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} as {@link #parse} does
   */
  public static Wref parseShape(String text) {
    return parse(text, true);
  }

  private static Wref parse(String text, boolean bareShape) {
    if (text == null) {
      throw malformed(null, "it is missing");
    }
    try {
      int at = text.indexOf('@');
      var path = at < 0 ? text : text.substring(0, at);
      var modifier = at < 0 ? new Modifier.None() : modifier(text.substring(at + 1));
      if (bareShape && path.indexOf('/') < 0) {
        return local(BuiltinShape.SHAPE.shapeName(), Names.shape(path)).at(modifier);
      }
      return path.startsWith(SCHEME)
          ? canonical(path.substring(SCHEME.length()), modifier)
          : entity(null, null, path, modifier);
    } catch (Problem e) {
      throw malformed(text, e.detail());
    }
  }

  private static Wref canonical(String path, Modifier modifier) {
    int first = path.indexOf('/');
    int second = first < 0 ? -1 : path.indexOf('/', first + 1);
    if (second < 0) {
      throw Problem.of(ErrorCode.VALIDATION_ERROR, "organization, repository or shape is missing");
    }
    var org = Names.orgSyntax(path.substring(0, first));
    var repo = Names.repo(path.substring(first + 1, second));
    return entity(org, repo, path.substring(second + 1), modifier);
  }

  private static Wref entity(String org, String repo, String path, Modifier modifier) {
    int slash = path.indexOf('/');
    if (slash < 0) {
      throw Problem.of(ErrorCode.VALIDATION_ERROR, "the '/' after the shape is missing");
    }
    var shape = Names.shape(path.substring(0, slash));
    var rest = path.substring(slash + 1);
    var name = shape.equals(BuiltinShape.SHAPE.shapeName()) ? Names.shape(rest) : Names.thing(rest);
    return new Wref(org, repo, shape, name, modifier);
  }

  private static Modifier modifier(String text) {
    return switch (text) {
      case "HEAD" -> new Modifier.Head();
      case "ALL" -> new Modifier.All();
      default -> new Modifier.Pinned(version(text));
    };
  }

  private static int version(String text) {
    long number = text.startsWith("v") ? digits(text.substring(1)) : 0;
    if (number < 1 || number > Integer.MAX_VALUE) {
      throw Problem.of(
          ErrorCode.VALIDATION_ERROR,
          "a modifier must be @HEAD, @ALL or @v and a number from 1 to 2147483647 without leading zero");
    }
    return (int) number;
  }

  /** The number, or 0 if the text is not a short sequence of digits without leading zero. */
  private static long digits(String text) {
    if (text.isEmpty() || text.length() > MAX_VERSION_DIGITS || text.charAt(0) == '0') {
      return 0;
    }
    boolean plain = text.chars().allMatch(c -> c >= '0' && c <= '9');
    return plain ? Long.parseLong(text) : 0;
  }

  private static Problem malformed(String text, String reason) {
    return Problem.of(
        ErrorCode.VALIDATION_ERROR,
        Excerpt.quoted(text)
            + " is not a wref: "
            + reason
            + "; expected Shape/name or cairn:org/repo/Shape/name, optionally with @HEAD, @ALL or @v1");
  }

  /**
   * The order of names and then of whole texts, so that sets of wrefs that somebody has chosen to
   * have the same hash are searched in no more than logarithmic time.
   */
  @Override
  public int compareTo(Wref other) {
    int byName = name.compareTo(other.name);
    return byName == 0 ? toString().compareTo(other.toString()) : byName;
  }

  /** Whether it names no repository, so that it refers to the current one. */
  public boolean isLocal() {
    return org == null;
  }

  /** {@code org/repo}; only for a wref that is not local. */
  public String repository() {
    return org + "/" + repo;
  }

  /** {@code Shape/name}: without repository and modifier. */
  public String local() {
    return shape + "/" + name;
  }

  /** The same entity without modifier. */
  public Wref bare() {
    return at(new Modifier.None());
  }

  /** The same entity with another modifier. */
  public Wref at(Modifier other) {
    return new Wref(org, repo, shape, name, other);
  }

  /** The text without modifier; with the repository if this wref names one. */
  public String unversioned() {
    return isLocal() ? local() : SCHEME + repository() + "/" + local();
  }

  /** The canonical text including the modifier; {@link #parse} returns an equal wref. */
  @Override
  public String toString() {
    return unversioned() + modifier.text();
  }
}
