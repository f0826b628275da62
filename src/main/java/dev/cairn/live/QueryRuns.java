package dev.cairn.live;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.CallerLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.query.EntityReads;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs live queries in turns of their callers, which bound the results that are in memory at a
 * time: from their query until the connection has them, which counts them from then on.
 */
@Singleton
class QueryRuns {
  /** The maximum size of the items of a message, in bytes, unless it has a single one. */
  static final int MAX_ITEMS_BYTES = 1024 * 1024;

  private static final Duration TURN_WAIT = Duration.ofSeconds(5);

  private final Authorizer authorizer;
  private final EntityReads reads;
  private final CallerLimiter turns;

  QueryRuns(Authorizer authorizer, EntityReads reads) {
    this.authorizer = authorizer;
    this.reads = reads;
    int atOnce = 2 * Math.max(2, Runtime.getRuntime().availableProcessors());
    this.turns = new CallerLimiter(atOnce / 2, Integer.MAX_VALUE, atOnce, atOnce / 4);
  }

  /**
   * Authorizes the caller again, runs a query, and does something with the result, in one turn.
   *
   * @param access granted before
   * @param use what is done with the result
   * @throws Problem {@code UNAVAILABLE} if the turn does not come in time, {@code NOT_FOUND} if the
   *     repository is not there any longer, or has another name, and as {@link EntityReads#page}
   */
  <T> T run(RepositoryAccess access, LiveQuery query, Function<LiveQuery.Result, T> use) {
    return turns.call(
        access.caller(),
        TURN_WAIT,
        () -> {
          query.begins();
          return use.apply(
              authorizer.call(
                  access.caller(),
                  access.org(),
                  access.repo(),
                  REPO_READ,
                  now -> read(access, now, query)));
        },
        () -> Problem.of(ErrorCode.UNAVAILABLE, "Too many queries are run at this moment."));
  }

  private LiveQuery.Result read(RepositoryAccess before, RepositoryAccess now, LiveQuery query) {
    if (!now.repoId().equals(before.repoId())) {
      throw Problem.notFound("The repository was renamed.");
    }
    var page =
        PageBytes.within(
            MAX_ITEMS_BYTES,
            () ->
                reads.page(
                    now, "query", query.filter(), query.fields(), query.limit(), Optional.empty()));
    return LiveQuery.Result.of(page.json(), now.seq());
  }
}
