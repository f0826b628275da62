package dev.cairn.cli.content;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Item;
import dev.cairn.client.ShapeQuery;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the shapes of the repository. */
@Command(
    name = "list",
    description = "List the shapes of the repository, by name.",
    footer = {"cairn shape list", "cairn shape list --match 'S*' --json"})
public final class ShapeListCommand extends CliCommand {
  @Option(names = "--match", paramLabel = "<glob>", description = "Only shapes whose name matches.")
  private String match;

  @Option(
      names = {"-a", "--all"},
      description = "Retracted shapes, too.")
  private boolean all;

  @Mixin private ListLimit limit;

  @Override
  protected void run() {
    limit.check();
    var query = ShapeQuery.all().limit(limit.pageSize(output()));
    query = match == null ? query : query.match(match);
    query = all ? query.includeInactive() : query;
    output()
        .list(
            table(),
            limit.apply(repository().listShapes(query), output()),
            "There is no shape. Try: cairn shape add");
  }

  private static Table<Item> table() {
    return new Table<Item>()
        .text("NAME", Item::name)
        .number("VERSION", Item::version)
        .text("FIELDS", shape -> fields(shape.data()))
        .text("DESCRIPTION", shape -> shape.data().path("description").textValue());
  }

  private static String fields(JsonNode definition) {
    return definition.path("fields").properties().stream()
        .map(field -> field.getKey())
        .collect(Collectors.joining(", "));
  }
}
