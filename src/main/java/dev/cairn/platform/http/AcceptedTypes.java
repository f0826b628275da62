package dev.cairn.platform.http;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.common.util.MediaTypeHelper;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;

/**
 * Refuses requests whose {@code Accept} rules out all types of the answer with {@code q=0}: the
 * framework takes that for a low weight. Of several ranges, the most specific one decides.
 */
public class AcceptedTypes {
  private static final String WEIGHT = "q";
  private static final Pattern ZERO = Pattern.compile("0(\\.0*)?");

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

  private static boolean isAccepted(MediaType type, List<MediaType> ranges) {
    return ranges.stream()
        .filter(range -> range.isCompatible(type))
        .max(Comparator.comparingInt(AcceptedTypes::specificity))
        .filter(range -> !ZERO.matcher(range.getParameters().getOrDefault(WEIGHT, "1")).matches())
        .isPresent();
  }

  private static int specificity(MediaType range) {
    if (range.isWildcardType()) {
      return 0;
    }
    return range.isWildcardSubtype() ? 1 : 2;
  }
}
