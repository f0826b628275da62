package dev.cairn.action.read;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.action.Notices;
import dev.cairn.action.Recovery;
import dev.cairn.action.RunStatus;
import dev.cairn.action.RunVisibility;
import dev.cairn.action.RunVisibility.Found;
import dev.cairn.content.CommitId;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Shows runs, their attempts and notifications; {@code docs/actions.md}, Reading. */
@ApplicationScoped
public class ActionReads {
  /** The names of the parameters of a list of runs. */
  public static final Set<String> OF_RUNS = Set.of("status", "since", LIMIT, CURSOR);

  /** The names of the parameters of a list of notifications. */
  public static final Set<String> OF_NOTIFICATIONS = Set.of("since", LIMIT, CURSOR);

  /** The maximum and the default number of items of a page. */
  private static final int MAX_LIMIT = 200;

  private static final int DEFAULT = 50;

  /** The bytes of a run in a list: an index has up to 4 digits and a comma. */
  private static final String RUN_SIZE =
      "5 * cardinality(r.matched) + 1024 + " + Pager.jsonBytes("r.last_error_message");

  private static final String RUNS =
      """
      select r.id, r.created_at, r.subscription_name, r.commit_id, r.status, r.executor_kind,
             %s as matched, r.attempt_count, r.max_attempts, r.updated_at, r.last_error_code,
             r.last_error_message, r.source_repo_id, %s
      from
      """
          .formatted(Pager.fitting("r.matched", RUN_SIZE), Pager.fits(RUN_SIZE));

  private static final String NOTIFICATION_SIZE =
      "1024 + "
          + Pager.jsonBytes("n.error_message")
          + " + "
          + Pager.jsonBytes("d.last_error_message");

  private static final String NOTIFICATIONS =
      """
      select n.id, n.created_at, n.run_id, n.subscription_name, n.commit_id, n.attempt, n.channel,
             n.status, n.outcome, n.error_code, n.error_message, d.status as dispatch_status,
             d.attempt_count, d.last_error_code, d.last_error_message, n.resolved_at,
             r.source_repo_id, %s
      from action_notification n
      left join lateral (
        select x.source_repo_id from action_run x
        where x.repo_id = n.repo_id and x.id = n.run_id offset 0) r on true
      left join action_run d on d.repo_id = n.repo_id and d.id = n.dispatch_id
      where n.repo_id = ?
      """
          .formatted(Pager.fits(NOTIFICATION_SIZE));

  /**
   * The latest time that is accepted, in epoch milliseconds, in the year 5138: the database cannot
   * store every {@code long}.
   */
  static final long MAX_MILLIS = 99_999_999_999_999L;

  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final RunVisibility visibility;

  ActionReads(Database database, ReadBounds bounds, Cursors cursors, RunVisibility visibility) {
    this.database = database;
    this.bounds = bounds;
    this.cursors = cursors;
    this.visibility = visibility;
  }

  /**
   * The runs of a repository's subscriptions, newest first: a page of the feed of deliveries.
   *
   * @param parameters of {@link #OF_RUNS}: only those of a status, or made after a time
   */
  public Page<RunView> runs(RepositoryAccess access, QueryParameters parameters) {
    var status = parameters.text("status").map(RunStatus::named);
    var since = parameters.time("since");
    int limit = limit(parameters);
    var cursor = parameters.text(CURSOR);
    var list = "runs %s %s %s".formatted(access.repoId(), status, since);
    var part = new Part("r", access.repoId(), list, since, limit, cursor);
    var which =
        status.map(ActionReads::of).orElse("action_run r where r.repo_id = ?")
            + " and r"
            + Notices.IS_RUN;
    boolean isOpen = status.filter(RunStatus::isOpen).isPresent();
    var ordered = isOpen ? database : database.inIndexOrder();
    return bounds.within(
        access,
        () ->
            visibility.shown(
                access,
                page(
                    ordered,
                    RUNS + which,
                    row -> run(row, access),
                    part,
                    PageBytes.max(),
                    PageBytes.max()),
                RunView::withoutSource));
  }

