package dev.cairn.access.conditional;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.NewestSeq;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.model.Wref;
import dev.cairn.platform.Base64Url;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.AcceptedCoding;
import dev.cairn.platform.secret.SecretBox;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Conditional reads of repository content: an answer has an {@code ETag}, and is 304 if the caller
 * already has the tagged answer. See {@code docs/api.md}, Conditional requests and caching.
 *
 * <p>A tag identifies what an answer depends on: the request, the repository's sequence number,
 * what the caller may see, and the secret key, which seals the cursor of a page. All of that is
 * known when the caller is authorized, so that a 304 reads no content. After each query it is
 * checked that the answer is of the state that its tag names; if there was a commit in between, it
 * is read again, in a snapshot that has its own tag.
 */
@ApplicationScoped
public class ConditionalReads {
  /** Must be incremented when the same state gives another answer. */
  private static final int FORMAT = 4;

  private static final int TAG_BYTES = 16;

  /** In place of a number. Content of a deleted repository may still be there. */
  private static final long DELETED = -1;

  private static final String SEQ = "select coalesce(" + NewestSeq.of("?") + ", " + DELETED + ")";

  private final Database database;
  private final Authorizer authorizer;
  private final LookUpLimit limit;
  private final CurrentVertxRequest request;
  private final SecretBox secrets;

  /** An answer and the state that it was made from. */
  private record Made<T>(T answer, State state) {}

  /**
   * The state that content depends on.
   *
   * @param seq the repository's sequence number; -1 when it was deleted
   * @param others access to the other repositories that the request names, of those that the caller
   *     may read, by their names
   */
  private record State(long seq, SortedMap<String, RepositoryAccess> others) {}

  ConditionalReads(
      Database database,
      Authorizer authorizer,
      LookUpLimit limit,
      CurrentVertxRequest request,
      SecretBox secrets) {
    this.database = database;
    this.authorizer = authorizer;
    this.limit = limit;
    this.request = request;
    this.secrets = secrets;
  }

  /**
   * The answer to the current request, which names no repository besides that of its path.
   *
   * @param read makes the answer, with the access to the state that it reads; not called if the
   *     caller has it
   */
  public Response answer(RepositoryAccess access, Function<RepositoryAccess, ?> read) {
    return answer(access, Set.of(), List.of(), read);
  }

  /**
   * The answer to the current request, which shows more than content.
   *
   * @param shown what the answer shows that changes without a commit
   * @param read makes the answer, with the access to the state that it reads; not called if the
   *     caller has it
   */
  public Response answer(
      RepositoryAccess access, List<String> shown, Function<RepositoryAccess, ?> read) {
    return answer(access, Set.of(), shown, read);
  }

  /**
   * The answer to the current request.
   *
   * @param named the wrefs that the request names, possibly in other repositories
   * @param read makes the answer, with the access to the state that it reads; not called if the
   *     caller has it
   */
  public Response answer(
      RepositoryAccess access, Collection<Wref> named, Function<RepositoryAccess, ?> read) {
    var others =
        named.stream()
            .filter(wref -> !access.isNamedBy(wref))
            .map(Wref::repository)
            .collect(Collectors.toSet());
    return answer(access, others, List.of(), read);
  }

  private Response answer(
      RepositoryAccess access,
      Set<String> others,
      List<String> shown,
      Function<RepositoryAccess, ?> read) {
    var known = EntityTags.ifNoneMatch(current());
    if (known.listsAny()) {
      var expected = new State(access.seq(), othersInTurn(access, others));
      var held = known.held(tag(current().uri(), access, expected, shown));
      if (held.isPresent()) {
        return with(held.get(), access, Response.notModified());
      }
    }
    var made = others.isEmpty() ? fresh(access, read) : inSnapshot(access, others, read);
    // If the caller has this one, or sent `*`, TaggedAnswers makes it a 304: only then it is known
    // that the resource exists, and how long the answer is.
    var tag = tag(current().uri(), access, made.state(), shown);
    return with(tag, access, Response.ok(made.answer()));
  }

  /**
   * 304 if the caller has the answer of the present state; otherwise empty. For streamed answers,
   * whose headers come from {@link #headers}. The resource must exist, as `*` requires.
   */
  public Optional<Response> unchanged(RepositoryAccess access) {
    var tag = tag(current().uri(), access, here(access.seq()), List.of());
    return EntityTags.ifNoneMatch(current())
        .held(tag, AcceptedCoding.STREAM)
        .map(held -> with(held, access, Response.notModified()));
  }

  /**
   * The headers of an answer to the current request, by the sequence number that it was read at.
   * They can be taken from any thread.
   */
  public LongFunction<Map<String, String>> headers(RepositoryAccess access) {
    var uri = current().uri();
    return seq -> headers(tag(uri, access, here(seq), List.of()), access);
  }

  private static State here(long seq) {
    return new State(seq, Collections.emptySortedMap());
  }

  private static Map<String, String> headers(String tag, RepositoryAccess access) {
    return Map.of(
        HttpHeaders.ETAG,
        tag,
        HttpHeaders.CACHE_CONTROL,
        caching(access.caller()),
        HttpHeaders.VARY,
        HttpHeaders.AUTHORIZATION);
  }

