package dev.cairn.content.read;

import dev.cairn.content.ByKey;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Source;
import dev.cairn.content.Statement;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.StoredJson;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ObjIntConsumer;

/** Reads entities by their current names: as they are now, at a moment, or at given versions. */
@ApplicationScoped
public class EntitiesByName {
  /** One entity of a {@link Source}. */
  static final String ONE =
      "select "
          + EntityRow.COLUMNS
          + """
          , e.shape_version, e.data_hash, e.created_at, e.updated_at, e.author
           from %s e where e.repo_id = ? and e.shape_name = ? and e.name = ?
          """;

  /** Versions {@code v} of entities {@code e} by name; version 0 means HEAD, which has none. */
  private static final String BY_NAME =
      """
      from unnest(?, ?, ?) with ordinality as n (shape_name, name, version, ordinal)
      cross join lateral %s e
      left join lateral (
        select * from entity_version x
        where n.version > 0 and x.repo_id = ? and x.entity_id = e.id and x.version = n.version
        offset 0) v on true
      """
          .formatted(ByKey.entity("?", "n.shape_name", "n.name"));

  private static final String FOUND = " where n.version = 0 or v.version is not null";

  /** These versions as they are shown, with the commits that made them. */
  static final String VERSIONS =
      """
      select e.shape_name, e.name, e.kind,
             coalesce(v.version, e.version) as version, %s as data, e.about_wref,
             coalesce(v.active, e.active) as active,
             coalesce(v.shape_version, e.shape_version) as shape_version,
             coalesce(v.data_hash, e.data_hash) as data_hash, e.created_at,
             coalesce(c.created_at, e.updated_at) as updated_at,
             coalesce(c.author, e.author) as author, n.ordinal
      """
              .formatted(
                  Pager.fitting(
                      "coalesce(v.data, e.data)",
                      "octet_length(coalesce(v.data, e.data)) + 4 * octet_length(e.name) + 512"))
          + BY_NAME
          + "left join lateral %s c on true".formatted(ByKey.commit("v.repo_id", "v.valid_from"))
          + FOUND
          + Pager.inOrder("n.ordinal");

  private static final String STATE =
      """
      select e.shape_name || '/' || e.name as wref, coalesce(v.version, e.version) as version,
             e.kind, coalesce(v.active, e.active) as active
      """
          + BY_NAME
          + FOUND;

  private static final String ID = "select e.id from " + ByKey.entity("?", "?", "?") + " e";

  private static final String CONTENT =
      """
      select e.data::json ->> 'content' from entity e
      where e.repo_id = ? and e.shape_name = ? and e.name = ? and e.active
      """;

  /** The most versions that are read to find the one that gave a member its value. */
  private static final int MAX_VERSIONS = 1_000;

  /**
   * The first of the versions up to the current one in all of which the data is not too long to
   * read, and a member has the present value; null if it is not among the last {@link
   * #MAX_VERSIONS}. Whether the entity is active does not matter: restoring an entity does not
   * confirm its data.
   */
  private static final String FIRST_WITH_MEMBER =
      """
      (1 + coalesce((
        select o.version from entity_version o
        where o.repo_id = e.repo_id and o.entity_id = e.id and o.version < e.version
          and o.version >= e.version - %1$d
          and (greatest(octet_length(o.data), octet_length(e.data)) > ?
               or (o.data::json ->> ?) is distinct from (e.data::json ->> ?))
        order by o.version desc limit 1), case when e.version <= %1$d then 0 end))\
      """
          .formatted(MAX_VERSIONS);

  private static final String WRITTEN =
      """
      select case when octet_length(e.data) <= ? then e.data end as data,
             case when c.may_configure then c.account_id end as account_id
      from %s e
      left join lateral %s v on true
      left join lateral %s c on not exists (
        select from entity_rename n
        where n.repo_id = v.repo_id and n.entity_id = v.entity_id and n.seq > v.valid_from)
        and not exists (
          select from %s l where octet_length(l.data) > ?)
      where e.active
      """
          .formatted(
              ByKey.entity("?", "?", "?"),
              ByKey.version("e.repo_id", "e.id", FIRST_WITH_MEMBER),
              ByKey.commit("v.repo_id", "v.valid_from"),
              ByKey.version("v.repo_id", "v.entity_id", "v.version - 1"));

