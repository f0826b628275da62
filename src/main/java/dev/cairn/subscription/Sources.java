package dev.cairn.subscription;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.content.NearNames;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.content.StoredShapes;
import dev.cairn.content.StoredShapes.StoredShape;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What subscriptions watch: a shape of their own repository or of another one of the same
 * organization. See {@code docs/subscriptions.md}, Other repositories.
 */
@ApplicationScoped
public class Sources {
  /** The number of active subscriptions that watch one repository. */
  static final int MAX_WATCHERS = 2_000;

  /** The length of their filters together: a commit has them all in memory. */
  static final int MAX_CHARACTERS = 1024 * 1024;

  private final Database database;
  private final Authorizer authorizer;
  private final StoredShapes shapes;
  private final NearNames nearNames;
  private final RepositoryHeads heads;
  private final Quotas quotas;

  Sources(
      Database database,
      Authorizer authorizer,
      StoredShapes shapes,
      NearNames nearNames,
      RepositoryHeads heads,
      Quotas quotas) {
    this.database = database;
    this.authorizer = authorizer;
    this.shapes = shapes;
    this.nearNames = nearNames;
    this.heads = heads;
    this.quotas = quotas;
  }

  /**
   * The repository that a new subscription is to watch.
   *
   * @throws Problem {@code VALIDATION_ERROR} for one of another organization, {@code NOT_FOUND} for
   *     one that the caller may not read
   */
  UUID of(RepositoryAccess access, SubscriptionRequest request) {
    var named = request.text("sourceRepo");
    if (named.isEmpty()) {
      return access.repoId();
    }
    var pointer = request.pointer("sourceRepo");
    var parts = named.get().split("/", -1);
    if (parts.length != 2) {
      throw Problem.invalid(pointer, "`sourceRepo` must be `org/repo`.");
    }
    try {
      Names.orgSyntax(parts[0]);
      Names.repo(parts[1]);
    } catch (Problem e) {
      throw e.at(pointer);
    }
    if (!parts[0].equals(access.org())) {
      throw Problem.invalid(pointer, "`sourceRepo` must be a repository of the same organization.");
    }
    return readable(access, named.get(), pointer).repoId();
  }

  /** Those of the repositories of which the caller may read everything; two queries, or none. */
  public Set<UUID> readable(RepositoryAccess access, Set<UUID> repoIds) {
    return found(access.caller(), repoIds).stream()
        .filter(source -> source.narrowing().isUnrestricted())
        .map(RepositoryAccess::repoId)
        .collect(Collectors.toSet());
  }

  /** Those of the repositories that the caller may read, all or a part of each. */
  private Collection<RepositoryAccess> found(Caller caller, Set<UUID> repoIds) {
    if (repoIds.isEmpty()) {
      return List.of();
    }
    var names =
        database.list(
            """
            select o.name || '/' || r.name
            from repository r join organization o on o.id = r.org_id where r.id = any (?)
            """,
            row -> row.getString(1),
            (Object) repoIds.toArray(UUID[]::new));
    // A name may lead to another repository by now.
    return authorizer.readable(caller, Set.copyOf(names)).values().stream()
        .filter(source -> repoIds.contains(source.repoId()))
        .toList();
  }

  private RepositoryAccess readable(RepositoryAccess access, String name, String pointer) {
    var source = authorizer.readable(access.caller(), Set.of(name)).get(name);
    if (source == null) {
      throw Problem.notFound("There is no repository `%s`, or you may not read it.".formatted(name))
          .at(pointer);
    }
    return ofItsOwn(source);
  }

  /**
   * Refuses a token that reads the repository only because everybody may: it may become private,
   * and the subscription continues with the rights of the token's account.
   */
  private static RepositoryAccess ofItsOwn(RepositoryAccess source) {
    return source.requireCovered().requireUnrestricted();
  }

  /**
   * The shape that a request names.
   *
   * @throws Problem {@code NOT_FOUND}, with the near names that the caller may read
   */
  long shape(RepositoryAccess access, UUID sourceRepoId, SubscriptionRequest request) {
    var pointer = request.pointer("shapeName");
    var name = request.text("shapeName").orElseThrow();
    try {
      Names.shape(name);
    } catch (Problem e) {
      throw e.at(pointer);
    }
    return shapes
        .find(sourceRepoId, name)
        .map(StoredShape::id)
        .orElseThrow(() -> missingShape(access, sourceRepoId, name).at(pointer));
  }

  private Problem missingShape(RepositoryAccess access, UUID sourceRepoId, String name) {
    var problem = Problem.notFound("There is no shape `" + name + "`.");
    var readable =
        sourceRepoId.equals(access.repoId())
            ? access.readable()
            : found(access.caller(), Set.of(sourceRepoId)).stream()
                .findAny()
                .flatMap(RepositoryAccess::readable);
    return readable
        .map(
            read ->
                nearNames.explained(
                    problem,
                    sourceRepoId,
                    read,
                    access.matching(),
                    Wref.local(BuiltinShape.SHAPE.shapeName(), name)))
        .orElse(problem);
  }