  /**
   * Whether {@code If-Match} allows a change to what is at the request's URL, by the sequence
   * number that the repository has then. The predicate can be tested from any thread.
   */
  public LongPredicate precondition(RepositoryAccess access) {
    var headers = current().headers();
    if (!headers.contains(HttpHeaders.IF_MATCH)) {
      return _ -> true;
    }
    var tags = EntityTags.ifMatch(headers);
    var uri = current().uri();
    return seq -> tags.matchesAny() || tags.listsStrongly(tag(uri, access, here(seq), List.of()));
  }

  /**
   * The result of a read that shows one state of the repository, without a tag.
   *
   * @param read called with the access to that state; may be called again if there was a commit
   */
  public <T> T consistent(RepositoryAccess access, Function<RepositoryAccess, T> read) {
    return fresh(access, read).answer();
  }

  private <T> Made<T> fresh(RepositoryAccess access, Function<RepositoryAccess, T> read) {
    var seqs = new LongSummaryStatistics();
    var answer = checked(access, seqs, () -> read.apply(access));
    // Numbers only grow: one that is the same before and after all queries was there throughout.
    return seqs.getMin() == access.seq() && seqs.getMax() == access.seq()
        ? new Made<>(answer, here(access.seq()))
        : inSnapshot(access, Set.of(), read);
  }

  private <T> Made<T> inSnapshot(
      RepositoryAccess access, Set<String> others, Function<RepositoryAccess, T> read) {
    return database.snapshot(
        () -> {
          // The number comes with the queries of the read: one before them would take a connection
          // while the read still waits for its turn.
          var seqs = new LongSummaryStatistics();
          LongSupplier seq = () -> seqs.getCount() == 0 ? newest(access) : seqs.getMax();
          var answer = checked(access, seqs, () -> read.apply(access.at(seq)));
          if (seq.getAsLong() == DELETED) {
            throw Problem.notFound("The repository was just deleted.");
          }
          return new Made<>(answer, new State(seq.getAsLong(), others(access, others)));
        });
  }

  /** For a read without queries, such as one of names that the token may not read. */
  private long newest(RepositoryAccess access) {
    return database.first(SEQ, row -> row.getLong(1), access.repoId()).orElseThrow();
  }

  private static <T> T checked(
      RepositoryAccess access, LongSummaryStatistics seqs, Supplier<T> read) {
    return Database.withCheck(
        SEQ,
        row -> {
          seqs.accept(row.getLong(1));
          return true;
        },
        read,
        access.repoId());
  }

  /** Before the read, and thus outside of its turn. */
  private SortedMap<String, RepositoryAccess> othersInTurn(
      RepositoryAccess access, Set<String> names) {
    return !names.isEmpty() && access.caller() instanceof Caller.Anonymous nobody
        ? limit.lookUp(nobody, () -> others(access, names))
        : others(access, names);
  }

  private SortedMap<String, RepositoryAccess> others(RepositoryAccess access, Set<String> names) {
    return names.isEmpty()
        ? Collections.emptySortedMap()
        : new TreeMap<>(authorizer.readable(access.caller(), names));
  }

  private static Response with(
      String tag, RepositoryAccess access, Response.ResponseBuilder answer) {
    headers(tag, access).forEach(answer::header);
    return answer.build();
  }

  /** Callers without credentials read what everybody may; each read sees the newest commit. */
  static String caching(Caller caller) {
    return switch (caller) {
      case Caller.Anonymous _ -> "public, no-cache";
      case Caller.SignedIn _ -> "private, no-cache";
    };
  }

  /** The tag of an answer as it is, with its quotes. */
  private String tag(String uri, RepositoryAccess access, State state, List<String> shown) {
    var digest = Sha256.digest();
    number(digest, FORMAT);
    digest.update(secrets.presentKeyId());
    text(digest, uri);
    number(digest, shown.size());
    shown.forEach(text -> text(digest, text));
    scope(digest, access, state.seq());
    state.others().values().forEach(other -> scope(digest, other, other.seq()));
    return '"' + Base64Url.encode(Arrays.copyOf(digest.digest(), TAG_BYTES)) + '"';
  }

  /** What the caller can see of a repository. */
  private static void scope(MessageDigest digest, RepositoryAccess access, long seq) {
    number(digest, access.repoId().getMostSignificantBits());
    number(digest, access.repoId().getLeastSignificantBits());
    number(digest, seq);
    text(digest, access.org());
    text(digest, access.repo());
    var patterns = access.visible().patterns().stream().map(Object::toString).sorted().distinct();
    number(digest, access.visible().isUnrestricted() ? 1 : 0);
    patterns.forEach(pattern -> text(digest, pattern));
    number(digest, 0);
  }

  private static void number(MessageDigest digest, long number) {
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
  }

  /** Adds a text with its length in front, so that sequences of texts are unambiguous. */
  private static void text(MessageDigest digest, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    number(digest, bytes.length);
    digest.update(bytes);
  }

  private HttpServerRequest current() {
    return request.getCurrent().request();
  }
}
