package dev.cairn.client;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The runs that commits and schedules create in a repository: {@code docs/actions.md}. */
public final class RunsClient {
  private static final int MAX_LIMIT = 200;

  private final Transport transport;
  private final String organization;
  private final String repository;

  RunsClient(Transport transport, String organization, String repository) {
    this.transport = transport;
    this.organization = organization;
    this.repository = repository;
  }

  /**
   * The runs, newest first.
   *
   * @param status only runs with this status; null for all
   * @param since only runs that were created after this time, in milliseconds since 1970; null for
   *     all
   */
  public Stream<Run> listRuns(@Nullable String status, @Nullable Long since) {
    return Pages.stream(page -> listRunsPage(status, since, page));
  }

  /** A page of {@link #listRuns}, with at most 200 runs. */
  public Page<Run> listRunsPage(@Nullable String status, @Nullable Long since, Paging page) {
    return transport.page(
        actions("runs").query("status", status).query("since", since).query(limited(page)),
        Run.class);
  }

  /** The attempts at a run, in order. */
  public List<Attempt> listAttempts(String runId) {
    return transport.json(
        actions("runs").segment(runId).segment("attempts"), new TypeReference<>() {});
  }

  /** The attempts at the run of a subscription and a commit, in order. */
  public List<Attempt> listAttemptsOfCommit(String subscription, String commitId) {
    return transport.json(
        actions("subs")
            .segment(subscription)
            .segment("commits")
            .segment(commitId)
            .segment("attempts"),
        new TypeReference<>() {});
  }

  /**
   * The notifications about runs, newest first.
   *
   * @param since only those that were created after this time, in milliseconds since 1970; null for
   *     all
   */
  public Stream<Notification> listNotifications(@Nullable Long since) {
    return Pages.stream(page -> listNotificationsPage(since, page));
  }

  /** A page of {@link #listNotifications}, with at most 200 of them. */
  public Page<Notification> listNotificationsPage(@Nullable Long since, Paging page) {
    return transport.page(
        actions("notifications").query("since", since).query(limited(page)), Notification.class);
  }

  /** Lets a failed run wait for another attempt. */
  public RunState retryRun(String runId) {
    return transport.json(
        Call.post("api", "repos", organization, repository, "actions", "runs", runId, "retry"),
        RunState.class);
  }

  /**
   * Lets all failed runs of a subscription wait for another attempt.
   *
   * @param since only runs that were created at this time or later, in milliseconds since 1970
   * @return how many there are
   */
  public int recoverRuns(String subscription, long since) {
    var call =
        Call.post("api", "repos", organization, repository, "subs", subscription, "recover")
            .json(Map.of("since", since));
    return transport.json(call, JsonNode.class).path("runs").intValue();
  }

  /**
   * Reports on an action that continues by itself; the caller needs {@code repo:action-callback} or
   * {@code org:action-callback}.
   */
  public RunState reportRun(String runId, Report report) {
    return transport.json(
        Call.post("api", "action-runs", runId, "callback").json(report), RunState.class);
  }

  private Call actions(String collection) {
    return Call.get("api", "repos", organization, repository, "actions", collection);
  }

  private static Paging limited(Paging page) {
    boolean isTooMuch = page.limit() != null && page.limit() > MAX_LIMIT;
    return isTooMuch ? new Paging(MAX_LIMIT, page.cursor()) : page;
  }
}
