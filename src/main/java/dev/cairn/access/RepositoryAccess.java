package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Access to one repository, granted by the {@link Authorizer} for a permission. Only the Authorizer
 * grants it: a service that gets one knows that the caller was authorized.
 */
public final class RepositoryAccess {
  private final UUID orgId;
  private final UUID repoId;
  private final String org;
  private final String repo;
  private final boolean isArchived;
  private final Role role;
  private final Caller caller;
  private final Narrowing narrowing;
  private final Narrowing visible;
  private final MatchingBudget matching;
  private final LongSupplier seq;
  private final Function<Permission, Optional<Narrowing>> granted;

  RepositoryAccess(
      UUID orgId,
      UUID repoId,
      String org,
      String repo,
      boolean isArchived,
      Role role,
      Caller caller,
      Narrowing narrowing,
      Narrowing visible,
      MatchingBudget matching,
      LongSupplier seq,
      Function<Permission, Optional<Narrowing>> granted) {
    this.orgId = orgId;
    this.repoId = repoId;
    this.org = org;
    this.repo = repo;
    this.isArchived = isArchived;
    this.role = role;
    this.caller = caller;
    this.narrowing = narrowing;
    this.visible = visible;
    this.matching = matching;
    this.seq = seq;
    this.granted = granted;
  }

  /** The id of the organization that has the repository. */
  public UUID orgId() {
    return orgId;
  }

  /** The repository's id. */
  public UUID repoId() {
    return repoId;
  }

  /** The organization's name. */
  public String org() {
    return org;
  }

  /** The repository's name within the organization. */
  public String repo() {
    return repo;
  }

  /** The name of the repository as {@code org/repo}. */
  public String fullName() {
    return org + "/" + repo;
  }

  /** Whether a wref names this repository, by its text alone. */
  public boolean isNamedBy(Wref wref) {
    return wref.isLocal() || (wref.org().equals(org) && wref.repo().equals(repo));
  }

  /** Whether the repository or its organization is isArchived, and takes no writes. */
  public boolean isArchived() {
    return isArchived;
  }

  /** The caller's role in the organization; null if it has none. */
  public Role role() {
    return role;
  }

  /** The account that calls; only for permissions that no anonymous caller gets. */
  public Caller.SignedIn account() {
    return (Caller.SignedIn) caller;
  }

  /** The caller to whom access was granted. */
  public Caller caller() {
    return caller;
  }

  /** The account and token that it was granted to, for a check after this request. */
  public Recheck.Holder holder() {
    return Recheck.Holder.of(account());
  }

  /** The wrefs for which the permission is granted. */
  public Narrowing narrowing() {
    return narrowing;
  }

  /**
   * The wrefs that the caller may know of: those that it may read, and those for which the
   * permission is granted. All others are treated as if they did not exist.
   */
  public Narrowing visible() {
    return visible;
  }

  /**
   * The steps that are left to this read for matching names with the patterns of the token, also
   * those of other repositories that it names. A read that is repeated begins again, and commits
   * have budgets of their own. See {@code docs/access.md}, Narrowed tokens.
   */
  public MatchingBudget matching() {
    return matching;
  }

  /**
   * The repository's newest sequence number when access was verified; 0 before its first commit.
   * Verifies cached access, unless a query has already done so.
   */
  public long seq() {
    return seq.getAsLong();
  }

  /**
   * The same access within a snapshot.
   *
   * @param snapshotSeq the sequence number that the repository has there; called after the queries
   *     of the read
   */
  public RepositoryAccess at(LongSupplier snapshotSeq) {
    return new RepositoryAccess(
        orgId,
        repoId,
        org,
        repo,
        isArchived,
        role,
        caller,
        narrowing,
        visible,
        MatchingBudget.ofRead(),
        snapshotSeq,
        granted);
  }

  /** The same for a repetition of the read. */
  public RepositoryAccess forRepeatedRead() {
    return at(seq);
  }

