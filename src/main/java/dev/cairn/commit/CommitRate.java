package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/** The rate limit of the commits of an account; {@code docs/limits.md}, Rate limits. */
@ApplicationScoped
public class CommitRate {
  private static final String POLICY = "commits";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RateLimiter limiter;
  private final int perMinute;

  CommitRate(RateLimiter limiter, CairnConfig config) {
    this.limiter = limiter;
    this.perMinute = config.limits().commitsPerMinute();
  }

  /** Whether there is a limit. */
  boolean isLimited() {
    return perMinute > 0;
  }

  /**
   * Takes a token for a commit.
   *
   * @throws dev.cairn.model.Problem {@code RATE_LIMITED} if there is none
   */
  public void take(RepositoryAccess access) {
    if (isLimited()) {
      limiter.take(POLICY, key(access), perMinute, MINUTE);
    }
  }

  /**
   * Takes a token for a commit that can wait.
   *
   * @return how long to wait before it is tried again; empty if a token was taken
   */
  public Optional<Duration> tryTake(RepositoryAccess access) {
    return limiter.tryTake(POLICY, key(access), 1, perMinute, MINUTE);
  }

  private static String key(RepositoryAccess access) {
    return "account:" + access.account().accountId();
  }
}
