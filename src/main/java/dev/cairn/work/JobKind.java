package dev.cairn.work;

import dev.cairn.platform.CairnConfig;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Jobs within the service as a kind of leased work: they have no target outside, every replica does
 * them, and tenants share the slots, of which one has at most half. No notification wakes their
 * workers: the replica that makes a job wakes its own, and the others poll.
 *
 * @param <T> an attempt at a job
 * @param <R> the result of an attempt
 */
public abstract class JobKind<T extends JobAttempt, R> implements WorkKind<T, R> {
  /** One slot for this many connections of the pool: a job takes one or two, most stay free. */
  private static final int CONNECTIONS_PER_SLOT = 8;

  private final String executor;
  private final JobQueue<T> queue;
  private final int slots;

  /**
   * A kind of jobs.
   *
   * @param executor the executor of their {@link WorkItem#target()}, which is a tenant's
   */
  protected JobKind(String executor, JobQueue<T> queue, CairnConfig config) {
    this.executor = executor;
    this.queue = queue;
    this.slots = Math.max(1, config.database().poolSize() / CONNECTIONS_PER_SLOT);
  }

  /**
   * A worker of this kind, whose attempts are counted by a gauge.
   *
   * @param gauge its name
   */
  protected Worker<T, R> worker(MeterRegistry registry, String gauge, String description) {
    var worker = new Worker<>(this);
    Gauge.builder(gauge, worker, Worker::activeAttempts)
        .description(description)
        .register(registry);
    return worker;
  }

  @Override
  public final Map<String, SlotLimits> slots() {
    return Map.of(executor, SlotLimits.ofJobs(slots));
  }

  /** No grace: another replica continues, or begins again. */
  @Override
  public final Duration grace() {
    return Duration.ZERO;
  }

  @Override
  public final boolean isClaimedByAll() {
    return true;
  }

  @Override
  public final Optional<String> channel() {
    return Optional.empty();
  }

  @Override
  public final String dueCondition() {
    return queue.dueCondition();
  }

  @Override
  public List<TargetQueue> ready(Optional<Set<UUID>> repos, Slots.Full full, int max) {
    var fullTenants = full.targets().stream().map(WorkTarget::tenantId).toList();
    return queue.ready(fullTenants, max).stream()
        .map(tenant -> TargetQueue.of(WorkTarget.ofTenant(tenant, executor)))
        .toList();
  }

  @Override
  public final List<T> claim(Collection<Slots.Grant> grants, UUID lease) {
    return queue.claim(
        grants.stream()
            .map(
                grant ->
                    new JobQueue.Share(grant.queue().target().tenantId(), grant.slots().size()))
            .toList());
  }

  @Override
  public final Set<UUID> renew(Collection<T> items, UUID lease) {
    return queue.renew(items);
  }
}
