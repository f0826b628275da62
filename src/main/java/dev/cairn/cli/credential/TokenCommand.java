package dev.cairn.cli.credential;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.BodyFile;
import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandGroup;
import dev.cairn.cli.command.Confirmation;
import dev.cairn.cli.command.Done;
import dev.cairn.cli.command.TimeInput;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Pat;
import dev.cairn.client.ScopeEntry;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group {@code token}. */
@Command(
    name = "token",
    description = {
      "List, create and revoke personal access tokens, for programs.",
      "This takes a sign-in with a password or in the browser ('cairn login'): a token cannot"
          + " manage tokens."
    },
    subcommands = {
      TokenCommand.ListCommand.class,
      TokenCommand.Create.class,
      TokenCommand.Revoke.class
    },
    footer = {"cairn token list", "cairn token create sensor-gateway --expires 90d"})
public final class TokenCommand extends CommandGroup {

  /** {@code token list}. */
  @Command(
      name = "list",
      description = {
        "List your personal access tokens, without their values.",
        "Revoked and expired ones stay in the list, and keep their names."
      },
      footer = {"cairn token list"})
  static final class ListCommand extends CliCommand {
    @Override
    protected void run() {
      long now = context().clock().millis();
      var table =
          new Table<Pat>()
              .text("NAME", Pat::name)
              .text("STATE", token -> state(token, now), token -> style(state(token, now)))
              .time("EXPIRES", Pat::expiresAt)
              .time("CREATED", Pat::createdAt)
              .text("SCOPES", ListCommand::scopes)
              .text("DESCRIPTION", Pat::description);
      output().array(table, client().account().listTokens(), "No tokens.");
    }

    private static String state(Pat token, long now) {
      return token.revokedAt() != null ? "revoked" : token.expiresAt() <= now ? "expired" : "valid";
    }

    private static Style style(String state) {
      return state.equals("valid") ? Style.GREEN : Style.DIM;
    }

    private static String scopes(Pat token) {
      return token.scopes() == null
          ? "everything"
          : token.scopes().stream().map(ListCommand::scope).collect(Collectors.joining("; "));
    }

    private static String scope(ScopeEntry scope) {
      var resource = scope.resource() == null ? "everything" : scope.resource();
      var matches = scope.allowedMatches() == null ? "" : " " + scope.allowedMatches();
      return resource + " " + String.join(",", scope.permissions()) + matches;
    }
  }

  /** {@code token create}. */
  @Command(
      name = "create",
      description = {
        "Create a personal access token; its value is shown only this once.",
        "Without --permission it may do whatever you may, except manage tokens. Give programs the"
            + " few permissions that they need. One scope is made from options, several from"
            + " --file."
      },
      footer = {
        "cairn token create sensor-gateway --resource garden/greenhouse \\",
        "  --permission repo:read,repo:write --match 'Sensor/**' --expires 90d",
        "cairn token create ci --json | jq -r .token | gh secret set CAIRN_TOKEN",
        "cairn token create gateway --file token.json"
      })
  static final class Create extends CliCommand {
    @Parameters(
        paramLabel = "<name>",
        description = "Its name: letters, digits, - and _, unique for your account.")
    private String name;

    @Option(names = "--description", paramLabel = "<text>", description = "What it is for.")
    private String description;

    @Option(
        names = "--permission",
        paramLabel = "<permissions>",
        split = ",",
        description = "What it may do, such as repo:read,repo:write.")
    private List<String> permissions;

    @Option(
        names = "--resource",
        paramLabel = "<org|org/repo>",
        description = "Where it may do that; everywhere by default.")
    private String resource;

    @Option(
        names = "--match",
        paramLabel = "<glob>",
        description = "Only entities of the repository whose wref matches; can be repeated.")
    private List<String> matches;

    @Option(
        names = "--expires",
        paramLabel = "<time>",
        description = "When it expires: 90d or 2027-06-30; 30 days by default, 366 at most.")
    private String expires;

    @Mixin private BodyFile file;

    @Override
    protected void run() throws IOException {
      var request = file.isGiven() ? file.read(spec(), context()) : request();
      request.put("name", name);
      var created = client().account().createToken(request);
      output()
          .details(
              created,
              new Details()
                  .add("Token", created.token(), Style.BOLD)
                  .add("Name", created.name())
                  .time("Expires", created.expiresAt()));
      if (created.warnings() != null) {
        created.warnings().forEach(output()::warn);
      }
      output().note("Keep the token now: it is not shown again.");
    }

    private ObjectNode request() {
      if (permissions == null && (resource != null || matches != null)) {
        throw usage("--resource and --match narrow permissions, so they need --permission.");
      }
      if (matches != null && (resource == null || resource.indexOf('/') < 0)) {
        throw usage("--match needs a repository: --resource <org/repo>.");
      }
      var request = JsonNodeFactory.instance.objectNode();
      if (description != null) {
        request.put("description", description);
      }
      if (expires != null) {
        var context = context();
        request.put(
            "expiresAt",
            TimeInput.future("--expires", expires, context.clock().instant(), context.zone()));
      }
      if (permissions != null) {
        writeScope(request.putArray("scopes").addObject());
      }
      return request;
    }

    private void writeScope(ObjectNode scope) {
      if (resource != null) {
        scope.put("resource", resource);
      }
      permissions.forEach(scope.putArray("permissions")::add);
      if (matches != null) {
        matches.forEach(scope.putArray("allowedMatches")::add);
      }
    }
  }

  /** {@code token revoke}. */
  @Command(
      name = "revoke",
      description = {
        "Revoke a personal access token.",
        "It stops working with its next request. This cannot be undone, and its name stays taken."
      },
      footer = {"cairn token revoke sensor-gateway --yes"})
  static final class Revoke extends CliCommand {
    @Parameters(paramLabel = "<name>", description = "The token.")
    private String name;

    @Mixin private Confirmation confirmation;

    @Override
    protected void run() {
      confirm(confirmation, "Revoke the token %s?".formatted(name));
      client().account().revokeToken(name);
      output().done(Done.ok(), "Revoked the token " + name + ".");
    }
  }
}
