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
 * Deletes the directories of runs. How long that takes depends on the command, which may have
 * created any number of files. What is not deleted within seconds is deleted later, one directory
 * after another, so that it does not delay other runs. Until then no other run gets the user.
 * {@code docs/sprites.md}, The local backend.
 */
@ApplicationScoped
class LocalRemains {
  private static final Logger LOG = Logger.getLogger(LocalRemains.class);

  /** How long a run waits for the deletion before its result is recorded. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  /** How long the deletion of one directory may take before the others get their turn. */
  private static final Duration MAX_TURN = Duration.ofMinutes(10);

  private final Duration atOnce;
  private final Queue<LocalDirectory> left = new ConcurrentLinkedQueue<>();

  @Inject
  LocalRemains() {
    this(MAX_WAIT);
  }

  LocalRemains(Duration atOnce) {
    this.atOnce = atOnce;
  }

  /** Deletes a directory and releases its user: at once, or later if that takes too long. */
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

  /** Runs before the first run, since no run may get a user that already owns files. */
  void findAtStart(@Observes @Priority(200) StartupEvent event, CairnConfig config) {
    if (config.sprite().backend().filter(LocalBackend.NAME::equals).isPresent()
        && LocalCommands.isRoot()) {
      find(Path.of(System.getProperty("java.io.tmpdir")));
    }
  }

  /** Finds the directories that a killed service has left. */
  void find(Path temporary) {
    try {
      left.addAll(LocalDirectory.left(temporary, this));
    } catch (IOException e) {
      LOG.warnf("what former runs left in %s cannot be found: %s", temporary, e.getMessage());
    }
  }

  /** Tries to delete each remaining directory once. */
  @Scheduled(every = "30s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void deleteLeft() {
    for (int turns = left.size(); turns > 0; turns--) {
      var directory = left.remove();
      if (!isDeleted(directory, MAX_TURN)) {
        left.add(directory);
      }
    }
  }
}
