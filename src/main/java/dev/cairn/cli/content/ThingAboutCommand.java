package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.cli.output.Table;
import dev.cairn.client.AboutQuery;
import dev.cairn.client.Assertion;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the assertions about an entity. */
@Command(
    name = "about",
    description = "List the assertions about an entity, newest first.",
    footer = {"cairn thing about Country/BG", "cairn thing about Country/BG --depth 2"})
public final class ThingAboutCommand extends CliCommand {
  /** An assertion, and how far it is from the entity. */
  private record Row(int depth, Assertion assertion) {}

  @Parameters(paramLabel = "<wref>", description = "The entity; with @v2 only about that version.")
  private String wref;

  @Option(
      names = {"-s", "--shape"},
      paramLabel = "<shape>",
      description = "Only assertions of this shape.")
  private String shape;

  @Option(
      names = "--match",
      paramLabel = "<glob>",
      description = "Only assertions whose wref matches.")
  private String match;

  @Option(
      names = {"-d", "--depth"},
      paramLabel = "<n>",
      description = "Up to how far: 2 includes assertions about assertions; at most 5.")
  private Integer depth;

  @Option(
      names = "--resolve-collections",
      description = "Assertions about collections with the entity, too.")
  private boolean resolveCollections;

  @Mixin private ListLimit limit;

  @Override
  protected void run() {
    limit.check();
    var query = AboutQuery.all().limit(limit.pageSize(output()));
    query = shape == null ? query : query.shape(shape);
    query = match == null ? query : query.match(match);
    query = depth == null ? query : query.depth(depth);
    query = resolveCollections ? query.resolveCollections() : query;
    var assertions = limit.apply(repository().about(wref, query), output());
    if (output().isStructured()) {
      output().list(new Table<>(), assertions, "");
    } else {
      var rows = assertions.flatMap(assertion -> rows(0, assertion));
      output().list(table(), rows, "Nothing is asserted about it.");
    }
  }

  private static Stream<Row> rows(int depth, Assertion assertion) {
    var children = assertion.children() == null ? List.<Assertion>of() : assertion.children();
    return Stream.concat(
        Stream.of(new Row(depth, assertion)),
        children.stream().flatMap(child -> rows(depth + 1, child)));
  }

  private static Table<Row> table() {
    return new Table<Row>()
        .text("WREF", row -> "  ".repeat(row.depth()) + row.assertion().wref())
        .number("VERSION", row -> row.assertion().version())
        .text("ABOUT", row -> row.assertion().aboutWref())
        .text("DATA", row -> Data.line(row.assertion().data()));
  }
}
