package dev.cairn.platform.page;

import dev.cairn.platform.http.BaseUrl;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** Adds the header {@code Link} with the URL of the next page of a list. */
@ApplicationScoped
class NextPage {
  /** Characters that must be escaped in a URL, although a client may have sent them unescaped. */
  private static final Pattern UNSAFE = Pattern.compile("[^!#-;=?-\\[\\]_a-z~]");

  private final CurrentVertxRequest request;
  private final BaseUrl baseUrl;

  NextPage(CurrentVertxRequest request, BaseUrl baseUrl) {
    this.request = request;
    this.baseUrl = baseUrl;
  }

  @ServerResponseFilter
  void link(ContainerResponseContext response) {
    if (!(response.getEntity() instanceof Paged page)) {
      return;
    }
    if (page.nextCursor() != null) {
      var url = url(request.getCurrent().request(), page.nextCursor());
      response.getHeaders().putSingle(HttpHeaders.LINK, "<" + url + ">; rel=\"next\"");
    }
    if (page instanceof JsonPage written) {
      response.setEntity(written.json());
    }
  }

  /** The request's own URL with another cursor. */
  private String url(HttpServerRequest current, String cursor) {
    var others =
        current.query() == null
            ? Stream.<String>empty()
            : Arrays.stream(current.query().split("&", -1)).filter(NextPage::isKept);
    var query =
        Stream.concat(others, Stream.of(Page.CURSOR + "=" + cursor))
            .collect(Collectors.joining("&"));
    return baseUrl.ofLinks(current) + escaped(current.path() + "?" + query);
  }

  private static boolean isKept(String parameter) {
    var name = URLDecoder.decode(parameter.split("=", 2)[0], StandardCharsets.UTF_8);
    return !name.isEmpty() && !name.equals(Page.CURSOR);
  }

  /** Escapes a URL, whose characters are its bytes. */
  static String escaped(String url) {
    return UNSAFE
        .matcher(url)
        .replaceAll(
            c -> "%" + HexFormat.of().withUpperCase().toHexDigits((byte) c.group().charAt(0)));
  }
}
