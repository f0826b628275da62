package dev.cairn.live;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.token.LiveTickets;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.http.ClientAddress;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.memory.StreamedBody;
import dev.cairn.query.EntityFilter;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The event stream; the rules are in {@code docs/live.md}. */
@Path("/sse")
@RunOnVirtualThread
public class EventStreamResource {
  private static final String TICKET = "ticket";
  private static final String LAST_EVENT_ID = "lastEventId";

  private static final Set<String> PARAMETERS = Set.of(TICKET, "shape", "match", LAST_EVENT_ID);
  private static final Set<String> REPEATABLE = Set.of(TICKET);

  private final Authorizer authorizer;
  private final LiveTickets tickets;
  private final EventStreams streams;
  private final ClientAddress addresses;
  private final CurrentVertxRequest current;

  EventStreamResource(
      Authorizer authorizer,
      LiveTickets tickets,
      EventStreams streams,
      ClientAddress addresses,
      CurrentVertxRequest current) {
    this.authorizer = authorizer;
    this.tickets = tickets;
    this.streams = streams;
    this.addresses = addresses;
    this.current = current;
  }

  /** Streams an event for each commit. */
  @GET
  @Produces(MediaType.SERVER_SENT_EVENTS)
  public Response events(@Context UriInfo uri, @Context HttpServerRequest request) {
    if (request.method().equals(HttpMethod.HEAD)) {
      throw Problem.of(ErrorCode.METHOD_NOT_ALLOWED, "A ticket is used by GET.");
    }
    var parameters = QueryParameters.of(uri, PARAMETERS, REPEATABLE);
    var match = parameters.text("match").map(EventStreamResource::glob);
    var shape = EntityFilter.shape(parameters);
    var lastEventId =
        Optional.ofNullable(request.getHeader("Last-Event-ID"))
            .or(() -> parameters.text(LAST_EVENT_ID));
    var stream =
        new EventStreams.Request(
            accesses(parameters.texts(TICKET), addresses.of(request)), shape, match, lastEventId);
    var connection = ChangeStreams.Connection.of(current.getCurrent());
    return Response.ok(
            StreamedBody.of(request, out -> streams.write(stream, connection, out)),
            MediaType.SERVER_SENT_EVENTS)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header("X-Accel-Buffering", "no")
        .build();
  }

  private static Glob glob(String text) {
    try {
      var glob = Glob.parse(text);
      Glob.requireCheap(List.of(glob), "?match");
      return glob;
    } catch (Problem e) {
      throw e.at("?match");
    }
  }

  private List<RepositoryAccess> accesses(List<String> sent, String address) {
    if (sent.isEmpty()) {
      throw Problem.of(ErrorCode.UNAUTHENTICATED, "This needs the parameter `ticket`.")
          .at("?ticket")
          .hint("Request a ticket with `POST /api/repos/:org/:repo/live/tickets`.");
    }
    if (sent.size() > ChangeStreams.MAX_REPOSITORIES) {
      throw Problem.invalid(
          "?ticket",
          "A stream follows at most %d repositories.".formatted(ChangeStreams.MAX_REPOSITORIES));
    }
    return sent.stream().map(ticket -> access(ticket, address)).toList();
  }

  private RepositoryAccess access(String ticket, String address) {
    var redeemed = tickets.redeem(ticket, address);
    return authorizer.repository(redeemed.caller(), redeemed.org(), redeemed.repo(), REPO_READ);
  }
}
