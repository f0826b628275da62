package dev.cairn.commit;

import dev.cairn.access.RateLimiter;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.platform.BodyMemory;
import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Takes commits in from whatever door they come by, as many as an account may send in a minute and
 * as many at once as memory holds. See {@code docs/commits.md} and {@code docs/limits.md}, Rate
 * limits.
 */
@ApplicationScoped
public class Submissions {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final CommitService commits;
  private final BodyMemory memory;
  private final RateLimiter limiter;
  private final int perMinute;

  Submissions(CommitService commits, BodyMemory memory, RateLimiter limiter, CairnConfig config) {
    this.commits = commits;
    this.memory = memory;
    this.limiter = limiter;
    this.perMinute = config.limits().commitsPerMinute();
  }

  /**
   * Commits what a request's body says.
   *
   * @param access granted for {@code repo:write}
   * @param idempotencyKey as the client sent it, if it did
   * @param precondition as {@link CommitService#submit} has it
   */
  public CommitAnswer submit(
      RepositoryAccess access,
      Optional<String> idempotencyKey,
      LongPredicate precondition,
      InputStream body) {
    var answered =
        perMinute > 0 ? commits.answeredBody(access, idempotencyKey) : Optional.<byte[]>empty();
    if (answered.isEmpty()) {
      limit(access);
    }
    return BodyMemory.read(
        body,
        bytes -> {
          // A used key alone does not make a request free: only the very request does.
          if (answered.isPresent() && !isReplay(access, answered.get(), bytes)) {
            limit(access);
          }
          return commits.submit(access, bytes, idempotencyKey, precondition);
        });
  }

  private boolean isReplay(RepositoryAccess access, byte[] answered, byte[] body) {
    return memory.within(
        access.account().accountId(), body, () -> CommitService.isReplay(answered, body));
  }

  private void limit(RepositoryAccess access) {
    limiter.take("commits", "account:" + access.account().accountId(), perMinute, MINUTE);
  }
}
