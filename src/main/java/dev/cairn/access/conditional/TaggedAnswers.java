package dev.cairn.access.conditional;

import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.Scope;
import dev.cairn.access.ScopeEntry;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Base64Url;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.Set;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Answers 304 if the caller has the answer already, and adds an {@code ETag} to reads outside of
 * repositories, computed from the answer and the caller: organizations, members, tokens, a
 * repository's own record. Resources with {@code If-Match} set their own, and {@link
 * ConditionalReads} those of content. See {@code docs/api.md}, Conditional requests and caching.
 */
@ApplicationScoped
public class TaggedAnswers {
  /** Runs after the answer was written as JSON. */
  private static final int AFTER_WRITING = 1000;

  private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final int TAG_BYTES = 16;

  private final CurrentCaller caller;
  private final CurrentVertxRequest request;

  TaggedAnswers(CurrentCaller caller, CurrentVertxRequest request) {
    this.caller = caller;
    this.request = request;
  }

  @ServerResponseFilter(priority = AFTER_WRITING)
  void tag(ContainerResponseContext response) {
    var current = request.getCurrent().request();
    var headers = response.getHeaders();
    if (response.getStatus() != Response.Status.OK.getStatusCode()
        || !READS.contains(current.method())
        || !(response.getEntity() instanceof byte[] body)) {
      return;
    }
    if (current.path().startsWith("/api/") && !headers.containsKey(HttpHeaders.CACHE_CONTROL)) {
      describe(headers, current, body);
    }
    if (headers.getFirst(HttpHeaders.ETAG) instanceof String tag) {
      EntityTags.ifNoneMatch(current)
          .held(tag, body.length)
          .ifPresent(held -> becomeNotModified(response, held));
    }
  }

  private static void becomeNotModified(ContainerResponseContext response, String tag) {
    response.getHeaders().putSingle(HttpHeaders.ETAG, tag);
    response.setStatus(Response.Status.NOT_MODIFIED.getStatusCode());
    response.setEntity(null);
  }

  private void describe(
      MultivaluedMap<String, Object> headers, HttpServerRequest current, byte[] body) {
    if (!headers.containsKey(HttpHeaders.ETAG)) {
      headers.putSingle(HttpHeaders.ETAG, tag(current.uri(), caller.get(), body));
    }
    headers.putSingle(HttpHeaders.CACHE_CONTROL, ConditionalReads.caching(caller.get()));
    headers.putSingle(HttpHeaders.VARY, HttpHeaders.AUTHORIZATION);
  }

  /**
   * The tag of an answer. It differs between accounts, and between tokens with different scopes,
   * also if their answers are equal.
   *
   * @param what identifies the resource: no two resources have the same text
   * @param body the answer as it is sent
   * @return with its quotes, as {@code ETag} has it
   */
  public static String tag(String what, Caller caller, byte[] body) {
    var digest = Sha256.digest();
    for (var text : new String[] {what, identity(caller)}) {
      digest.update(Sha256.of(text));
    }
    return '"' + Base64Url.encode(Arrays.copyOf(digest.digest(body), TAG_BYTES)) + '"';
  }

  private static String identity(Caller caller) {
    return switch (caller) {
      case Caller.Anonymous _ -> "";
      case Caller.SignedIn account ->
          account.accountId()
              + account.token().scopes().entries().stream()
                  .map(Scope::entry)
                  .map(ScopeEntry::toString)
                  .sorted()
                  .toList()
                  .toString();
    };
  }
}
