package dev.cairn.query;

import dev.cairn.access.ReadBounds;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Moment;
import dev.cairn.content.Moments;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.JsonOut;
import dev.cairn.platform.JsonPage;
import dev.cairn.platform.PageBytes;
import dev.cairn.platform.Pager;
import dev.cairn.query.FormerNames.Place;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Lists and counts entities, of HEAD or of a moment, by filter; ordered by shape name and name. */
@ApplicationScoped
public class EntityReads {
  /** How many entities a shape is taken to have when they are to be counted at a moment. */
  private static final long FEW = 500;

  private static final String PAGE =
      "select "
          + EntityRow.PAGED
          + ", "
          + FormerNames.SEQ
          + " as seq"
          + " from (%s) e"
          + Pager.inOrder("e.shape_name, e.name");

  private static final String IN_RANGES =
      """
      select x.* from %s
      cross join lateral (
        select e.* from %s e %s%s
          and e.name > case when r.shape_name = ? then ? else '' end
        order by e.shape_name, e.name limit ?) x
      where r.shape_name collate "C" >= ?
      order by x.shape_name, x.name limit ?
      """;

  private static final String BY_FORMER_NAME = "e.former_shape, e.former_name, e.id";

  /**
   * A page in the order of former names: shape by shape, as far as nothing was renamed itself, and
   * each that was. Twice the columns of the order, the source and the conditions go in.
   */
  private static final String AS_FORMERLY =
      "select "
          + EntityRow.PAGED
          + """
          , e.former_shape, e.former_name
          from (
            (select x.*, s.former as former_shape, x.name as former_name
             from (select e.name, %1$s as former from entity e
                   where e.repo_id = ? and e.shape_name = 'Shape' offset 0) s
             cross join lateral (
               select e.* from %3$s e %4$s and e.shape_name = s.name
                 and e.name > case when s.former > ? then '' else ? end
                 and not exists (select from entity_rename r
                                 where r.repo_id = e.repo_id and r.entity_id = e.id
                                   and r.seq + 0 > ?
                                 offset 0)
               order by e.name limit ?) x
             where s.former >= ?
             order by s.former, x.name, x.id limit ?)
            union all
            (select e.*, s.former, n.former
             from (select distinct entity_id from entity_rename where repo_id = ? and seq > ?) d
             cross join lateral (
               select e.* from %3$s e %4$s and e.id = d.entity_id offset 0) e
             cross join lateral (select %2$s as former offset 0) s
             cross join lateral (select %1$s as former offset 0) n
             where (s.former, n.former) > (?, ?)
             order by s.former, n.former, e.id limit ?)) e
          """
              .formatted(
                  FormerNames.then("e.id", "e.name"),
                  FormerNames.then("e.shape_id", "e.shape_name"),
                  "%1$s",
                  "%2$s")
          + Pager.inOrder(BY_FORMER_NAME)
          + " limit ?";

  private final Database database;
  private final Targets targets;
  private final Moments moments;
  private final FormerNames formerNames;
  private final ReadBounds bounds;

  /** A statement with its parameters. */
  record Statement(String sql, Object[] parameters) {}

  EntityReads(
      Database database,
      Targets targets,
      Moments moments,
      FormerNames formerNames,
      ReadBounds bounds) {
    this.database = database;
    this.targets = targets;
    this.moments = moments;
    this.formerNames = formerNames;
    this.bounds = bounds;
  }

  /**
   * A page of entities, as {@code { items, nextCursor? }}.
   *
   * @param route the endpoint's name, to which cursors belong
   */
  public JsonPage page(
      RepositoryAccess access,
      String route,
      EntityFilter filter,
      int limit,
      Optional<String> cursor) {
    return read(access, filter, () -> answer(access, route, filter, limit, cursor));
  }

  private JsonPage answer(
      RepositoryAccess access,
      String route,
      EntityFilter filter,
      int limit,
      Optional<String> cursor) {
    var list = "%s %s %s".formatted(route, access.repoId(), filter.text());
    var after = cursor.map(c -> Place.of(Cursor.keys(list, c)));
    var moment = moment(access, filter);
    var where = where(access, filter, moment);
    if (where.isEmpty()) {
      return new JsonOut().object().name("items").array().endArray().endPage(Optional.empty());
    }
    var page = inOrder(access, filter, moment, where.get(), after, limit, list);
    // Asked behind the page, so that none was renamed before it either.
    return after
        .filter(place -> formerNames.any(access.repoId(), place.seq()))
        .map(place -> asFormerly(access, filter, moment, place, limit, list))
        .orElse(page);
  }

  /** A page in the order of today's names. */
  private JsonPage inOrder(
      RepositoryAccess access,
      EntityFilter filter,
      Optional<Moment> moment,
      Predicates where,
      Optional<Place> after,
      int limit,
      String list) {
    var ranges =
        filter.about().isEmpty()
            ? NameRanges.of(access.narrowing().patterns())
            : Optional.<NameRanges>empty();
    var statement =
        ranges
            .map(r -> ofRanges(access.repoId(), r, byName(moment), where, after, limit))
            .orElseGet(
                () -> {
                  after.ifPresent(place -> where.after(place.shapeName(), place.name()));
                  return page(access.repoId(), source(filter, moment, limit), where, limit);
                });
    return items(
        // With collections there are several targets, each of which has an order of its own.
        filter.resolveCollections() ? database : database.inIndexOrder(),
        statement,
        filter.includeInactive(),
        limit,
        list,
        row ->
            List.of(
                row.getString("shape_name"),
                row.getString("name"),
                after.isPresent() ? after.get().seq() : row.getLong("seq")));
  }

