package dev.cairn.cli.content;

import dev.cairn.cli.output.Output;
import dev.cairn.client.CairnException;
import dev.cairn.client.Item;
import dev.cairn.client.LiveMessage;
import dev.cairn.client.Query;
import dev.cairn.client.RepositoryClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows a query until the process is told to end. On a terminal the view is drawn again after
 * each change. Otherwise each change is told: as the whole result in a line of JSON, or as a line
 * for each entity with {@code +}, {@code ~} or {@code -} before it.
 */
final class LiveView {
  /** How an entity is told on a pipe. */
  private static final String ADDED = "+";

  private static final String CHANGED = "~";
  private static final String REMOVED = "-";

  /** Draws a result for a person. */
  @FunctionalInterface
  interface Drawing {
    void draw(List<Item> items);
  }

  private final Output output;
  private final Drawing drawing;
  private final Map<String, Item> shown = new LinkedHashMap<>();
  private final String title;

  LiveView(Output output, String title, Drawing drawing) {
    this.output = output;
    this.title = title;
    this.drawing = drawing;
  }

  /**
   * Follows a query; returns only if there is nothing more to follow.
   *
   * @throws CairnException if the query cannot be run, or access has ended
   */
  void follow(RepositoryClient repository, Query query) {
    try (var live = repository.liveQueries()) {
      live.subscribe("view", query);
      for (var message = live.next(); message != null; message = live.next()) {
        switch (message) {
          case LiveMessage.Result result -> show(result);
          case LiveMessage.Failed failed -> throw failed.exception();
        }
      }
    }
  }

  private void show(LiveMessage.Result result) {
    if (output.isStructured()) {
      output.update(result);
    } else if (output.isForPeople()) {
      draw(result);
    } else {
      tell(result.items());
    }
    output.flush();
  }

  private void draw(LiveMessage.Result result) {
    output.clear();
    var more = result.nextCursor() == null ? "" : "the first ";
    output.line(
        "%s: %s%d at commit %d. Ctrl-C ends."
            .formatted(title, more, result.items().size(), result.repoSeq()));
    if (result.warnings() != null) {
      result.warnings().forEach(output::line);
    }
    output.line("");
    drawing.draw(result.items());
  }

  private void tell(List<Item> items) {
    var gone = new LinkedHashMap<>(shown);
    for (var item : items) {
      var before = gone.remove(item.wref());
      if (!item.equals(before)) {
        tell(before == null ? ADDED : CHANGED, item);
      }
      shown.put(item.wref(), item);
    }
    gone.forEach(
        (wref, item) -> {
          tell(REMOVED, item);
          shown.remove(wref);
        });
  }

  private void tell(String how, Item item) {
    output.text(
        String.join(
            "\t", how, item.wref(), Integer.toString(item.version()), Data.line(item.data())));
  }
}
