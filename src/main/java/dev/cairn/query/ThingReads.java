package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.At;
import dev.cairn.content.ByKey;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Moments;
import dev.cairn.content.Source;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.Pager;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads entities by their names: one, at any version, or many at once. */
@ApplicationScoped
public class ThingReads {
  /** The version in a look-up for a wref that the caller may not know of; it is never found. */
  private static final int HIDDEN = -1;

  private final Database database;
  private final Moments moments;
  private final ReadBounds bounds;
  private final Targets targets;

  /**
   * A request for many entities.
   *
   * @param wrefs 1 to 500
   * @param version the version of all of them; null for HEAD
   */
  @RegisterForReflection
  public record Batch(List<String> wrefs, Integer version) {
    private static final int MAX_WREFS = 500;

    private void check() {
      if (wrefs == null || wrefs.isEmpty() || wrefs.size() > MAX_WREFS) {
        throw Problem.invalid("/wrefs", "`wrefs` must have 1 to " + MAX_WREFS + " entries.");
      }
      if (version != null && version < 1) {
        throw Problem.invalid("/version", "`version` must be an integer of at least 1.");
      }
    }
  }

  ThingReads(Database database, Moments moments, ReadBounds bounds, Targets targets) {
    this.database = database;
    this.moments = moments;
    this.bounds = bounds;
    this.targets = targets;
  }

  /** One entity by name, of a {@link Source}. */
  static final String PRESENT =
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

  /**
   * One entity with all its members.
   *
   * @param version the version parameter of the request
   * @param at the moment to read instead of the current state; cannot be combined with a version
   */
  public byte[] get(
      RepositoryAccess access, Wref wref, Optional<Integer> version, Optional<At> at) {
    var here = Targets.here(access, wref, "?wref");
    if (at.isPresent() && (version.isPresent() || !wref.equals(wref.bare()))) {
      throw Problem.invalid("?at", "`at` determines the version: do not give another one.");
    }
    int wanted = version(here, version, "?version");
    var out = new JsonOut();
    boolean found =
        bounds.within(
            access,
            () ->
                canRead(access, here)
                    && (wanted == 0
                        ? writeCurrent(access, here, at, out)
                        : !versions(access, List.of(here), new int[] {wanted}, out).isEmpty()));
    if (!found) {
      // What there is today says little about another moment.
      throw at.isEmpty() ? missing(access, here, wanted) : notFound(here);
    }
    return out.toBytes();
  }

  /** Writes the entity in its current state, or in that at the moment. */
  private boolean writeCurrent(RepositoryAccess access, Wref wref, Optional<At> at, JsonOut out) {
    var from = at.map(named -> moments.find(access, named).byName()).orElse(Source.HEAD);
    return database
        .first(
            PRESENT.formatted(from.sql()),
            row -> {
              write(access, EntityRow.read(row), row, out);
              return true;
            },
            from.with(access.repoId(), wref.shape(), wref.name()))
        .isPresent();
  }

  /** Writes the versions that are found; returns their ordinals, which begin at 1. */
  private Set<Integer> versions(
      RepositoryAccess access, List<Wref> wrefs, int[] versions, JsonOut out) {
    var found = new HashSet<Integer>();
    database.each(
        VERSIONS,
        0,
        row -> {
          var entity = EntityRow.read(row);
          if (entity.data() == null) {
            throw Problem.of(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "The answer would have more than %,d bytes: request fewer wrefs."
                    .formatted(PageBytes.max()));
          }
          write(access, entity, row, out);
          return found.add(row.getInt("ordinal"));
        },
        PageBytes.max(),
        Columns.strings(wrefs, Wref::shape),
        Columns.strings(wrefs, Wref::name),
        versions,
        access.repoId(),
        access.repoId());
    return found;
  }

  /** Many entities, in the order of the request, duplicates included; missing ones are listed. */
  public byte[] batch(RepositoryAccess access, Batch batch) {
    batch.check();
    var texts = batch.wrefs();
    var version = Optional.ofNullable(batch.version());
    var wrefs = new ArrayList<Wref>();
    var versions = new int[texts.size()];
    for (int i = 0; i < texts.size(); i++) {
      var pointer = "/wrefs/" + i;
      var text = texts.get(i);
      var named = EntityFilter.parsed(pointer, text, Wref::parseShape);
      var wref = Targets.here(access, named, pointer);
      versions[i] = version(wref, version, pointer);
      wrefs.add(wref);
    }
    bounds.within(
        access,
        () -> {
          for (int i = 0; i < versions.length; i++) {
            if (!canRead(access, wrefs.get(i))) {
              versions[i] = HIDDEN;
            }
          }
          return true;
        });
    return PageBytes.uncut(() -> batch(access, texts, wrefs, versions));
  }

