package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Opens a page of the repository. */
@Command(
    name = "open",
    description = "Open the repository, or a thing of it, in the browser.",
    footer = {"cairn open", "cairn open Country/BG", "cairn open Country/BG --print"})
public final class OpenCommand extends CliCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "<wref>",
      description = "A thing, such as Country/BG. Otherwise the readme is opened.")
  private String wref;

  @Option(names = "--print", description = "Only print the URL.")
  private boolean printed;

  @Override
  protected void run() {
    var page = page();
    if (output().isStructured()) {
      output().document(Map.of("url", page.toString()));
    } else if (printed || !new Browser(context()).open(page)) {
      output().line(page.toString());
    }
  }

  private URI page() {
    var repository = settings().repository();
    var path =
        wref == null
            ? "/%s/readme.md".formatted(repository)
            : "/api/repos/%s/things/%s".formatted(repository, wref);
    var server = settings().server();
    try {
      var encoded = new URI(null, null, path, null).getRawPath();
      return URI.create(server + URI.create(encoded).toASCIIString());
    } catch (URISyntaxException e) {
      throw usage("'%s' is not a wref: expected Shape/name.".formatted(wref));
    }
  }
}
