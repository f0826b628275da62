package dev.cairn.query;

import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.platform.page.Page.CURSOR;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.ConditionalReads;
import dev.cairn.content.At;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import dev.cairn.platform.page.Page;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads of a repository's content; the rules are in {@code docs/reads.md}. */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class ReadResource {
  private static final String WAIT_FOR = "waitFor";
  private static final Pattern SEQ = Pattern.compile("\\d{1,18}");

  private static final Set<String> HEAD_PARAMETERS =
      Stream.concat(EntityFilter.PAGED_PARAMETERS.stream(), Stream.of(WAIT_FOR))
          .collect(Collectors.toUnmodifiableSet());

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ConditionalReads conditional;
  private final EntityReads entities;
  private final ThingReads things;
  private final AboutReads abouts;
  private final HistoryReads histories;
  private final CommitWait commits;

  ReadResource(
      CurrentCaller caller,
      Authorizer authorizer,
      ConditionalReads conditional,
      EntityReads entities,
      ThingReads things,
      AboutReads abouts,
      HistoryReads histories,
      CommitWait commits) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.conditional = conditional;
    this.entities = entities;
    this.things = things;
    this.abouts = abouts;
    this.histories = histories;
    this.commits = commits;
  }

  /** A page of HEAD; if the request says so, once there is a commit. */
  @GET
  @Path("head")
  public Response head(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    if (uri.getQueryParameters().containsKey(WAIT_FOR)) {
      await(path, uri);
    }
    return page("head", path, uri, HEAD_PARAMETERS);
  }

  private static Optional<Long> waitFor(QueryParameters parameters) {
    var seq = parameters.text(WAIT_FOR).map(ReadResource::seq);
    if (seq.isPresent() && parameters.text("at").isPresent()) {
      throw Problem.invalid("?" + WAIT_FOR, "`waitFor` cannot be combined with `at`.");
    }
    return seq;
  }

  private static long seq(String text) {
    if (!SEQ.matcher(text).matches()) {
      throw Problem.invalid(
          "?" + WAIT_FOR, "`waitFor` must be the number of a commit, a whole number.");
    }
    return Long.parseLong(text);
  }

  /** Waits for the commit that a request names, unless it is refused for any reason. */
  private void await(RepositoryPath path, UriInfo uri) {
    var access = authorizer.repository(caller.get(), path.org(), path.repo(), REPO_READ);
    var parameters = QueryParameters.of(uri, HEAD_PARAMETERS, EntityFilter.REPEATABLE);
    var _ = EntityFilter.of(parameters);
    var _ = ShownFields.of(parameters);
    var _ = Page.limit(parameters);
    waitFor(parameters)
        .filter(seq -> access.seq() < seq)
        .ifPresent(
            seq -> {
              commits.await(access, seq);
              caller.verifyAfterWait();
            });
  }

  /** The same as {@link #head}, under a name that suits queries with filters. */
  @GET
  @Path("query")
  public Response query(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return page("query", path, uri, EntityFilter.PAGED_PARAMETERS);
  }

  private Response page(String route, RepositoryPath path, UriInfo uri, Set<String> known) {
    return read(
        path,
        access -> {
          var parameters = QueryParameters.of(uri, known, EntityFilter.REPEATABLE);
          return page(route, access, EntityFilter.of(parameters), parameters);
        });
  }

  private Response page(
      String route, RepositoryAccess access, EntityFilter filter, QueryParameters parameters) {
    int limit = Page.limit(parameters);
    return conditional.answer(
        access,
        filter.about().wrefs(),
        current ->
            entities.page(
                current,
                route,
                filter,
                ShownFields.of(parameters),
                limit,
                parameters.text(CURSOR)));
  }

  /** The number of entities that the filters select. */
  @GET
  @Path("count")
  public Response count(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return read(
        path,
        access -> {
          var filter =
              EntityFilter.of(
                  QueryParameters.of(uri, EntityFilter.PARAMETERS, EntityFilter.REPEATABLE));
          return conditional.answer(
              access, filter.about().wrefs(), current -> entities.count(current, filter));
        });
  }

  /** One entity: at HEAD, at a version or at a moment. */
  @GET
  @Path("things/{wref: \\G.+}")
  public Response thing(
      @BeanParam RepositoryPath path, @PathParam("wref") String wref, @Context UriInfo uri) {
    return read(
        path,
        access -> {
          var parameters = QueryParameters.of(uri, Set.of("version", "at"));
          return thing(access, EntityFilter.named(wref), parameters);
        });
  }

  /** Many entities by name. */
  @POST
  @Path("things/batch")
  @Consumes(MediaType.APPLICATION_JSON)
  public byte[] batch(@BeanParam RepositoryPath path, InputStream body, @Context UriInfo uri) {
    var access = authorizer.repository(caller.get(), path.org(), path.repo(), REPO_READ);
    QueryParameters.none(uri);
    return things.batch(
        access, RequestBody.read(body, ThingReads.Batch.class, RequestBody.MAX_LIST));
  }

  /** The assertions about an entity. */
  @GET
  @Path("about/{wref: \\G.+}")
  public Response about(
      @BeanParam RepositoryPath path, @PathParam("wref") String wref, @Context UriInfo uri) {
    return read(
        path,
        access -> {
          var target = EntityFilter.named(wref);
          var request =
              AboutReads.Request.of(QueryParameters.of(uri, AboutReads.Request.PARAMETERS));
          return conditional.answer(
              access, List.of(target), current -> abouts.about(current, target, request));
        });
  }

  /** The assertions about each of several entities. */
  @GET
  @Path("about")
  public Response aboutMany(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return read(
        path,
        access -> {
          var parameters =
              QueryParameters.of(
                  uri, AboutReads.Request.PARAMETERS_OF_MANY, AboutReads.Request.REPEATABLE);
          var many = AboutReads.Many.of(parameters);
          var request = AboutReads.Request.of(parameters);
          return conditional.answer(
              access, many.wrefs(), current -> abouts.about(current, many, request));
        });
  }

  /** Versions, newest first. */
  @GET
  @Path("history")
  public Response history(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return read(
        path,
        access -> {
          var request =
              HistoryReads.Request.of(
                  QueryParameters.of(
                      uri, HistoryReads.Request.PARAMETERS, HistoryReads.Request.REPEATABLE));
          return conditional.answer(
              access, request.about().wrefs(), current -> histories.page(current, request));
        });
  }

  /** Resolves a wref to the entity and version that it names. */
  @GET
  @Path("resolve/{wref: \\G.+}")
  public Response resolve(
      @BeanParam RepositoryPath path, @PathParam("wref") String wref, @Context UriInfo uri) {
    return read(
        path,
        access -> {
          QueryParameters.none(uri);
          var named = EntityFilter.named(wref);
          return conditional.answer(access, current -> things.resolve(current, named));
        });
  }

  /** The repository's own shapes. */
  @GET
  @Path("shapes")
  public Response shapes(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return read(
        path,
        access -> {
          var parameters = QueryParameters.of(uri, EntityFilter.SHAPES_PARAMETERS);
          return page("shapes", access, EntityFilter.ofShapes(parameters), parameters);
        });
  }

  /** One shape, which may be a built-in one. */
  @GET
  @Path("shapes/{name}")
  public Response shape(
      @BeanParam RepositoryPath path, @PathParam("name") String name, @Context UriInfo uri) {
    return read(
        path,
        access -> {
          var parameters = QueryParameters.of(uri, Set.of("version"));
          return thing(access, EntityFilter.namedShape(name), parameters);
        });
  }

  private Response thing(RepositoryAccess access, Wref wref, QueryParameters parameters) {
    var version = parameters.integer("version", 1, Integer.MAX_VALUE);
    var at = parameters.text("at").map(t -> At.parse("?at", t));
    return conditional.answer(access, current -> things.get(current, wref, version, at));
  }

  private Response read(RepositoryPath path, Function<RepositoryAccess, Response> read) {
    return authorizer.call(caller.get(), path.org(), path.repo(), REPO_READ, read);
  }
}
