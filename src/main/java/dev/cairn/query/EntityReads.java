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
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Lists and counts entities, of HEAD or of a moment, by filter; ordered by shape name and name. */
@ApplicationScoped
public class EntityReads {
  /** How many entities a shape is taken to have when they are to be counted at a moment. */
  private static final long SMALL_SHAPE = 500;

  private static final String PAGE =
      "select " + EntityRow.PAGED + " from (%s) e" + Pager.inOrder("e.shape_name, e.name");

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

  private final Database database;
  private final Targets targets;
  private final Moments moments;
  private final ReadBounds bounds;

  /** A statement with its parameters. */
  record Statement(String sql, Object[] parameters) {}

  EntityReads(Database database, Targets targets, Moments moments, ReadBounds bounds) {
    this.database = database;
    this.targets = targets;
    this.moments = moments;
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
    var after = cursor.map(c -> PageKey.of(Cursor.keys(list, c)));
    var moment = moment(access, filter);
    var where = where(access, filter, moment);
    if (where.isEmpty()) {
      return new JsonOut().object().name("items").array().endArray().endPage(Optional.empty());
    }
    var statement = statement(access, filter, moment, where.get(), after, limit);
    // With collections there are several targets, each of which has an order of its own.
    var inOrder = filter.resolveCollections() ? database : database.inIndexOrder();
    return items(inOrder, statement, filter.includeInactive(), limit, list);
  }

  private static Statement statement(
      RepositoryAccess access,
      EntityFilter filter,
      Optional<Moment> moment,
      Predicates where,
      Optional<PageKey> after,
      int limit) {
    if (filter.about().isEmpty()) {
      var ranges = NameRanges.of(access.narrowing().patterns());
      if (ranges.isPresent()) {
        return ofRanges(ranges.get(), byName(moment), where, after, limit);
      }
    }
    after.ifPresent(key -> where.after(key.shapeName(), key.name()));
    return page(source(filter, moment, limit), where, limit);
  }

  private static JsonPage items(
      Database database, Statement statement, boolean withActive, int limit, String list) {
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
                return List.of(entity.shapeName(), entity.name());
              });
        },
        statement.parameters());
    return out.endArray().endPage(pager.next(list));
  }

  /**
   * A page, of which one row more is taken than it has. Its rows are found first, so that what is
   * sorted to find them is thrown away at once, and only they are added up.
   */
  static Statement page(Source from, Predicates where, int limit) {
    return new Statement(
        PAGE.formatted(
            "select e.* from "
                + from.sql()
                + " e "
                + where.sql()
                + " order by e.shape_name, e.name limit ?"),
        where.parameters(before(List.of(), from.parameters()), limit + 1));
  }

  /** The same of entities in some ranges of names: from each so many, and of these the first. */
  static Statement ofRanges(
      NameRanges ranges, Source from, Predicates where, Optional<PageKey> after, int limit) {
    var shapeName = after.map(PageKey::shapeName).orElse("");
    var name = after.map(PageKey::name).orElse("");
    return new Statement(
        PAGE.formatted(
            IN_RANGES.formatted(NameRanges.SQL, from.sql(), where.sql(), NameRanges.WITHIN)),
        where.parameters(
            before(ranges.parameters(), from.parameters()),
            shapeName,
            name,
            limit + 1,
            shapeName,
            limit + 1));
  }

  private static List<Object> before(List<Object> first, List<Object> second) {
    return Stream.of(List.<Object>of(PageBytes.max()), first, second)
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
          var from =
              source(filter, moment, filter.shape().isPresent() ? SMALL_SHAPE : Long.MAX_VALUE);
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
