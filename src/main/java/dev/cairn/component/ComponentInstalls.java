package dev.cairn.component;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Which components a repository has, and in which state. There is one install for a repository and
 * a component, which keeps its id: it is {@link State#RESOLVED} first, and whatever is installed or
 * torn down later changes its state. See {@code docs/components.md}, Resolving and Installing.
 */
@ApplicationScoped
class ComponentInstalls {
  /** Maximum number of components that a repository has installed. */
  static final int MAX_INSTALLED = 200;

  /** How many components that are only resolved a repository remembers. */
  static final int MAX_RESOLVED = 200;

  private static final String COLUMNS =
      """
      repo_id, id, component_id, state, number, complete_number, installed_by, created_at,
      updated_at
      """;

  private static final String SELECT = "select " + COLUMNS + " from component_install ";

  private final Database database;

  /** How far the installation is. */
  enum State {
    /** Its id is reserved; nothing is installed. */
    RESOLVED,
    /** The installation began, and has not ended: it can be repeated. */
    INSTALLING,
    INSTALLED,
    /** It was torn down; what it wrote is still there. */
    TORN_DOWN;

    /** As it is stored and answered. */
    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    private static State of(String wire) {
      return valueOf(wire.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * An install.
   *
   * @param number of the version that is installed, or was begun to be; null as long as it is only
   *     resolved
   * @param completeNumber of the version whose installation was completed last; null before the
   *     first one, and after a teardown
   * @param installedBy the account that installed it; null if it was not installed, or the account
   *     was deleted
   */
  record Install(
      UUID repoId,
      UUID id,
      UUID componentId,
      State state,
      Integer number,
      Integer completeNumber,
      UUID installedBy,
      Instant createdAt,
      Instant updatedAt) {}

  ComponentInstalls(Database database) {
    this.database = database;
  }

  /** The install with an id. */
  Optional<Install> find(UUID repoId, UUID id) {
    return database.first(
        SELECT + "where repo_id = ? and id = ?", ComponentInstalls::install, repoId, id);
  }

  /** The install of a component in a repository. */
  Optional<Install> of(UUID repoId, UUID componentId) {
    return database.first(
        SELECT + "where repo_id = ? and component_id = ?",
        ComponentInstalls::install,
        repoId,
        componentId);
  }

  /**
   * The install of a component in a repository, with a new id if there is none. Within a
   * transaction.
   *
   * @return empty if the component was just deregistered
   */
  Optional<Install> reserve(UUID repoId, UUID componentId) {
    lockAll(repoId);
    return of(repoId, componentId).or(() -> insert(repoId, componentId));
  }

  /** Until the surrounding transaction ends, no other installation begins in the repository. */
  void lockAll(UUID repoId) {
    database.lockName("component installs " + repoId);
  }

  /**
   * The oldest of those that are only resolved give way: whoever may write content may resolve, and
   * must not be able to keep others from installing.
   */
  private Optional<Install> insert(UUID repoId, UUID componentId) {
    database.update(
        """
        delete from component_install where repo_id = ? and id in (
          select id from component_install
          where repo_id = ? and state = ? order by id desc offset ?)
        """,
        repoId,
        repoId,
        State.RESOLVED.wire(),
        MAX_RESOLVED - 1);
    return database.first(
        """
        insert into component_install
          (repo_id, id, component_id, state, created_at, updated_at)
        select ?, ?, c.id, ?, now(), now() from component c
        where c.id = ? and c.deregistered_at is null for key share
        returning
        """
            + COLUMNS,
        ComponentInstalls::install,
        repoId,
        Ids.next(),
        State.RESOLVED.wire(),
        componentId);
  }

  /**
   * The installs of components of the same name from other organizations, as far as they are kept
   * ({@link DeregisteredComponents}) and were more than resolved.
   */
  List<Install> namesakes(UUID repoId, Registered component) {
    return database.list(
        SELECT
            + """
            where repo_id = ? and state <> ? and component_id in (
              select c.id from component c where c.name = ? and c.org_id <> ?)
            """,
        ComponentInstalls::install,
        repoId,
        State.RESOLVED.wire(),
        component.name(),
        component.orgId());
  }

  /**
   * Requires that a repository may install one more component.
   *
   * @param componentId the component: it does not count itself
   * @throws Problem {@code CONFLICT} if there are too many
   */
  void requireRoom(UUID repoId, UUID componentId) {
    long others =
        database
            .first(
                """
                select count(*) from component_install
                where repo_id = ? and state in (?, ?) and component_id <> ?
                """,
                row -> row.getLong(1),
                repoId,
                State.INSTALLING.wire(),
                State.INSTALLED.wire(),
                componentId)
            .orElseThrow();
    if (others >= MAX_INSTALLED) {
      throw Problem.of(
              ErrorCode.CONFLICT,
              "A repository may have at most %d components installed.".formatted(MAX_INSTALLED))
          .with("reason", "too_many_components")
          .hint("Tear one down that is not needed any more.");
    }
  }

  /**
   * Begins to install a version, or begins again, in whichever state the install is. The caller
   * holds {@link #lockAll}. It waits for a transaction that deregisters the component.
   *
   * @param componentId the component of the install
   * @param number of the version
   * @param accountId who installs it
   * @return whether it began: false if the component is no longer registered, or if the id is no
   *     longer reserved
   * @throws Problem {@code CONFLICT} if the repository has too many
   */
  boolean begin(UUID repoId, UUID id, UUID componentId, int number, UUID accountId) {
    requireRoom(repoId, componentId);
    return database.update(
            """
            update component_install i
            set state = ?, number = ?, installed_by = ?, updated_at = now()
            where i.repo_id = ? and i.id = ? and exists (
              select from component c
              where c.id = i.component_id and c.deregistered_at is null for key share)
            """,
            State.INSTALLING.wire(),
            number,
            accountId,
            repoId,
            id)
        == 1;
  }

  /**
   * Requires that a version is being installed, or is installed. In a transaction, no other
   * installation or teardown begins until it ends.
   *
   * @throws Problem {@code CONFLICT} ({@code superseded}) if another one has begun since
   */
  void requireCurrent(UUID repoId, UUID id, int number) {
    var _ =
        database
            .first(
                """
                select from component_install
                where repo_id = ? and id = ? and state in (?, ?) and number = ? for share
                """,
                _ -> true,
                repoId,
                id,
                State.INSTALLING.wire(),
                State.INSTALLED.wire(),
                number)
            .orElseThrow(ComponentInstalls::superseded);
  }

  /**
   * Requires that an install is torn down. In a transaction, no installation begins until it ends.
   *
   * @throws Problem {@code CONFLICT} ({@code superseded}) if an installation has begun since
   */
  void requireTornDown(UUID repoId, UUID id) {
    var _ =
        database
            .first(
                """
                select from component_install where repo_id = ? and id = ? and state = ? for share
                """,
                _ -> true,
                repoId,
                id,
                State.TORN_DOWN.wire())
            .orElseThrow(ComponentInstalls::superseded);
  }

  /**
   * The state of an install, which no other transaction changes until the surrounding one ends.
   *
   * @throws Problem {@code NOT_FOUND} if the repository was just deleted
   */
  State lock(UUID repoId, UUID id) {
    return database
        .first(
            "select state from component_install where repo_id = ? and id = ? for update",
            row -> State.of(row.getString(1)),
            repoId,
            id)
        .orElseThrow(() -> InstallReads.missing(id.toString()));
  }

  /** The problem that another installation, or a teardown, has begun since. */
  static Problem superseded() {
    return Problem.of(
            ErrorCode.CONFLICT,
            "Another installation, or a teardown, of the component has begun since.")
        .with("reason", "superseded")
        .hint("List the components of the repository, and repeat what you want.");
  }

  /**
   * Completes the installation of a version. Does nothing if another one of the same version was
   * completed meanwhile.
   *
   * @param number the version with which it began
   * @return whether it is that version that is installed: false if an installation of another one
   *     or a teardown has begun since, or the component was deregistered
   */
  boolean complete(UUID repoId, UUID id, int number) {
    return database.update(
            """
            update component_install i
            set state = ?, complete_number = number, updated_at = now()
            where i.repo_id = ? and i.id = ? and i.state in (?, ?) and i.number = ? and exists (
              select from component c
              where c.id = i.component_id and c.deregistered_at is null for key share)
            """,
            State.INSTALLED.wire(),
            repoId,
            id,
            State.INSTALLING.wire(),
            State.INSTALLED.wire(),
            number)
        == 1;
  }

  /**
   * Marks an install that is not only resolved as torn down.
   *
   * @return whether it was not torn down already
   */
  boolean tearDown(UUID repoId, UUID id) {
    return database.update(
            """
            update component_install
            set state = ?, complete_number = null, updated_at = now()
            where repo_id = ? and id = ? and state in (?, ?)
            """,
            State.TORN_DOWN.wire(),
            repoId,
            id,
            State.INSTALLING.wire(),
            State.INSTALLED.wire())
        == 1;
  }

  private static Install install(ResultSet row) throws SQLException {
    return new Install(
        row.getObject("repo_id", UUID.class),
        row.getObject("id", UUID.class),
        row.getObject("component_id", UUID.class),
        State.of(row.getString("state")),
        row.getObject("number", Integer.class),
        row.getObject("complete_number", Integer.class),
        row.getObject("installed_by", UUID.class),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "updated_at"));
  }
}
