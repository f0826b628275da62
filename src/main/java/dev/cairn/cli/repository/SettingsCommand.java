package dev.cairn.cli.repository;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.OnOff;
import dev.cairn.cli.command.RepositoryName;
import dev.cairn.cli.output.Details;
import dev.cairn.client.Repository;
import dev.cairn.client.RepositoryChange;
import dev.cairn.client.RepositorySettingsChange;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code repo settings}. */
@Command(
    name = "settings",
    description = {
      "Show the settings of a repository, or change some of them.",
      "What is not given stays; an empty value ('') sets it back to its default. Changing takes"
          + " repo:configure."
    },
    footer = {
      "cairn repo settings garden/greenhouse",
      "cairn repo settings garden/greenhouse --streams on",
      "cairn repo settings --notify-url https://hooks.garden.example/failed",
      "cairn repo settings --notify-url ''"
    })
final class SettingsCommand extends CliCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "<org/repo>",
      description = "The repository. Otherwise the one in use.")
  private String name;

  @Option(
      names = "--streams",
      paramLabel = "<on|off>",
      converter = OnOff.Converter.class,
      description = "Whether operations may be submitted as a stream.")
  private OnOff streams;

  @Option(
      names = "--notify-url",
      paramLabel = "<url>",
      description = "A webhook for notifications of failed runs, besides the inbox.")
  private String notifyUrl;

  @Option(
      names = "--notify-credential",
      paramLabel = "<set>",
      description = "The credential set for its calls.")
  private String notifyCredential;

  @Option(
      names = "--search-language",
      paramLabel = "<language>",
      description = "simple, or a language such as english; all content is then indexed again.")
  private String searchLanguage;

  @Option(
      names = "--search-vectors",
      paramLabel = "<on|off>",
      converter = OnOff.Converter.class,
      description = "Whether there is search by vectors; off deletes them.")
  private OnOff searchVectors;

  @Override
  protected void run() {
    var chosen = name == null ? settings().repository() : RepositoryName.parse(name);
    var repository = client().repository(chosen.org(), chosen.repo());
    if (Stream.of(streams, notifyUrl, notifyCredential, searchLanguage, searchVectors)
        .allMatch(Objects::isNull)) {
      show(repository.getRepository());
      return;
    }
    show(repository.updateRepository(new RepositoryChange(null, null, null, null, change())));
  }

  private RepositorySettingsChange change() {
    return new RepositorySettingsChange(
        streams == null ? null : new RepositorySettingsChange.Streams(value(streams)),
        notifyUrl == null && notifyCredential == null
            ? null
            : new RepositorySettingsChange.Notifications(value(notifyUrl), value(notifyCredential)),
        searchLanguage == null && searchVectors == null
            ? null
            : new RepositorySettingsChange.Search(value(searchLanguage), value(searchVectors)));
  }

  /** Null leaves the setting, and the JSON null removes it. */
  private static JsonNode value(String text) {
    var json = JsonNodeFactory.instance;
    return text == null ? null : text.isEmpty() ? json.nullNode() : json.textNode(text);
  }

  private static JsonNode value(OnOff position) {
    return position == null ? null : JsonNodeFactory.instance.booleanNode(position.isOn());
  }

  private void show(Repository repository) {
    var settings = repository.settings();
    if (settings == null) {
      output().details(repository, new Details().add("Settings", "shown to editors and above"));
      return;
    }
    var details =
        new Details()
            .add(
                "Streams",
                position(
                    settings.streams() != null
                        && Boolean.TRUE.equals(settings.streams().enabled())));
    if (settings.notifications() != null) {
      details
          .add("Notification URL", settings.notifications().webhookUrl())
          .add("Notification credential", settings.notifications().credentialSetName());
    }
    var search = settings.search();
    output()
        .details(
            repository,
            details
                .add(
                    "Search language",
                    search == null || search.language() == null ? "simple" : search.language())
                .add(
                    "Search by vectors",
                    position(search == null || !Boolean.FALSE.equals(search.vectors()))));
  }

  private static String position(boolean on) {
    return on ? "on" : "off";
  }
}