  /**
   * Constants, so that the planner knows which index has them. There are few open runs, so they are
   * selected first and sorted; the others are read in the order of an index.
   */
  private static String of(RunStatus status) {
    return status.isOpen()
        ? """
          (select * from action_run x where x.repo_id = ? and x.status = '%s' offset 0) r
          where true
          """
            .formatted(status.wire())
        : "action_run r where r.repo_id = ? and r.status = '%s'".formatted(status.wire());
  }

  /**
   * The notifications about a repository's runs, newest first.
   *
   * @param parameters of {@link #OF_NOTIFICATIONS}
   */
  public Page<NotificationView> notifications(RepositoryAccess access, QueryParameters parameters) {
    var since = parameters.time("since");
    int limit = limit(parameters);
    var cursor = parameters.text(CURSOR);
    var list = "notifications %s %s".formatted(access.repoId(), since);
    return bounds.within(
        access,
        () ->
            visibility.shown(
                access,
                page(
                    database.inIndexOrder(),
                    NOTIFICATIONS,
                    row -> notification(row, access),
                    new Part("n", access.repoId(), list, since, limit, cursor),
                    PageBytes.max()),
                NotificationView::withoutSource));
  }

  private static int limit(QueryParameters parameters) {
    return parameters.integer(LIMIT, 1, MAX_LIMIT).orElse(DEFAULT);
  }

  /** Which part of a list, whose table goes by a letter. */
  private record Part(
      String table,
      UUID repoId,
      String list,
      Optional<Instant> since,
      int limit,
      Optional<String> cursor) {}

  /**
   * @param first the parameters of the columns
   */
  private <T> Page<Found<T>> page(
      Database database, String select, Database.RowMapper<T> item, Part part, Object... first) {
    var table = part.table();
    var sql = new StringBuilder(select);
    var parameters = new ArrayList<Object>(List.of(first));
    parameters.add(part.repoId());
    if (part.since().isPresent()) {
      sql.append(" and %s.created_at > ?".formatted(table));
      parameters.add(part.since().get());
    }
    part.cursor()
        .map(cursor -> cursors.read(part.list(), cursor, ActionReads::keys))
        .ifPresent(
            keys -> {
              sql.append(" and (%1$s.created_at, %1$s.id) < (?, ?)".formatted(table));
              parameters.addAll(keys);
            });
    sql.append(Pager.inOrder("%1$s.created_at desc, %1$s.id desc".formatted(table)))
        .append(" limit ?");
    parameters.add(part.limit() + 1);
    return new Pager(cursors, part.list(), part.limit())
        .read(
            database,
            sql.toString(),
            row ->
                Found.of(
                    row,
                    item.map(row),
                    Rows.millis(row, "created_at"),
                    row.getObject("id", UUID.class)),
            Found::keys,
            parameters.toArray());
  }

  private static List<Object> keys(List<String> texts) {
    var id = UUID.fromString(texts.get(1));
    long millis = Long.parseLong(texts.get(0));
    if (millis < 0 || millis > MAX_MILLIS) {
      throw new IllegalArgumentException("not a time of a run");
    }
    return List.of(Instant.ofEpochMilli(millis), id);
  }

