package dev.cairn.platform.http;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.common.util.MediaTypeHelper;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;

/**
 * The types of answers that a client takes, by its {@code Accept} (RFC 9110, section 12.5.1). Of
 * several ranges that have a type, the most specific one decides. As a filter, it refuses requests
 * that rule out all types of the answer with {@code q=0}, which the framework takes for a low
 * weight.
 */
public class AcceptedTypes {
  private static final String WEIGHT = "q";
  private static final Pattern WEIGHTS = Pattern.compile("0(\\.[0-9]*)?|1(\\.0*)?");

  private static final Comparator<Optional<MediaType>> BY_WEIGHT =
      Comparator.<Optional<MediaType>>comparingDouble(AcceptedTypes::weight)
          .thenComparingInt(range -> range.map(AcceptedTypes::specificity).orElse(0));

  /** An {@code Accept} without this rules nothing out. */
  private static final Pattern MAY_RULE_OUT = Pattern.compile("(?i).*q *= *0.*");

  /** Before anything is carried out. */
  @ServerRequestFilter
  public void check(ContainerRequestContext context) {
    var accept = context.getHeaderString(HttpHeaders.ACCEPT);
    var produced = CurrentRequestManager.get().getTarget().getProduces();
    if (accept == null || produced == null || !MAY_RULE_OUT.matcher(accept).matches()) {
      return;
    }
    var ranges = MediaTypeHelper.parseHeader(accept);
    var types = Arrays.asList(produced.getSortedOriginalMediaTypes());
    if (types.stream().noneMatch(type -> isAccepted(type, ranges))) {
      throw Problem.of(
              ErrorCode.NOT_ACCEPTABLE, "`Accept` rules out everything that this can answer with.")
          .hint(
              types.stream()
                  .map(type -> "`" + type.getType() + "/" + type.getSubtype() + "`")
                  .collect(Collectors.joining(" or ", "Leave `Accept` out, or name ", ".")));
    }
  }

  /**
   * Whether the client prefers one type of answer to another: if it gives it more weight, or as
   * much and names it more specifically. A malformed {@code Accept} prefers nothing.
   *
   * @param type such as {@code application/json}
   */
  public static boolean prefers(HttpServerRequest request, String type, String other) {
    var accept = String.join(",", request.headers().getAll(HttpHeaders.ACCEPT));
    if (accept.isBlank()) {
      return false;
    }
    try {
      var ranges = MediaTypeHelper.parseHeader(accept);
      var order = Comparator.comparing((MediaType t) -> best(t, ranges), BY_WEIGHT);
      return order.compare(MediaType.valueOf(type), MediaType.valueOf(other)) > 0;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static boolean isAccepted(MediaType type, List<MediaType> ranges) {
    return weight(best(type, ranges)) > 0;
  }

  /** The most specific range that has a type. */
  private static Optional<MediaType> best(MediaType type, List<MediaType> ranges) {
    return ranges.stream()
        .filter(range -> range.isCompatible(type))
        .max(Comparator.comparingInt(AcceptedTypes::specificity));
  }

  /** 0 to 1; 0 if there is no range, and 1 if the weight is missing or malformed. */
  private static double weight(Optional<MediaType> range) {
    return range
        .map(r -> r.getParameters().getOrDefault(WEIGHT, "1"))
        .map(text -> WEIGHTS.matcher(text).matches() ? Double.parseDouble(text) : 1)
        .orElse(0.0);
  }

  private static int specificity(MediaType range) {
    if (range.isWildcardType()) {
      return 0;
    }
    return range.isWildcardSubtype() ? 1 : 2;
  }
}
