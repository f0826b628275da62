package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Hit;
import dev.cairn.client.SearchQuery;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Searches entities. */
@Command(
    name = "search",
    description = "Search entities by words or similarity, the best first.",
    footer = {
      "cairn thing search united islands",
      "cairn thing search '\"palm house\" or fern' --shape Sensor",
      "cairn thing search --like City/oslo"
    })
public final class ThingSearchCommand extends CliCommand {
  @Parameters(
      arity = "0..*",
      paramLabel = "<word>",
      description = "Words that must all occur; \"a phrase\", or, -not.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--like",
      paramLabel = "<wref>",
      description = "Instead of words: an entity to which others are similar.")
  private String like;

  @Option(
      names = "--mode",
      paramLabel = "<mode>",
      description = "text by words, vector by similarity, or hybrid.")
  private String mode;

  @Option(
      names = {"-s", "--shape"},
      paramLabel = "<shape>",
      description = "Only entities of this shape.")
  private String shape;

  @Option(
      names = "--match",
      paramLabel = "<glob>",
      description = "Only entities whose wref matches.")
  private String match;

  @Mixin private ListLimit limit;

  @Override
  protected void run() {
    limit.check();
    if (words.isEmpty() == (like == null)) {
      throw usage("What to search for? Give words, or --like with an entity.");
    }
    var query = like == null ? SearchQuery.words(String.join(" ", words)) : SearchQuery.like(like);
    query = mode == null ? query : query.mode(mode);
    query = shape == null ? query : query.shape(shape);
    query = match == null ? query : query.match(match);
    var hits = repository().search(query.limit(limit.pageSize(output())));
    output().list(table(), limit.apply(hits, output()), "Nothing was found.");
  }

  private static Table<Hit> table() {
    return new Table<Hit>()
        .text("WREF", Hit::wref)
        .number("VERSION", Hit::version)
        .text("TEXT", ThingSearchCommand::text);
  }

  private static String text(Hit hit) {
    return hit.snippets().isEmpty() ? Data.line(hit.data()) : hit.snippets().getFirst().text();
  }
}
