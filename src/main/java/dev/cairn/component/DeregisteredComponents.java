package dev.cairn.component;

import dev.cairn.platform.database.Database;
import dev.cairn.work.Chore;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.UUID;

/**
 * Deletes what is left of components that were deregistered once no install needs it: versions that
 * are installed nowhere, and installs that were torn down, which cannot be installed again. See
 * {@code docs/components.md}, Registering.
 */
@Singleton
class DeregisteredComponents implements Chore {
  /** How long an install that was torn down is still listed, examined and torn down again. */
  private static final Duration TORN_DOWN_RETENTION = Duration.ofDays(30);

  private static final int MAX_INSTALLS = 1_000;
  private static final int MAX_COMPONENTS = 10;

  /** A version {@code v} that no install has, or is about to have. */
  private static final String UNNEEDED =
      """
      not exists (
        select from component_install i
        where i.component_id = v.component_id and i.number = v.number)
      and not exists (
        select from component_install i
        where i.component_id = v.component_id and i.complete_number = v.number)
      """;

  private static final String TORN_DOWN =
      """
      delete from component_install where (repo_id, id) in (
        select i.repo_id, i.id
        from component c join component_install i on i.component_id = c.id
        where c.deregistered_at is not null and i.state = ?
          and i.updated_at < now() - make_interval(secs => ?)
          and not exists ( -- of an interrupted teardown, which has to be repeated; or resumed by hand
            select from subscription s
            where s.repo_id = i.repo_id and s.install_id = i.id and s.active)
        limit ? for update of i skip locked)
      """;

  private static final String WITH_UNNEEDED =
      """
      select c.id from component c
      where c.deregistered_at is not null and exists (
        select from component_version v where v.component_id = c.id and
      """
          + UNNEEDED
          + ") limit ? for update of c skip locked";

  private final Database database;

  DeregisteredComponents(Database database) {
    this.database = database;
  }

  @Override
  public String name() {
    return "components";
  }

  @Override
  public boolean runBatch() {
    return database.transaction(
        () -> {
          int installs =
              database.update(
                  TORN_DOWN,
                  ComponentInstalls.State.TORN_DOWN.wire(),
                  TORN_DOWN_RETENTION.toSeconds(),
                  MAX_INSTALLS);
          var components =
              database.list(WITH_UNNEEDED, row -> row.getObject(1, UUID.class), MAX_COMPONENTS);
          components.forEach(this::deleteUnneeded);
          return installs == MAX_INSTALLS || components.size() == MAX_COMPONENTS;
        });
  }

  /**
   * Deletes what no install needs of a component: all of it, if it is installed nowhere.
   *
   * @param componentId of one that was deregistered, whose row is locked, so that no installation
   *     begins meanwhile
   */
  void deleteUnneeded(UUID componentId) {
    database.update(
        "delete from component_version v where v.component_id = ? and " + UNNEEDED, componentId);
    database.update(
        """
        delete from component c
        where c.id = ? and not exists (
          select from component_version v where v.component_id = c.id)
        """,
        componentId);
    database.update(
        """
        update component c
        set newest = (select max(v.number) from component_version v where v.component_id = c.id)
        where c.id = ?
        """,
        componentId);
  }
}