  private static RunView run(ResultSet row, RepositoryAccess access) throws SQLException {
    var status = row.getString("status");
    boolean failed = lastFailed(status);
    return new RunView(
        row.getString("id"),
        row.getString("subscription_name"),
        row.getString("commit_id"),
        status,
        row.getString("executor_kind"),
        Rows.ints(row, "matched"),
        row.getInt("attempt_count"),
        row.getInt("max_attempts"),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "updated_at"),
        failed ? row.getString("last_error_code") : null,
        failed ? RunVisibility.message(row.getString("last_error_message"), access) : null);
  }

  /** Whether the present attempt failed, or waits after the failure of the last one. */
  private static boolean lastFailed(String status) {
    return RunStatus.of(status).filter(s -> s == RunStatus.RETRY_WAIT || s.isFailed()).isPresent();
  }

  private static NotificationView notification(ResultSet row, RepositoryAccess access)
      throws SQLException {
    return new NotificationView(
        row.getString("run_id"),
        row.getString("subscription_name"),
        row.getString("commit_id"),
        row.getInt("attempt"),
        row.getString("channel"),
        row.getString("status"),
        row.getString("outcome"),
        row.getString("error_code"),
        RunVisibility.message(row.getString("error_message"), access),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "resolved_at"),
        dispatch(row, access));
  }

  private static NotificationView.Dispatch dispatch(ResultSet row, RepositoryAccess access)
      throws SQLException {
    var status = row.getString("dispatch_status");
    if (status == null) {
      return null;
    }
    boolean failed = lastFailed(status);
    return new NotificationView.Dispatch(
        status,
        row.getInt("attempt_count"),
        failed ? row.getString("last_error_code") : null,
        failed ? RunVisibility.message(row.getString("last_error_message"), access) : null);
  }

  /**
   * The attempts at a run, in their order.
   *
   * @throws Problem {@code NOT_FOUND} if the repository has no such run
   */
  public List<AttemptView> attempts(RepositoryAccess access, UUID runId) {
    return bounds.within(
        access,
        () -> {
          var found = attempts("r.id = ?", access, List.of(runId));
          if (found.isEmpty()) {
            throw Recovery.missing("There is no run `" + runId + "` here.");
          }
          return visibility.shown(access, made(found), AttemptView::withoutSource);
        });
  }

  /**
   * The attempts at the run of a commit.
   *
   * @param subscriptionName of a subscription that there is
   * @param commitId of the commit, or of the tick of a schedule
   * @throws Problem {@code NOT_FOUND} if there is no such subscription or run, or if the commit is
   *     from another repository that the caller may not read; {@code VALIDATION_ERROR} for what is
   *     no commit id
   */
  public List<AttemptView> attempts(
      RepositoryAccess access, String subscriptionName, String commitId) {
    CommitId.require(commitId);
    return bounds.within(
        access,
        () -> {
          var found =
              attempts(
                  """
                  r.subscription_id = (select s.id from subscription s
                                       where s.repo_id = ? and s.name = ?) and r.commit_id = ?
                  """,
                  access,
                  List.of(access.repoId(), subscriptionName, commitId));
          // Otherwise the answer would reveal whether another repository has such a commit.
          if (found.isEmpty() || !visibility.readable(access, found).test(found.getFirst())) {
            throw Recovery.missing(
                "There is no run of `%s` for the commit `%s`."
                    .formatted(subscriptionName, commitId));
          }
          return made(found).stream().map(Found::item).toList();
        });
  }

  private List<Found<AttemptView>> attempts(
      String which, RepositoryAccess access, List<Object> parameters) {
    var all = new ArrayList<Object>(Arrays.asList((Object) access.repoId()));
    all.addAll(parameters);
    return database.list(
        """
        select a.attempt, a.status, a.executor_kind, a.started_at, a.finished_at, a.http_status,
               a.error_code, a.error_message, a.progress, a.message, a.output, r.source_repo_id
        from action_run r
        left join action_attempt a on a.repo_id = r.repo_id and a.run_id = r.id
        where r.repo_id = ? and r"""
            + Notices.IS_RUN
            + " and "
            + which
            + " order by a.attempt",
        row -> Found.of(row, attempt(row, access)),
        all.toArray());
  }

  /** Without the one row of a run without attempts. */
  private static List<Found<AttemptView>> made(List<Found<AttemptView>> found) {
    return found.stream().filter(row -> row.item() != null).toList();
  }

  /** Null for the one row of a run without attempts. */
  private static AttemptView attempt(ResultSet row, RepositoryAccess access) throws SQLException {
    if (row.getString("status") == null) {
      return null;
    }
    return new AttemptView(
        row.getInt("attempt"),
        row.getString("status"),
        row.getString("executor_kind"),
        Rows.instant(row, "started_at"),
        Rows.instant(row, "finished_at"),
        row.getObject("http_status", Integer.class),
        row.getString("error_code"),
        RunVisibility.message(row.getString("error_message"), access),
        RunVisibility.seesOutput(access) ? row.getObject("progress", Double.class) : null,
        RunVisibility.seesOutput(access) ? row.getString("message") : null,
        RunVisibility.seesOutput(access) ? row.getString("output") : null);
  }
}
