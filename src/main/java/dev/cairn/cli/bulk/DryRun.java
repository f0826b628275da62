package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Counts what an import would do, by looking up what exists. It sends nothing that changes
 * anything, so what only the service can judge, such as data that its shape refuses, is not
 * counted.
 */
final class DryRun {
  private static final Pattern VERSION = Pattern.compile("@v[0-9]+");

  private final SegmentReader reader;
  private final Lookups lookups;
  private final Consumer<LineFault> failed;
  private final NameSet seen = new NameSet();

  DryRun(SegmentReader reader, Lookups lookups, Consumer<LineFault> failed) {
    this.reader = reader;
    this.lookups = lookups;
    this.failed = failed;
  }

  /**
   * Counts.
   *
   * @param progress is told after each part of the input
   * @throws IOException if the input cannot be read
   */
  Tally run(Runnable progress) throws IOException {
    var tally = Tally.NONE;
    for (var segment = reader.next(); !segment.isEnd(); segment = reader.next()) {
      segment.faults().forEach(failed);
      tally = tally.plus(Tally.failed(segment.faults().size())).plus(count(segment.changes()));
      progress.run();
    }
    return tally;
  }

  private Tally count(List<Change> changes) {
    List<String> unknown = new ArrayList<>();
    for (var change : changes) {
      if (change.wref() != null && !seen.contains(change.wref())) {
        unknown.add(change.wref());
      }
    }
    var found = lookups.find(unknown.stream().distinct().toList());
    var tally = Tally.NONE;
    for (var change : changes) {
      tally = tally.plus(change.isEntity() ? entity(change, found) : operation(change, found));
      if (change.wref() != null) {
        seen.add(change.wref());
      }
    }
    return tally;
  }

  private Tally entity(Change change, Map<String, Lookups.Found> found) {
    if (seen.contains(change.wref())) {
      return change.isCollection() ? Tally.unchanged(1) : revised();
    }
    var existing = found.get(change.wref());
    if (existing == null) {
      return added();
    }
    boolean isAsItShouldBe =
        existing.isActive()
            && (change.isCollection() || isSame(change.parsed().path("data"), existing.data()));
    return isAsItShouldBe ? Tally.unchanged(1) : revised();
  }

  private Tally operation(Change change, Map<String, Lookups.Found> found) {
    var operation = change.parsed();
    boolean exists =
        change.wref() == null || seen.contains(change.wref()) || found.containsKey(change.wref());
    return switch (change.operation()) {
      case "add" -> add(change, operation, exists && change.wref() != null);
      case "revise" -> exists ? revise(change, operation, found) : missing(change);
      case "retract" -> exists ? revised() : missing(change);
      case "rename" -> exists ? Tally.of("rename", 1) : missing(change);
      default -> fault(change, "`operation` must be add, revise, retract or rename.");
    };
  }

  private Tally add(Change change, JsonNode operation, boolean exists) {
    if (!exists) {
      return added();
    }
    return operation.path("skipExisting").asBoolean()
        ? Tally.unchanged(1)
        : fault(change, "`%s` exists already.".formatted(change.wref()));
  }

  private Tally revise(Change change, JsonNode operation, Map<String, Lookups.Found> found) {
    var existing = found.get(change.wref());
    boolean isSame =
        existing != null
            && !seen.contains(change.wref())
            && operation.path("data").isObject()
            && operation.path("active").asBoolean(existing.isActive()) == existing.isActive()
            && isSame(operation.path("data"), existing.data());
    return isSame ? Tally.unchanged(1) : revised();
  }

  private Tally missing(Change change) {
    return fault(change, "There is no `%s`.".formatted(change.wref()));
  }

  private Tally fault(Change change, String detail) {
    failed.accept(new LineFault(change.file(), change.line(), LineFault.INVALID_INPUT, detail));
    return Tally.failed(1);
  }

  private static Tally added() {
    return Tally.of("add", 1);
  }

  private static Tally revised() {
    return Tally.of("revise", 1);
  }

  /** Whether data is the same, except that what is stored has versions in its references. */
  private static boolean isSame(JsonNode wanted, JsonNode stored) {
    return wanted.equals(DryRun::compare, stored);
  }

  private static int compare(JsonNode wanted, JsonNode stored) {
    if (wanted.isTextual() && stored.isTextual() && !wanted.equals(stored)) {
      var text = wanted.textValue();
      var longer = stored.textValue();
      boolean isReference =
          longer.startsWith(text) && VERSION.matcher(longer.substring(text.length())).matches();
      return isReference ? 0 : 1;
    }
    return Json.isSame(wanted, stored) ? 0 : 1;
  }
}