  /** The same page in the order of the names that there were when the walk began. */
  private JsonPage asFormerly(
      RepositoryAccess access,
      EntityFilter filter,
      Optional<Moment> moment,
      Place place,
      int limit,
      String list) {
    var from = byName(moment);
    var where = where(access, filter, moment).orElseThrow();
    var seq = place.seq();
    var parameters = new ArrayList<Object>(List.of(PageBytes.max(), seq, access.repoId()));
    parameters.addAll(List.of(where.parameters(from.parameters())));
    parameters.addAll(List.of(place.shapeName(), place.name(), seq, limit + 1));
    parameters.addAll(List.of(place.shapeName(), limit + 1, access.repoId(), seq));
    parameters.addAll(List.of(where.parameters(from.parameters())));
    parameters.addAll(List.of(seq, seq, place.shapeName(), place.name(), limit + 1, limit + 1));
    return items(
        database,
        new Statement(AS_FORMERLY.formatted(from.sql(), where.sql()), parameters.toArray()),
        filter.includeInactive(),
        limit,
        list,
        row -> List.of(row.getString("former_shape"), row.getString("former_name"), place.seq()));
  }

  /** What a row leaves in the cursor behind it. */
  @FunctionalInterface
  private interface Keys {
    List<?> of(ResultSet row) throws SQLException;
  }

  private static JsonPage items(
      Database database,
      Statement statement,
      boolean withActive,
      int limit,
      String list,
      Keys keys) {
    var out = new JsonOut().object().name("items").array();
    var pager = new Pager(limit);
    database.each(
        statement.sql(),
        0,
        row -> {
          var entity = EntityRow.read(row);
          return pager.take(
              entity.data(),
              () -> {
                Items.write(out, entity, withActive);
                return keys.of(row);
              });
        },
        statement.parameters());
    return out.endArray().endPage(pager.next(list));
  }

  /**
   * A page, of which one row more is taken than it has. Its rows are found first, so that what is
   * sorted to find them is thrown away at once, and only they are added up.
   */
  static Statement page(UUID repoId, Source from, Predicates where, int limit) {
    return new Statement(
        PAGE.formatted(
            "select e.* from "
                + from.sql()
                + " e "
                + where.sql()
                + " order by e.shape_name, e.name limit ?"),
        where.parameters(before(repoId, List.of(), from.parameters()), limit + 1));
  }

  /** The same of entities in some ranges of names: from each so many, and of these the first. */
  static Statement ofRanges(
      UUID repoId,
      NameRanges ranges,
      Source from,
      Predicates where,
      Optional<Place> after,
      int limit) {
    var shapeName = after.map(Place::shapeName).orElse("");
    var name = after.map(Place::name).orElse("");
    return new Statement(
        PAGE.formatted(
            IN_RANGES.formatted(NameRanges.SQL, from.sql(), where.sql(), NameRanges.WITHIN)),
        where.parameters(
            before(repoId, ranges.parameters(), from.parameters()),
            shapeName,
            name,
            limit + 1,
            shapeName,
            limit + 1));
  }

  private static List<Object> before(UUID repoId, List<Object> first, List<Object> second) {
    return Stream.of(List.<Object>of(PageBytes.max(), repoId), first, second)
        .flatMap(List::stream)
        .toList();
  }

  /** How many entities the filter selects. */
  public long count(RepositoryAccess access, EntityFilter filter) {
    return read(
        access,
        filter,
        () -> {
          var moment = moment(access, filter);
          var from = source(filter, moment, filter.shape().isPresent() ? FEW : Long.MAX_VALUE);
          return where(access, filter, moment).map(where -> count(from, where)).orElse(0L);
        });
  }

  private long count(Source from, Predicates where) {
    return database
        .first(
            "select count(*) from " + from.sql() + " e " + where.sql(),
            row -> row.getLong(1),
            where.parameters(from.parameters()))
        .orElseThrow();
  }

  private Optional<Moment> moment(RepositoryAccess access, EntityFilter filter) {
    return filter.at().map(at -> moments.find(access, at));
  }

  private static Source byName(Optional<Moment> moment) {
    return moment.map(Moment::byName).orElse(Source.HEAD);
  }

  /** Assertions about a target are found by their own index, anything else by the cheaper way. */
  private static Source source(EntityFilter filter, Optional<Moment> moment, long wanted) {
    return moment
        .map(m -> filter.about().isPresent() ? m.byName() : m.forPage(wanted))
        .orElse(Source.HEAD);
  }

  /** With a target there are several statements, which must see the same moment. */
  private <T> T read(RepositoryAccess access, EntityFilter filter, Supplier<T> read) {
    return bounds.within(access, filter.about().isEmpty() ? read : () -> database.snapshot(read));
  }

  /**
   * The conditions of a filter; empty where its about target, or the shape of its fields, is not.
   */
  private Optional<Predicates> where(
      RepositoryAccess access, EntityFilter filter, Optional<Moment> moment) {
    var where = filter.predicates(access);
    if (!filter.where().isEmpty()) {
      var shape = targets.shape(access, filter.shape().orElseThrow());
      if (shape.isEmpty()) {
        return Optional.empty();
      }
      FieldConditions.narrow(where, access, shape.get(), filter.where());
    }
    if (filter.about().isEmpty()) {
      return Optional.of(where);
    }
    var target = targets.find(access, filter.about().get(), moment);
    target.ifPresent(t -> targets.about(where, t, access, filter.resolveCollections(), moment));
    return target.map(_ -> where);
  }
}
