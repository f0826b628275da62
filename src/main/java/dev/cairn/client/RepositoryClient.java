package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A repository: its content, {@code docs/reads.md}, its commits, {@code docs/commits.md}, and what
 * manages it.
 *
 * <p>A list is a stream that reads its pages when their items are needed, each page at the moment
 * when it is read; {@link Query#at} makes all of them show one moment. A method whose name ends
 * with {@code Page} answers a single page, with what is said about the whole list.
 */
public final class RepositoryClient {
  private static final Duration COMMIT_TIMEOUT = Duration.ofMinutes(6);
  private static final Duration VERIFICATION_TIMEOUT = Duration.ofMinutes(11);

  private final Transport transport;
  private final String organization;
  private final String name;

  RepositoryClient(Transport transport, String organization, String name) {
    this.transport = transport;
    this.organization = organization;
    this.name = name;
  }

  /** The repository itself; editors and above see its settings. */
  public Repository getRepository() {
    return transport.json(get(), Repository.class);
  }

  /** Changes the repository; what is null stays. */
  public Repository updateRepository(RepositoryChange change) {
    return transport.json(
        Call.patch("api", "repos", organization, name).json(change), Repository.class);
  }

  /** Deletes the repository with its content and its history. */
  public void deleteRepository() {
    transport.run(Call.delete("api", "repos", organization, name));
  }

  /** Its subscriptions. */
  public SubscriptionsClient subscriptions() {
    return new SubscriptionsClient(transport, organization, name);
  }

  /** The runs of its subscriptions. */
  public RunsClient runs() {
    return new RunsClient(transport, organization, name);
  }

  /** Its own credential sets; those of its organization are at {@link OrganizationClient}. */
  public CredentialSetsClient credentialSets() {
    return new CredentialSetsClient(
        transport, "api", "repos", organization, name, "credential-sets");
  }

  /** The components that it has installed. */
  public InstallsClient installs() {
    return new InstallsClient(transport, organization, name);
  }

  /** The first page of the description: the shapes with their fields, counts and examples. */
  public Description describe() {
    return describe(Paging.first());
  }

  /** A page of the description; its shapes are paged. */
  public Description describe(Paging page) {
    return transport.json(get("describe").query(page), Description.class);
  }

  /** The text of {@code Content/Readme}; empty until it is written. */
  public String getReadme() {
    return text("readme.md");
  }

  /** The text of {@code Content/Agents}; empty until it is written. */
  public String getAgents() {
    return text("agents.md");
  }

  /** The overview for language models. */
  public String getLlms() {
    return text("llms.txt");
  }

  /** The current state of the entities that match, by shape and name. */
  public Stream<Item> head(Query query) {
    return Pages.stream(page -> headPage(query.page(page)));
  }

  /** A page of {@link #head}. */
  public ItemPage headPage(Query query) {
    return transport.json(get("head").query(query), ItemPage.class);
  }

  /** The entities that match, by shape and name. */
  public Stream<Item> query(Query query) {
    return Pages.stream(page -> queryPage(query.page(page)));
  }

  /** A page of {@link #query}. */
  public ItemPage queryPage(Query query) {
    return transport.json(get("query").query(query), ItemPage.class);
  }

  /** The number of entities that match. */
  public Count count(Query query) {
    return transport.json(get("count").query(query), Count.class);
  }

  /**
   * An entity at HEAD, retracted or not.
   *
   * @param wref {@code Shape/name}; {@code @v7} may follow
   */
  public Thing getThing(String wref) {
    return transport.json(get("things").wref(wref), Thing.class);
  }

  /**
   * An entity in the state after a commit.
   *
   * @param at a {@code commitId} or a {@code repoSeq}
   */
  public Thing getThing(String wref, String at) {
    return transport.json(get("things").wref(wref).query("at", at), Thing.class);
  }

  /** Up to 500 entities by name. */
  public BatchAnswer getThings(List<String> wrefs) {
    return transport.json(
        post("things", "batch").json(Map.of("wrefs", wrefs)).repeatable(), BatchAnswer.class);
  }

  /** The entity and version that a wref names. */
  public Resolution resolve(String wref) {
    return transport.json(get("resolve").wref(wref), Resolution.class);
  }

  /** The assertions about an entity, newest first. */
  public Stream<Assertion> about(String wref, AboutQuery query) {
    return Pages.stream(
        page -> aboutPage(wref, query.page(page)),
        AboutAnswer::assertions,
        AboutAnswer::nextCursor);
  }

  /** A page of {@link #about}, with the entity. */
  public AboutAnswer aboutPage(String wref, AboutQuery query) {
    return transport.json(get("about").wref(wref).query(query), AboutAnswer.class);
  }

  /** The newest assertions about each of up to 100 entities. */
  public AboutManyAnswer aboutMany(List<String> wrefs, AboutQuery query) {
    var call = get("about").query(query);
    wrefs.forEach(wref -> call.query("wref", wref));
    return transport.json(call, AboutManyAnswer.class);
  }

  /** Versions, newest first. */
  public Stream<HistoryEntry> history(HistoryQuery query) {
    return Pages.stream(page -> historyPage(query.page(page)));
  }

  /** A page of {@link #history}. */
  public HistoryPage historyPage(HistoryQuery query) {
    return transport.json(get("history").query(query), HistoryPage.class);
  }

  /** The references to an entity, or from it. */
  public Stream<Reference> listReferences(String wref, Direction direction) {
    return Pages.stream(page -> listReferencesPage(wref, direction, page));
  }

  /** A page of {@link #listReferences}. */
  public ReferencePage listReferencesPage(String wref, Direction direction, Paging page) {
    return transport.json(
        get("refs").wref(wref).query("direction", direction).query(page), ReferencePage.class);
  }

  /** The entities that a search finds, the best first. */
  public Stream<Hit> search(SearchQuery query) {
    return Pages.stream(page -> searchPage(query.page(page)), HitPage::items, HitPage::nextCursor);
  }

  /** A page of {@link #search}, with the facets on the first one. */
  public HitPage searchPage(SearchQuery query) {
    return transport.json(get("search").query(query), HitPage.class);
  }

  /** The repository's own shapes, by name. */
  public Stream<Item> listShapes(ShapeQuery query) {
    return Pages.stream(page -> listShapesPage(query.page(page)));
  }

  /** A page of {@link #listShapes}. */
  public ItemPage listShapesPage(ShapeQuery query) {
    return transport.json(get("shapes").query(query), ItemPage.class);
  }

  /**
   * A shape, built in or not.
   *
   * @param shape its name; {@code @v7} may follow
   */
  public Thing getShape(String shape) {
    return transport.json(get("shapes").segment(shape), Thing.class);
  }

  /**
   * What changed between two moments, one difference for each entity.
   *
   * @param from a {@code commitId} or a {@code repoSeq}; 0 is the empty repository
   * @param to the same, not before it; null for the current state
   */
  public Stream<Difference> diff(String from, @Nullable String to) {
    return Pages.stream(page -> diffPage(from, to, page));
  }

  /** A page of {@link #diff}. */
  public DifferencePage diffPage(String from, @Nullable String to, Paging page) {
    return transport.json(
        get("diff").query("from", from).query("to", to).query(page), DifferencePage.class);
  }

  /** All commits, newest first. */
  public Stream<Commit> listCommits() {
    return Pages.stream(page -> listCommitsPage(null, page));
  }

  /** The commits that were made after a time, in milliseconds since 1970, newest first. */
  public Stream<Commit> listCommits(long since) {
    return Pages.stream(page -> listCommitsPage(since, page));
  }

  /**
   * A page of the commits, newest first.
   *
   * @param since only those that were made after this time, in milliseconds since 1970; null for
   *     all
   */
  public CommitPage listCommitsPage(@Nullable Long since, Paging page) {
    return transport.json(get("commits").query("since", since).query(page), CommitPage.class);
  }

  /** A commit with the first page of its operations. */
  public CommitDetail getCommit(String commitId) {
    return getCommit(commitId, Paging.first());
  }

  /** A commit with a page of its operations. */
  public CommitDetail getCommit(String commitId, Paging page) {
    return transport.json(get("commits").segment(commitId).query(page), CommitDetail.class);
  }

  /** All operations of a commit. */
  public Stream<CommitOperation> getCommitOperations(String commitId) {
    return Pages.stream(
        page -> getCommit(commitId, page), CommitDetail::operations, CommitDetail::nextCursor);
  }

  /** Commits a batch of operations, as a whole; it is sent again if the answer is lost. */
  public CommitAnswer commit(CommitRequest request) {
    return commit(request, CommitOptions.DEFAULT);
  }

  /** Commits a batch of operations. */
  public CommitAnswer commit(CommitRequest request, CommitOptions options) {
    return send(request, options);
  }

  /** Commits a batch of operations that is JSON already, as {@link CommitRequest} has it. */
  public CommitAnswer commit(JsonNode request, CommitOptions options) {
    return send(request, options);
  }

  private CommitAnswer send(Object request, CommitOptions options) {
    var key =
        options.idempotencyKey() == null ? UUID.randomUUID().toString() : options.idempotencyKey();
    return transport.json(
        post("commits")
            .header("Idempotency-Key", key)
            .header("If-Match", options.ifMatch())
            .query("return", options.summary() ? "summary" : null)
            .json(request)
            .repeatable()
            .timeout(COMMIT_TIMEOUT),
        CommitAnswer.class);
  }

  /**
   * Submits operations as a stream, for as many as a commit cannot have. It is not repeated, except
   * with a new token if the body can be written again ({@link StreamBody#isRepeatable}). With an
   * idempotency key, the caller sends it again from its first line.
   *
   * @param streamId a name of the caller's choice
   * @param lines the operations, which are written while the results are read
   */
  public StreamSubmission submitStream(String streamId, StreamOptions options, StreamBody lines) {
    return StreamSubmission.begin(
        transport, post("streams", streamId, "submissions"), options, lines);
  }

  /** The lines of an export of HEAD, as a stream. */
  public ExportStream export() {
    return Exports.stream(transport, get("export"));
  }

  /**
   * The lines of an export of the state after a commit, as a stream.
   *
   * @param at a {@code commitId} or a {@code repoSeq}
   */
  public ExportStream export(String at) {
    return Exports.stream(transport, get("export").query("at", at));
  }

  /**
   * Has an export built in the background, which can be downloaded in parts.
   *
   * @param at a {@code commitId} or a {@code repoSeq}; null for the current state
   * @return the secret {@code exportToken}, the same for the same state
   */
  public ExportOrder requestExport(@Nullable String at) {
    return transport.json(
        get("export").query("prefer", "async").query("at", at), ExportOrder.class);
  }

  /**
   * A background export with a link for 15 minutes; empty until it is built.
   *
   * @param exportToken from {@link #requestExport}
   */
  public Optional<Export> builtExport(String exportToken) {
    return Exports.built(transport, get("export").secretQuery("token", exportToken));
  }

  /**
   * The content of a built export, one JSON object a line, which the caller must close.
   *
   * @param from the first byte that is wanted, from 0
   */
  public InputStream downloadExport(Export export, long from) {
    return Exports.download(transport, export, from);
  }

  /** The state of the whole repository, for {@link CommitOptions#withIfMatch}. */
  public String state() {
    var call = Call.head("api", "repos", organization, name, "commits");
    return transport.headers(call).firstValue("ETag").orElseThrow();
  }

  /** Recomputes the hash chain, which may take up to ten minutes. */
  public Verification verify() {
    return transport.json(get("verification").timeout(VERIFICATION_TIMEOUT), Verification.class);
  }

  /** A ticket for one request for live updates, within a minute. */
  public LiveTicket createLiveTicket() {
    return transport.json(post("live", "tickets").repeatable(), LiveTicket.class);
  }

  /**
   * Commits as they are made. The stream has no end: it connects again whenever the connection is
   * lost, and continues where it stood. It must be closed, which another thread can do.
   *
   * @param lastEventId the {@link LiveEvent#id} to continue after; null to begin now
   */
  public Stream<LiveEvent> streamEvents(LiveFilter filter, @Nullable String lastEventId) {
    return CairnClient.events(transport, List.of(this), filter, lastEventId);
  }

  /** Follows queries: their results, again after each change. It must be closed. */
  public LiveQueries liveQueries() {
    return new LiveQueries(transport, () -> createLiveTicket().ticket());
  }

  private String text(String file) {
    return transport.text(Call.get(organization, name, file).accept("text/plain, text/markdown"));
  }

  private Call get(String... segments) {
    return below(Call.get("api", "repos", organization, name), segments);
  }

  private Call post(String... segments) {
    return below(Call.post("api", "repos", organization, name), segments);
  }

  private static Call below(Call call, String... segments) {
    for (String segment : segments) {
      call.segment(segment);
    }
    return call;
  }
}