  /** The wrefs that the caller may read; empty for a caller without {@code repo:read}. */
  public Optional<Narrowing> readable() {
    return granted.apply(Permission.REPO_READ);
  }

  /** Whether the caller may read a wref; true also for a caller without {@code repo:read}. */
  public boolean isWithinRead(Wref wref, MatchingBudget budget) {
    return readable().map(read -> read.canRead(wref, budget)).orElse(true);
  }

  /** Whether role and token together allow this too, for every wref. */
  public boolean allows(Permission permission) {
    return granted.apply(permission).filter(Narrowing::isUnrestricted).isPresent();
  }

  /**
   * Whether role and token together allow {@code repo:configure} and {@code repo:read} for the
   * whole repository, and the token is not {@linkplain Caller.Token#isDelegated delegated}. A
   * change that decides where content is sent requires this.
   */
  public boolean canConfigureUndelegated() {
    return !account().token().isDelegated()
        && allows(Permission.REPO_CONFIGURE)
        && allows(Permission.REPO_READ);
  }

  /**
   * Whether the caller sees the targets and the messages of the repository's calls: if it may
   * change content or settings.
   */
  public boolean seesDetails() {
    return allows(Permission.REPO_WRITE) || allows(Permission.REPO_CONFIGURE);
  }

  /**
   * Whether an entry of the caller's token covers this repository; false if the caller only reads
   * it because it is public.
   */
  public boolean isCovered() {
    return caller instanceof Caller.SignedIn account
        && account.token().scopes().cover(orgId, repoId);
  }

  /**
   * The same access of a signed-in caller, required for what is done in the name of the account.
   *
   * @throws Problem {@code FORBIDDEN} if the caller only reads the repository because it is public
   */
  public RepositoryAccess requireCovered() {
    if (!isCovered()) {
      throw Problem.of(
          ErrorCode.FORBIDDEN,
          "The token has no `repo:read` for `%s`, which it reads because it is public."
              .formatted(fullName()));
    }
    return this;
  }

  /**
   * The same access, required for operations that concern or may show all of the repository.
   * Refused if the token is narrowed in the granted permission or in {@code repo:read}; a caller
   * without {@code repo:read} passes.
   *
   * @throws Problem {@code FORBIDDEN}
   */
  public RepositoryAccess requireUnrestricted() {
    narrowing.requireUnrestricted();
    granted.apply(Permission.REPO_READ).ifPresent(Narrowing::requireUnrestricted);
    return this;
  }

  /**
   * The same access, unless the caller's token is {@linkplain Caller.Token#isDelegated delegated}:
   * for changes of subscriptions whose effect continues after the token has expired.
   *
   * @throws Problem {@code FORBIDDEN}
   */
  public RepositoryAccess undelegated() {
    return undelegated(
        "create a subscription, or change what one does or where notifications are sent: that would"
            + " continue after the token has ended.");
  }

  /**
   * The same for other changes.
   *
   * @param action as of {@link Caller.SignedIn#refuseDelegated}
   * @throws Problem {@code FORBIDDEN}
   */
  public RepositoryAccess undelegated(String action) {
    account().refuseDelegated(action);
    return this;
  }

  /** The same access, unless role or token do not allow a permission for all of the repository. */
  public RepositoryAccess requiring(Permission permission) {
    return requiring(Set.of(permission));
  }

  /**
   * The same access, unless role or token do not allow all of the permissions, each of them for
   * every wref.
   *
   * @throws Problem {@code FORBIDDEN}, which names those that are missing
   */
  public RepositoryAccess requiring(Set<Permission> permissions) {
    var missing = permissions.stream().filter(p -> !allows(p)).sorted().toList();
    if (!missing.isEmpty()) {
      throw Authorizer.refusal(caller, " and ", missing.toArray(Permission[]::new))
          .hint("Role and token must both allow it, and for the whole repository.");
    }
    return this;
  }
}