  private byte[] batch(
      RepositoryAccess access, List<String> texts, List<Wref> wrefs, int[] versions) {
    var out = new JsonOut().object().name("items").array();
    var found = bounds.within(access, () -> versions(access, wrefs, versions, out));
    out.endArray().name("missing").array();
    for (int i = 0; i < texts.size(); i++) {
      if (!found.contains(i + 1)) {
        out.value(texts.get(i));
      }
    }
    return out.endArray().end().toBytes();
  }

  /** Whether there is an entity with that name, active or not. */
  public boolean exists(RepositoryAccess access, Wref wref) {
    return bounds.within(access, () -> resolve(access, wref, 0, new JsonOut()));
  }

  /**
   * The id of an entity that the caller may read.
   *
   * @param wref without a version
   * @param pointer the parameter that names it
   * @throws Problem {@code NOT_FOUND}
   */
  public long id(RepositoryAccess access, Wref wref, String pointer) {
    var here = Targets.here(access, wref, pointer);
    return bounds
        .within(
            access,
            () ->
                canRead(access, here)
                    ? database.first(
                        "select e.id from " + ByKey.entity("?", "?", "?") + " e",
                        row -> row.getLong(1),
                        access.repoId(),
                        here.shape(),
                        here.name())
                    : Optional.<Long>empty())
        .orElseThrow(() -> missing(access, here, 0));
  }

  /**
   * Resolves a wref to its current entity: {@code { wref, version, kind, active, canonicalWref }}.
   */
  public byte[] resolve(RepositoryAccess access, Wref wref) {
    var here = Targets.here(access, wref, "?wref");
    int wanted = version(here, Optional.empty(), "?wref");
    var out = new JsonOut();
    if (bounds.within(access, () -> canRead(access, here) && resolve(access, here, wanted, out))) {
      return out.toBytes();
    }
    throw missing(access, here, wanted);
  }

  private boolean resolve(RepositoryAccess access, Wref here, int wanted, JsonOut out) {
    return database
        .first(
            """
            select e.shape_name || '/' || e.name, coalesce(v.version, e.version), e.kind,
                   coalesce(v.active, e.active)
            """
                + BY_NAME
                + FOUND,
            row -> {
              out.object().name("wref").value(row.getString(1));
              out.name("version").value(row.getInt(2));
              out.name("kind").value(row.getString(3));
              out.name("active").value(row.getBoolean(4));
              out.name("canonicalWref").value(canonical(access, row.getString(1))).end();
              return true;
            },
            new String[] {here.shape()},
            new String[] {here.name()},
            new int[] {wanted},
            access.repoId(),
            access.repoId())
        .isPresent();
  }

  /** The version that the wref or the parameter gives; 0 for HEAD. */
  private static int version(Wref wref, Optional<Integer> version, String pointer) {
    return switch (wref.modifier()) {
      case Wref.Modifier.None() -> version.orElse(0);
      case Wref.Modifier.Head() -> {
        if (version.isPresent()) {
          throw Problem.invalid(pointer, "`@HEAD` and a version contradict each other.");
        }
        yield 0;
      }
      case Wref.Modifier.All() ->
          throw Problem.invalid(pointer, "`@ALL` does not name a single version: use history.");
      case Wref.Modifier.Pinned(int pinned) -> {
        if (version.filter(v -> v != pinned).isPresent()) {
          throw Problem.invalid(
              pointer,
              "`@v%d` and version %d contradict each other.".formatted(pinned, version.get()));
        }
        yield pinned;
      }
    };
  }

  private static void write(RepositoryAccess access, EntityRow entity, ResultSet row, JsonOut out)
      throws SQLException {
    out.object();
    Items.members(out, entity, true);
    out.name("canonicalWref").value(canonical(access, entity.local()));
    out.name("shapeVersion").value(row.getInt("shape_version"));
    out.name("dataHash").value(HexFormat.of().formatHex(row.getBytes("data_hash")));
    out.name("createdAt").value(Rows.millis(row, "created_at"));
    out.name("updatedAt").value(Rows.millis(row, "updated_at"));
    out.name("author").value(row.getString("author"));
    out.end();
  }

  private static String canonical(RepositoryAccess access, String local) {
    return Wref.SCHEME + access.fullName() + "/" + local;
  }

  /**
   * Whether the caller's token may read an entity; otherwise it is reported as missing. It is asked
   * in the turn of the read, because patterns may take long to match.
   */
  private static boolean canRead(RepositoryAccess access, Wref wref) {
    return access.narrowing().canRead(wref, access.matching());
  }

  private static Problem notFound(Wref wref) {
    return Problem.notFound("There is no `%s`.".formatted(wref.local()));
  }

  private Problem missing(RepositoryAccess access, Wref wref, int version) {
    return version == 0
        ? bounds.within(access, () -> targets.missing(access, wref))
        : Targets.noVersion(version, wref.local());
  }
}
