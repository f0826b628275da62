package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.client.Item;
import dev.cairn.client.Query;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists entities. */
@Command(
    name = "list",
    description = "List entities that match all filters, by shape and name.",
    footer = {
      "cairn thing list --shape City --where people:gt:500000",
      "cairn thing list --match 'City/o*' --fields name,people --live",
      "cairn thing list --shape City --jsonl > cities.ndjson"
    })
public final class ThingListCommand extends CliCommand {
  /** What fits on a usual screen. */
  private static final int ROWS = 20;

  @Mixin private Filters filters;

  @Mixin private ListLimit limit;

  @Option(
      names = "--at",
      paramLabel = "<commit>",
      description = "The state after a commit, by its id or repoSeq.")
  private String at;

  @Option(
      names = {"-l", "--live"},
      description = "Go on, and show the list again after each change.")
  private boolean live;

  @Override
  protected void run() {
    limit.check();
    if (live && at != null) {
      throw usage("--live and --at exclude each other: the past does not change.");
    }
    var query = at == null ? filters.query() : filters.query().at(at);
    var table = EntityOutput.table(filters.fields(), filters.isAll());
    if (live) {
      new LiveView(
              output(),
              "Entities",
              items -> output().list(table, items.stream(), "No entity matches."))
          .follow(repository(), query.limit(limit.ofView(ROWS)));
    } else {
      output().list(table, limit.apply(items(query), output()), "No entity matches.");
    }
  }

  private Stream<Item> items(Query query) {
    var sized = query.limit(limit.pageSize(output()));
    var first = repository().queryPage(sized);
    if (first.warnings() != null) {
      first.warnings().forEach(output()::note);
    }
    var rest =
        first.nextCursor() == null
            ? Stream.<Item>empty()
            : repository().query(sized.cursor(first.nextCursor()));
    return Stream.concat(first.items().stream(), rest);
  }
}
