package dev.cairn.openapi;

import io.restassured.authentication.NoAuthScheme;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.Header;
import io.restassured.http.Headers;
import io.restassured.internal.ResponseParserRegistrar;
import io.restassured.internal.RestAssuredResponseImpl;
import io.restassured.internal.assertion.CookieMatcher;
import io.restassured.internal.log.LogRepository;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.http.HttpEntity;
import org.apache.http.HttpResponse;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.entity.GzipDecompressingEntity;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.entity.ContentType;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.util.EntityUtils;

/**
 * Sends what tests ask RestAssured to send, and makes its answers, as it does by itself, but over
 * connections that are kept and without asking Groovy for each step, which took more time than the
 * service. Requests that need more of it are its own to send. Filters after {@link Contract} do not
 * see what is sent here, and neither do expectations of a response specification and the time of an
 * answer: tests that use them have no filters.
 */
final class Sending {
  /** None of these is redirected, or has what RestAssured changes in a path. */
  private static final Pattern PATH = Pattern.compile("/(api|mcp)\\b(?!.*/[./])[^{}#]*");

  private static final String ACCEPT_ENCODING = "Accept-Encoding";

  /** Requests of other methods have a length, if only that of nothing. */
  private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "DELETE", "OPTIONS");

  private static final int CONNECTIONS = 1_000;

  private static final CloseableHttpClient CLIENT =
      HttpClientBuilder.create()
          .setMaxConnPerRoute(CONNECTIONS)
          .setMaxConnTotal(CONNECTIONS)
          .disableContentCompression()
          .disableCookieManagement()
          .disableRedirectHandling()
          .setDefaultRequestConfig(
              RequestConfig.custom().setNormalizeUri(false).setAuthenticationEnabled(false).build())
          .build();

  private Sending() {}

  /** The answer to a request; empty if RestAssured has to send it. */
  static Optional<Response> answer(FilterableRequestSpecification request) {
    var uri = request.getURI();
    if (!uri.endsWith(request.getUserDefinedPath()) || !canSend(request)) {
      return Optional.empty();
    }
    try (var answer = CLIENT.execute(built(request, URI.create(uri)))) {
      return Optional.of(response(request.getConfig(), answer));
    } catch (IOException e) {
      throw new UncheckedIOException(request.getMethod() + " " + uri, e);
    }
  }

  private static boolean canSend(FilterableRequestSpecification request) {
    Object body = request.getBody();
    return PATH.matcher(request.getUserDefinedPath()).matches()
        && request.getAuthenticationScheme() instanceof NoAuthScheme
        && request.getProxySpecification() == null
        && request.getRequestParams().isEmpty()
        && request.getFormParams().isEmpty()
        && request.getMultiPartParams().isEmpty()
        && !request.getCookies().exist()
        && !request.getHeaders().hasHeaderWithName(ACCEPT_ENCODING)
        && (body == null || body instanceof String || body instanceof byte[]);
  }

  private static HttpUriRequest built(FilterableRequestSpecification request, URI uri) {
    var builder = RequestBuilder.create(request.getMethod()).setUri(uri);
    request.getHeaders().forEach(header -> builder.addHeader(header.getName(), header.getValue()));
    var decoders = request.getConfig().getDecoderConfig().contentDecoders();
    if (!decoders.isEmpty()) {
      builder.addHeader(
          ACCEPT_ENCODING,
          decoders.stream()
              .map(decoder -> decoder.name().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(",")));
    }
    var body = body(request);
    if (body.length > 0 || !WITHOUT_BODY.contains(request.getMethod())) {
      builder.setEntity(new ByteArrayEntity(body));
    }
    return builder.build();
  }

  private static byte[] body(FilterableRequestSpecification request) {
    Object body = request.getBody();
    return switch (body) {
      case null -> new byte[0];
      case String text -> text.getBytes(charset(request));
      default -> (byte[]) body;
    };
  }

  /** That of the media type, or the usual one of such media. */
  private static Charset charset(FilterableRequestSpecification request) {
    var type = request.getHeaders().getValue("Content-Type");
    var charset = ContentType.parse(type).getCharset();
    return charset == null
        ? Charset.forName(request.getConfig().getEncoderConfig().defaultCharsetForContentType(type))
        : charset;
  }

  private static Response response(RestAssuredConfig config, HttpResponse answer)
      throws IOException {
    var headers =
        new Headers(
            Stream.of(answer.getAllHeaders())
                .map(header -> new Header(header.getName(), header.getValue()))
                .toList());
    var response = new RestAssuredResponseImpl();
    response.setStatusLine(answer.getStatusLine().toString());
    response.setStatusCode(answer.getStatusLine().getStatusCode());
    response.setResponseHeaders(headers);
    response.setCookies(CookieMatcher.getCookies(headers.getValues("Set-Cookie")));
    var type = headers.getValue("Content-Type");
    response.setContentType(type == null ? "" : type);
    response.setContent(content(answer.getEntity()));
    response.setConfig(config);
    response.setDecoderConfig(config.getDecoderConfig());
    response.setSessionIdName(config.getSessionConfig().sessionIdName());
    response.setRpr(new ResponseParserRegistrar());
    response.setLogRepository(new LogRepository());
    return response;
  }

  private static byte[] content(HttpEntity entity) throws IOException {
    if (entity == null) {
      return new byte[0];
    }
    var coding = entity.getContentEncoding();
    boolean compressed = coding != null && coding.getValue().equals("gzip");
    return EntityUtils.toByteArray(compressed ? new GzipDecompressingEntity(entity) : entity);
  }
}
