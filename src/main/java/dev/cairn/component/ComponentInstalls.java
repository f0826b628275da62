package dev.cairn.component;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.subscription.InstalledSubscriptions;
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
  /** Maximum number of components of a repository, with those that are only resolved. */
  static final int MAX_OF_REPOSITORY = 200;

  private static final String COLUMNS =
      """
      select repo_id, id, component_id, state, number, installed_by, created_at, updated_at
      from component_install
      """;

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
   * @param installedBy the account that installed it; null if it was not installed, or the account
   *     was deleted
   */
  record Install(
      UUID repoId,
      UUID id,
      UUID componentId,
      State state,
      Integer number,
      UUID installedBy,
      Instant createdAt,
      Instant updatedAt) {}

  ComponentInstalls(Database database) {
    this.database = database;
  }

  /** The install with an id. */
  Optional<Install> find(UUID repoId, UUID id) {
    return database.first(
        COLUMNS + "where repo_id = ? and id = ?", ComponentInstalls::install, repoId, id);
  }

  /** The install of a component in a repository. */
  Optional<Install> of(UUID repoId, UUID componentId) {
    return database.first(
        COLUMNS + "where repo_id = ? and component_id = ?",
        ComponentInstalls::install,
        repoId,
        componentId);
  }

  /** All installs of a repository, the oldest first; at most {@link #MAX_OF_REPOSITORY}. */
  List<Install> of(UUID repoId) {
    return database.list(
        COLUMNS + "where repo_id = ? order by id", ComponentInstalls::install, repoId);
  }

  /**
   * The install of a component in a repository, with a new id if there is none. Within a
   * transaction.
   *
   * @return empty if the component was just deregistered
   * @throws Problem {@code CONFLICT} if the repository has too many
   */
  Optional<Install> reserve(UUID repoId, UUID componentId) {
    database.lockName("component installs " + repoId);
    return of(repoId, componentId).or(() -> insert(repoId, componentId));
  }

  private Optional<Install> insert(UUID repoId, UUID componentId) {
    long others =
        database
            .first(
                "select count(*) from component_install where repo_id = ?",
                row -> row.getLong(1),
                repoId)
            .orElseThrow();
    if (others >= MAX_OF_REPOSITORY) {
      throw Problem.of(
              ErrorCode.CONFLICT,
              "A repository has at most %d components, with those that were only resolved."
                  .formatted(MAX_OF_REPOSITORY))
          .with("reason", "too_many_components")
          .hint("Install it in another repository.");
    }
    return database.first(
        """
        insert into component_install
          (repo_id, id, component_id, state, created_at, updated_at)
        select ?, ?, c.id, ?, now(), now() from component c
        where c.id = ? and c.deregistered_at is null for key share
        returning repo_id, id, component_id, state, number, installed_by, created_at, updated_at
        """,
        ComponentInstalls::install,
        repoId,
        Ids.next(),
        State.RESOLVED.wire(),
        componentId);
  }

  /**
   * Begins to install a version, or begins again, in whichever state the install is. It waits for a
   * transaction that deregisters the component.
   *
   * @param number of the version
   * @param accountId who installs it
   * @return whether it began: false if the component is no longer registered
   */
  boolean begin(UUID repoId, UUID id, int number, UUID accountId) {
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
   * Whether a version is being installed, or is installed. In a transaction, no other installation
   * or teardown begins until it ends.
   */
  boolean isCurrent(UUID repoId, UUID id, int number) {
    return database
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
        .isPresent();
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

  /** The problem that an installation of another version, or a teardown, has begun since. */
  static Problem superseded() {
    return InstalledSubscriptions.superseded();
  }

  /**
   * Ends the installation of a version. Does nothing if another one of the same version has ended
   * meanwhile.
   *
   * @param number the version with which it began
   * @return whether it is that version that is installed: false if an installation of another one
   *     or a teardown has begun since
   */
  boolean end(UUID repoId, UUID id, int number) {
    return database.update(
            """
            update component_install set state = ?, updated_at = now()
            where repo_id = ? and id = ? and state in (?, ?) and number = ?
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
        update component_install set state = ?, updated_at = now()
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
        row.getObject("installed_by", UUID.class),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "updated_at"));
  }
}
