package dev.cairn.platform.http;

import java.util.TreeSet;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.handlers.ClassRoutingHandler;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;

/** The methods of the current path, which RFC 9110 requires on 405 and the framework omits. */
final class AllowedMethods {
  private AllowedMethods() {}

  /** The value of {@code Allow} for the current request. */
  static String ofCurrentPath() {
    var methods = new TreeSet<String>();
    var context = CurrentRequestManager.get();
    var match =
        new RequestMapper<>(context.getDeployment().getClassMappers())
            .map(context.getPathWithoutPrefix());
    if (match != null) {
      var rest = match.remaining.isEmpty() ? "/" : match.remaining;
      for (var handler : match.value.handlers) {
        if (handler instanceof ClassRoutingHandler routing) {
          routing
              .getMappers()
              .forEach(
                  (method, paths) -> {
                    if (method != null && paths.map(rest) != null) {
                      methods.add(method);
                    }
                  });
        }
      }
    }
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    methods.add("OPTIONS");
    return String.join(", ", methods);
  }
}
