package dev.cairn.search;

import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.work.CountedQueue;
import dev.cairn.work.Worker;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Brings the words of search indexes up to date. */
@Singleton
class WordIndexKind extends IndexKind {
  WordIndexKind(
      Database database,
      ChangedEntities entities,
      IndexStates states,
      AwaitedIndexes awaited,
      WordWriter writer,
      CairnConfig config,
      MeterRegistry registry) {
    super(database, entities, states, awaited, writer, config, registry, "cairn.search.indexing");
  }

  @Override
  @Produces
  @Singleton
  Worker<IndexAttempt, Result> worker() {
    return super.worker();
  }

  @Override
  @Produces
  @Singleton
  CountedQueue queue() {
    return super.queue();
  }
}
