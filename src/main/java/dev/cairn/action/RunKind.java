package dev.cairn.action;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.subscription.AutomaticPauses;
import dev.cairn.work.Recording;
import dev.cairn.work.RetrySchedule;
import dev.cairn.work.SlotLimits;
import dev.cairn.work.Slots;
import dev.cairn.work.Step;
import dev.cairn.work.TargetQueue;
import dev.cairn.work.WorkKind;
import dev.cairn.work.Worker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Runs as a kind of leased work: the table {@code action_run}, the {@link Executor} of each run,
 * and the retry schedule of {@code cairn.retry.delays}. {@code docs/actions.md}, Workers, has the
 * rules.
 */
@Singleton
class RunKind implements WorkKind<RunAttempt, Outcome> {
  private static final int MAX_OVERDUE = 200;

  /** Notifications have this part of the slots of webhooks, in addition to these. */
  private static final int NOTIFICATION_FRACTION = 8;

  private final Database database;
  private final RunQueue queue;
  private final ReadyQueues ready;
  private final Execution execution;
  private final AttemptResultRules rules;
  private final AttemptResults results;
  private final CircuitBreaker circuits;
  private final AutomaticPauses pauses;
  private final CairnConfig.Worker limits;
  private final Duration grace;

  @Inject
  RunKind(
      Database database,
      RunQueue queue,
      ReadyQueues ready,
      Execution execution,
      AttemptResultRules rules,
      AttemptResults results,
      CircuitBreaker circuits,
      AutomaticPauses pauses,
      CairnConfig config) {
    this(
        database,
        queue,
        ready,
        execution,
        rules,
        results,
        circuits,
        pauses,
        config,
        config.stop().timeout());
  }

  RunKind(
      Database database,
      RunQueue queue,
      ReadyQueues ready,
      Execution execution,
      AttemptResultRules rules,
      AttemptResults results,
      CircuitBreaker circuits,
      AutomaticPauses pauses,
      CairnConfig config,
      Duration shutdownTimeout) {
    this.database = database;
    this.queue = queue;
    this.ready = ready;
    this.execution = execution;
    this.rules = rules;
    this.results = results;
    this.circuits = circuits;
    this.pauses = pauses;
    this.limits = config.worker();
    this.grace = shutdownTimeout.multipliedBy(2).dividedBy(3);
  }

  @Produces
  @Singleton
  Worker<RunAttempt, Outcome> worker(MeterRegistry registry) {
    var worker = new Worker<>(this);
    Gauge.builder("cairn.attempts.running", worker, Worker::activeAttempts)
        .description("Attempts that this replica carries out at this moment")
        .register(registry);
    return worker;
  }

  @Produces
  @Singleton
  static RetrySchedule schedule(CairnConfig config) {
    return new RetrySchedule(config.retry().delays());
  }

  @Override
  public String noun() {
    return "run";
  }

  @Override
  public Map<String, SlotLimits> slots() {
    return Map.of(
        "webhook",
        SlotLimits.ofCalls(limits.webhooks()),
        "sprite",
        SlotLimits.ofCommands(limits.sprites()),
        Notices.KIND,
        SlotLimits.ofCalls(Math.max(1, limits.webhooks() / NOTIFICATION_FRACTION)));
  }

  @Override
  public Duration grace() {
    return grace;
  }

  @Override
  public boolean isClaimedByAll() {
    return false;
  }

  @Override
  public Optional<String> channel() {
    return Optional.of(Outbox.CHANNEL);
  }

  @Override
  public String dueCondition() {
    return """
        coalesce(
          (select true from action_run where status in ('pending', 'retry_wait')
           order by repo_id, target, urgent, due_at limit 1),
          (select true from action_run where status = 'running' and due_at <= now()
           order by due_at limit 1))""";
  }

  @Override
  public List<TargetQueue> ready(Optional<Set<UUID>> repos, Slots.Full full, int max) {
    return ready.find(repos, full, max);
  }

  @Override
  public boolean nextPart() {
    return ready.nextPart();
  }

  @Override
  public List<RunAttempt> claim(Collection<Slots.Grant> grants, UUID lease) {
    return queue.claim(grants, lease).stream().map(RunAttempt::new).toList();
  }

  @Override
  public Set<UUID> renew(Collection<RunAttempt> items, UUID lease) {
    return queue.renew(items.stream().map(item -> item.run().running()).toList(), lease);
  }

  @Override
  public Step<Outcome> begin(RunAttempt item) throws InterruptedException {
    return execution.begin(item);
  }

  @Override
  public Outcome failed(RunAttempt item, RuntimeException cause) {
    return execution.failed(item, cause);
  }

  @Override
  public Recording end(RunAttempt item, Outcome outcome) {
    execution.end(item, outcome);
    var result = rules.of(item.run().running(), outcome);
    return new RunRecording(item.run(), outcome, result, circuits, pauses, results);
  }

  @Override
  public void giveBack(RunAttempt item) {
    results.write(rules.givenBack(item.run().running()));
  }

  /** A span ends also if there was no result. */
  @Override
  public void over(RunAttempt item) {
    item.span().end();
  }

  @Override
  public int rescue() {
    return database.transaction(
        () -> {
          var overdue = results.overdue(MAX_OVERDUE);
          return results.write(overdue.stream().map(rules::overdue).toList()).size();
        });
  }
}
