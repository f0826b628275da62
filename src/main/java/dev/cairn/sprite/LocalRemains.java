package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.LocalCommands;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jboss.logging.Logger;

/**
 * Deletes what runs leave. How long that takes is up to the command, which may have made any number
 * of files: what is not deleted in a moment is deleted later, one directory after another, so that
 * it holds up no run. Until then no other run gets its user. {@code docs/sprites.md}, The local
 * backend.
 */
@ApplicationScoped
class LocalRemains {
  private static final Logger LOG = Logger.getLogger(LocalRemains.class);

  /** What a run waits for before its result is recorded. */
  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  /** How long one directory may keep the others waiting; it has another turn after them. */
  private static final Duration TURN = Duration.ofMinutes(10);

  private final Duration atOnce;
  private final Queue<LocalDirectory> left = new ConcurrentLinkedQueue<>();

  @Inject
  LocalRemains() {
    this(AT_ONCE);
  }

  LocalRemains(Duration atOnce) {
    this.atOnce = atOnce;
  }

  /** Deletes a directory and gives its user back: now, if it takes no longer than a moment. */
  void delete(LocalDirectory directory) {
    if (!isDeleted(directory, atOnce)) {
      LOG.warnf("%s cannot be deleted at once; it is tried again until it is", directory.root());
      left.add(directory);
    }
  }

  private boolean isDeleted(LocalDirectory directory, Duration limit) {
    boolean isGone = directory.delete(limit);
    if (isGone && left.stream().noneMatch(other -> other.user().equals(directory.user()))) {
      directory.user().close();
    }
    return isGone;
  }

  /** Before the first run, since none may get the user of files that are there. */
  void findAtStart(@Observes @Priority(200) StartupEvent event, CairnConfig config) {
    if (config.sprite().backend().filter(LocalBackend.NAME::equals).isPresent()
        && LocalCommands.isRoot()) {
      find(Path.of(System.getProperty("java.io.tmpdir")));
    }
  }

  /** Takes on what a service that was killed has left. */
  void find(Path temporary) {
    try {
      left.addAll(LocalDirectory.left(temporary, this));
    } catch (IOException e) {
      LOG.warnf("what former runs left in %s cannot be found: %s", temporary, e.getMessage());
    }
  }

  /** Gives each of those that are left now its turn. */
  @Scheduled(every = "30s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void deleteLeft() {
    for (int turns = left.size(); turns > 0; turns--) {
      var directory = left.remove();
      if (!isDeleted(directory, TURN)) {
        left.add(directory);
      }
    }
  }
}