  /**
   * Invalidates the cached watchers of these repositories. It waits for commits in progress, and
   * further ones wait until the transaction ends.
   */
  void raise(UUID... repoIds) {
    var distinct = Set.of(Arrays.stream(repoIds).distinct().toArray(UUID[]::new));
    if (raiseExisting(distinct) < distinct.size()) {
      throw Problem.notFound("The repository was just deleted.");
    }
  }

  /**
   * The same for those of the repositories that still exist.
   *
   * @return how many there are
   */
  int raiseExisting(Collection<UUID> repoIds) {
    return heads.raiseWatchers(repoIds, false);
  }

  /**
   * Refuses a change by a caller that may not read all of the repository that a subscription
   * watches, because a change can redirect what is sent.
   */
  void refuseUnreadable(RepositoryAccess access, Subscription subscription) {
    refuseUnreadable(access, subscription.sourceRepoId);
  }

  /**
   * Refuses a caller that may not read all of the repository that a subscription watches.
   *
   * @param sourceRepoId null for one with a schedule, which watches nothing
   * @throws Problem {@code FORBIDDEN}
   */
  void refuseUnreadable(RepositoryAccess access, UUID sourceRepoId) {
    if (sourceRepoId != null && !sourceRepoId.equals(access.repoId())) {
      refuseUnreadable(access.caller(), Set.of(sourceRepoId));
    }
  }

  /**
   * Refuses a caller that may not read all of these repositories.
   *
   * @throws Problem {@code FORBIDDEN}
   */
  void refuseUnreadable(Caller caller, Set<UUID> watched) {
    var found = found(caller, watched);
    if (found.size() < watched.size()) {
      throw Problem.of(
          ErrorCode.FORBIDDEN, "It watches a repository that you may not read with this token.");
    }
    found.forEach(Sources::ofItsOwn);
  }

  /** Refuses to send runs again if the principal may no longer read either repository. */
  void refuseLost(Subscription subscription) {
    boolean lost =
        database
            .first(
                """
                select from subscription s
                join repository own on own.id = s.repo_id
                join repository watched on watched.id = coalesce(s.source_repo_id, s.repo_id)
                where s.id = ? and
                """
                    + AutomaticPauses.ACCESS_LOST,
                _ -> true,
                subscription.id)
            .isPresent();
    if (lost) {
      throw Problem.of(
              ErrorCode.CONFLICT,
              "The account that the subscription acts for may no longer read the repository.")
          .with("reason", "source_lost")
          .hint("Resume it with an account that may: from then on it acts for that account.");
    }
  }

  /** Refuses one more if the quota of the repository is used up; its head is locked. */
  void refuseOneMore(UUID repoId) {
    refuseMore(repoId, 1);
  }

  /** Refuses some more if the quota of the repository would not have room for all of them. */
  void refuseMore(UUID repoId, int more) {
    if (more > 0 && quotas.isOn(Quota.SUBSCRIPTIONS)) {
      long present =
          database
              .first(
                  "select count(*) from subscription where repo_id = ?",
                  row -> row.getLong(1),
                  repoId)
              .orElseThrow();
      quotas.refuseOneMore(Quota.SUBSCRIPTIONS, present + more - 1);
    }
  }

  /** Refuses one more that watches a repository, whose head is locked. */
  void refuseTooMany(Subscription subscription) {
    if (subscription.sourceRepoId != null && subscription.active) {
      refuseTooManyWatchers(subscription);
    }
  }

  private void refuseTooManyWatchers(Subscription subscription) {
    record Others(int count, long characters) {}
    var others =
        database
            .first(
                """
                select count(*), coalesce(sum(length(filter)), 0) from subscription
                where source_repo_id = ? and active and id <> ?
                """,
                row -> new Others(row.getInt(1), row.getLong(2)),
                subscription.sourceRepoId,
                subscription.id)
            .orElseThrow();
    if (others.count() >= MAX_WATCHERS
        || others.characters() + subscription.filter.length() > MAX_CHARACTERS) {
      throw tooMany(
          "A repository may be watched by at most %,d active subscriptions, whose filters have at most %,d characters together."
              .formatted(MAX_WATCHERS, MAX_CHARACTERS));
    }
  }

  private static Problem tooMany(String rule) {
    return Problem.of(ErrorCode.CONFLICT, rule)
        .with("reason", "too_many_subscriptions")
        .hint("Pause or delete other subscriptions of that repository, or shorten the filter.");
  }
}
