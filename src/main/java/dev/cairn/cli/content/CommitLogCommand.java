package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Commit;
import dev.cairn.client.LiveEvent;
import dev.cairn.client.LiveFilter;
import dev.cairn.client.Paging;
import dev.cairn.client.RepositoryClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the commits. */
@Command(
    name = "log",
    description = "List the commits, newest first.",
    footer = {
      "cairn commit log --limit 10",
      "cairn commit log --since 2026-11-29T12:00:00Z",
      "cairn commit log --live"
    })
public final class CommitLogCommand extends CliCommand {
  /** How many commits are shown before the new ones. */
  private static final int BEFORE = 10;

  @Mixin private ListLimit limit;

  @Option(
      names = "--since",
      paramLabel = "<time>",
      description = "Only those after a time, such as 2026-11-29T12:00:00Z.")
  private Instant since;

  @Option(
      names = {"-l", "--live"},
      description = "Go on, and show each new commit, the newest last.")
  private boolean live;

  @Override
  protected void run() {
    limit.check();
    if (live && since != null) {
      throw usage("--live begins with the newest commits: it excludes --since.");
    }
    if (live) {
      follow(repository());
      return;
    }
    var commits =
        since == null ? repository().listCommits() : repository().listCommits(since.toEpochMilli());
    output().list(table(), limit.apply(commits, output()), "There is no commit.");
  }

  private static Table<Commit> table() {
    return new Table<Commit>()
        .text("COMMIT", Commit::commitId, commit -> Style.CYAN)
        .number("SEQ", Commit::repoSeq)
        .time("WHEN", Commit::createdAt)
        .text("AUTHOR", Commit::author)
        .number("CHANGES", Commit::operationCount)
        .text("MESSAGE", Commit::message);
  }

  /** Each event says that there are commits; which they are is read from the log. */
  private void follow(RepositoryClient repository) {
    long shown = -1;
    try (var events = repository.streamEvents(LiveFilter.ALL, null)) {
      for (var event : (Iterable<LiveEvent>) events::iterator) {
        if (event.repoSeq() > shown) {
          var commits = after(repository, shown);
          commits.forEach(this::show);
          output().flush();
          shown = commits.isEmpty() ? event.repoSeq() : commits.getLast().repoSeq();
        }
      }
    }
  }

  /** The commits after one, the newest last; if there is none, the last few. */
  private List<Commit> after(RepositoryClient repository, long repoSeq) {
    if (repoSeq < 0) {
      var last = repository.listCommitsPage(null, Paging.first(limit.ofView(BEFORE))).items();
      return last.reversed();
    }
    var commits = new ArrayList<Commit>();
    try (var newest = repository.listCommits()) {
      newest.takeWhile(commit -> commit.repoSeq() > repoSeq).forEach(commits::add);
    }
    return commits.reversed();
  }

  private void show(Commit commit) {
    if (output().isStructured()) {
      output().update(commit);
    } else {
      output().row(table(), commit);
    }
  }
}
