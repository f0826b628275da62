package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.FieldSearch;
import dev.cairn.content.Moment;
import dev.cairn.content.Moments;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.content.read.EntityIds;
import dev.cairn.content.read.ShapeWalk;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Turns a filter into conditions on entities: looks up what it names, of what the caller may read.
 */
@ApplicationScoped
public class EntitySelection {
  private final Targets targets;
  private final AboutTargets aboutTargets;
  private final Moments moments;
  private final FieldSearch fields;

  /**
   * What a filter selects.
   *
   * @param about what assertions are about; empty if any entity is selected
   * @param where the conditions; empty if nothing meets them, since the shape of a field does not
   *     exist
   * @param found a source with all selected entities of HEAD that an index has found by the values
   *     of fields; empty if it is not known to be small
   */
  public record Selected(
      EntityFilter filter,
      Optional<Moment> moment,
      Optional<AboutTargets.Found> about,
      Optional<Predicates> where,
      Optional<Source> found) {

    /** Whether only assertions about given targets are selected. */
    public boolean isAbout() {
      return about.isPresent();
    }

    /**
     * A query for the ids of selected entities of HEAD, at most {@code max}: found by the targets
     * of assertions, by the names that a narrowed token may read, or by the names that a pattern
     * begins with.
     *
     * @param where the conditions of this selection, which may get more
     */
    public Source ids(RepositoryAccess access, Predicates where, int max) {
      if (found.isPresent()) {
        return EntityIds.of(found.get(), where, max);
      }
      if (about.isPresent()) {
        var found = about.get().targets();
        if (found.areListed()) {
          return EntityIds.ofTargets(found, where, max);
        }
        found.narrow(where);
        return EntityIds.of(Source.HEAD, where, max);
      }
      var ranges = NameRanges.of(access.narrowing().patterns());
      if (ranges.isPresent()) {
        return EntityIds.ofRanges(ranges.get(), where, max);
      }
      if (filter.match().filter(ShapeWalk::suits).isPresent()) {
        return EntityIds.ofShapes(access.repoId(), filter.onlyShape(), where, max);
      }
      return EntityIds.of(Source.HEAD, where, max);
    }
  }

  EntitySelection(Targets targets, AboutTargets aboutTargets, Moments moments, FieldSearch fields) {
    this.targets = targets;
    this.aboutTargets = aboutTargets;
    this.moments = moments;
    this.fields = fields;
  }

  /** What a filter selects. With targets there are several statements, in one snapshot. */
  public Selected of(RepositoryAccess access, EntityFilter filter) {
    var moment = filter.at().map(at -> moments.find(access, at));
    var about =
        filter.about().isEmpty()
            ? Optional.<AboutTargets.Found>empty()
            : Optional.of(
                aboutTargets.find(access, filter.about(), filter.resolveCollections(), moment));
    var where = filter.predicates(access);
    var found = Optional.<Source>empty();
    if (!filter.where().isEmpty()) {
      var shape = targets.shape(access, filter.shape().orElseThrow());
      if (shape.isEmpty()) {
        return new Selected(filter, moment, about, Optional.empty(), Optional.empty());
      }
      var values = FieldConditions.narrow(where, access, shape.get().definition(), filter.where());
      // How many hidden entities have the values must change nothing for a narrowed token.
      if (about.isEmpty() && moment.isEmpty() && access.narrowing().isUnrestricted()) {
        found = fields.find(access.repoId(), shape.get().id(), values);
      }
    }
    filter
        .missing()
        .ifPresent(
            name -> where.withoutAssertions(Source.byName(moment), name, assertions(access)));
    return new Selected(filter, moment, about, Optional.of(where), found);
  }

  /** The active assertions of a shape, of those that the caller may read. */
  private static Predicates assertions(RepositoryAccess access) {
    return new Predicates("e.repo_id = ? and e.active", access.repoId())
        .narrowed(access.narrowing());
  }

  /** Why a list may be empty, if it names something that the caller does not see. */
  public List<String> warnings(RepositoryAccess access, Selected selected, boolean isEmpty) {
    var filter = selected.filter();
    var unknown = targets.warnings(access, filter.missing());
    if (!isEmpty) {
      return unknown;
    }
    return Stream.of(
            targets.warnings(access, filter.shape()),
            selected.about().map(AboutTargets.Found::missing).orElse(List.of()),
            unknown)
        .flatMap(List::stream)
        .distinct()
        .toList();
  }
}