  private static final String OF_REPOSITORIES =
      """
      select %s, n.ordinal, e.id as target_id, e.version as target_version
      from unnest(?, ?, ?) with ordinality as n (repo_id, shape_name, name, ordinal)
      cross join lateral (
        select * from %s x
        where x.repo_id = n.repo_id and x.shape_name = n.shape_name and x.name = n.name
        offset 0) e
      """
          + Pager.inOrder("n.ordinal");

  private final Database database;

  /** The state of a version, by the current name of its entity. */
  public record State(String wref, int version, String kind, boolean active) {}

  /**
   * The payload of an entity.
   *
   * @param data JSON text, as it is shown; null if it is longer than was asked for
   * @param accountId the account that wrote the member that was asked for; null if it is not known,
   *     if its token could not read and configure the repository, or if the entity has got its
   *     present name since then, perhaps from another account
   */
  public record Written(String data, UUID accountId) {}

  EntitiesByName(Database database) {
    this.database = database;
  }

  /** One entity of a source, active or not. */
  public Optional<EntityDetails> find(Source source, UUID repoId, Wref wref) {
    return database.first(
        ONE.formatted(source.sql()),
        EntityDetails::read,
        source.with(repoId, wref.shape(), wref.name()));
  }

  /**
   * Many entities, in the order of their names, each at a version. Those that do not exist are left
   * out.
   *
   * @param versions for each of the names a number; 0 for HEAD
   * @param found takes each entity with the position of its name; without its data if that does not
   *     fit into the answer
   */
  public void each(
      UUID repoId, List<Wref> wrefs, int[] versions, ObjIntConsumer<EntityDetails> found) {
    database.each(
        VERSIONS,
        0,
        row -> {
          found.accept(EntityDetails.read(row), row.getInt("ordinal") - 1);
          return true;
        },
        PageBytes.max(),
        Columns.strings(wrefs, Wref::shape),
        Columns.strings(wrefs, Wref::name),
        versions,
        repoId,
        repoId);
  }

  /**
   * The state of an entity at a version.
   *
   * @param version 0 for HEAD
   */
  public Optional<State> state(UUID repoId, Wref wref, int version) {
    return database.first(
        STATE,
        row ->
            new State(
                row.getString("wref"),
                row.getInt("version"),
                row.getString("kind"),
                row.getBoolean("active")),
        new String[] {wref.shape()},
        new String[] {wref.name()},
        new int[] {version},
        repoId,
        repoId);
  }

  /**
   * A statement for many entities of several repositories, active or not. Its rows have the
   * position of the name as {@code ordinal}, which begins with 1, and {@code target_id} and {@code
   * target_version}.
   *
   * @param columns more columns, of {@code e}, in the window {@code page}
   * @param parameters the parameters of the columns
   * @param repoIds for each of the names its repository
   */
  public static Statement ofRepositories(
      String columns,
      List<Object> parameters,
      Source source,
      List<UUID> repoIds,
      List<Wref> wrefs) {
    var all = new ArrayList<>(parameters);
    all.add(repoIds.toArray(UUID[]::new));
    all.add(Columns.strings(wrefs, Wref::shape));
    all.add(Columns.strings(wrefs, Wref::name));
    all.addAll(source.parameters());
    return new Statement(OF_REPOSITORIES.formatted(columns, source.sql()), all.toArray());
  }

  /** The id of an entity, active or not. */
  public Optional<Long> id(UUID repoId, Wref wref) {
    return database.first(ID, row -> row.getLong("id"), repoId, wref.shape(), wref.name());
  }

  /** The text of an active thing of the shape {@code Content}. */
  public Optional<String> content(UUID repoId, String name) {
    return database.first(
        CONTENT, row -> row.getString(1), repoId, BuiltinShape.CONTENT.shapeName(), name);
  }

  /**
   * The payload of an active entity, and who gave one of its members its present value: the account
   * of the first of the versions up to the current one in all of which the member has that value,
   * whether the entity was active or not. The account is unknown if a longer payload came before
   * these versions, if the first of them is not among the last thousand, or if it wrote that
   * version with a token that could not configure the repository.
   *
   * @param member the name of the member
   * @param maxBytes what the payloads may have as they are stored
   * @return empty if there is none
   */
  public Optional<Written> written(UUID repoId, Wref wref, String member, int maxBytes) {
    return database.first(
        WRITTEN,
        row ->
            new Written(
                Optional.ofNullable(row.getString("data")).map(StoredJson::plain).orElse(null),
                row.getObject("account_id", UUID.class)),
        maxBytes,
        repoId,
        wref.shape(),
        wref.name(),
        maxBytes,
        member,
        member,
        maxBytes);
  }
}
