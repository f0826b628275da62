package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.BodyMemory;
import dev.cairn.platform.memory.ReceivedBody;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Accepts commits over HTTP and MCP, within the rate limit of the account and the memory for
 * bodies. See {@code docs/commits.md} and {@code docs/limits.md}, Rate limits.
 */
@ApplicationScoped
public class Submissions {
  private final Database database;
  private final CommitService commits;
  private final BodyMemory memory;
  private final CommitRate rate;
  private final NameHints hints;

  Submissions(
      Database database,
      CommitService commits,
      BodyMemory memory,
      CommitRate rate,
      NameHints hints) {
    this.database = database;
    this.commits = commits;
    this.memory = memory;
    this.rate = rate;
    this.hints = hints;
  }

  /**
   * Commits the batch in a request's body.
   *
   * @param access granted for {@code repo:write}
   * @param idempotencyKey the client's idempotency key, if it sent one
   * @param wanted the answer that the client wants, if it was not answered before
   * @param precondition as in {@link CommitService#submit}
   */
  public CommitAnswer submit(
      RepositoryAccess access,
      Optional<String> idempotencyKey,
      CommitAnswer.Wanted wanted,
      LongPredicate precondition,
      ReceivedBody body) {
    var answered =
        rate.isLimited() ? commits.answeredBody(access, idempotencyKey) : Optional.<byte[]>empty();
    if (answered.isEmpty()) {
      limit(access);
    }
    if (body.isCompressed()) {
      // Before it is decompressed: a request whose access has changed is begun again.
      database.confirm();
    }
    byte[] bytes;
    try {
      bytes = body.bytes();
    } catch (Problem e) {
      if (answered.isPresent()) {
        limit(access);
      }
      throw e;
    }
    // A used key alone does not exempt a request from the limit: its body must be the same.
    if (answered.isPresent() && !isReplay(access, answered.get(), bytes)) {
      limit(access);
    }
    try {
      return commits.submit(access, bytes, idempotencyKey, wanted, precondition);
    } catch (Problem e) {
      throw hints.explained(e, access);
    }
  }

  private boolean isReplay(RepositoryAccess access, byte[] answered, byte[] body) {
    return memory.within(
        access.account().accountId(), body, () -> CommitService.isReplay(answered, body));
  }

  private void limit(RepositoryAccess access) {
    if (rate.isLimited()) {
      // Before anything is taken: a request whose access has changed is begun again.
      database.confirm();
      rate.take(access);
    }
  }
}
