package dev.cairn.platform.http;

import static dev.cairn.model.ErrorCode.METHOD_NOT_ALLOWED;
import static dev.cairn.model.ErrorCode.NOT_ACCEPTABLE;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.PAYLOAD_TOO_LARGE;
import static dev.cairn.model.ErrorCode.UNAUTHENTICATED;
import static dev.cairn.model.ErrorCode.UNSUPPORTED_MEDIA_TYPE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Maps exceptions to problem documents: problems, exceptions of the framework, and faults. */
public class ProblemMapper {
  /** A rule of the service refused the request. */
  @ServerExceptionMapper
  public Response problem(Problem problem) {
    return response(problem, null);
  }

  /** The framework refused the request before a resource was reached. */
  @ServerExceptionMapper
  public Response framework(WebApplicationException e) {
    var status = e.getResponse().getStatus();
    if (status >= 500) {
      return fault(e);
    }
    if (status < 400) {
      return e.getResponse();
    }
    var answer = Response.fromResponse(response(Problem.of(code(status), sentence(status)), null));
    if (status == METHOD_NOT_ALLOWED.status()) {
      answer.header(HttpHeaders.ALLOW, AllowedMethods.ofCurrentPath());
    }
    return answer.build();
  }

  /** Any other exception is a fault of the service or of the database. */
  @ServerExceptionMapper
  public Response fault(Throwable e) {
    var failure = Failure.of(e);
    return response(failure.problem(), failure.traceId());
  }

  private static Response response(Problem problem, String traceId) {
    var answer =
        Response.status(problem.code().status())
            .type(ProblemDocument.MEDIA_TYPE)
            .entity(ProblemDocument.of(problem, traceId).toJson());
    ProblemDocument.headers(problem).forEach(answer::header);
    return answer.build();
  }

  private static ErrorCode code(int status) {
    return switch (status) {
      case 401 -> UNAUTHENTICATED;
      case 404 -> NOT_FOUND;
      case 405 -> METHOD_NOT_ALLOWED;
      case 406 -> NOT_ACCEPTABLE;
      case 413 -> PAYLOAD_TOO_LARGE;
      case 415 -> UNSUPPORTED_MEDIA_TYPE;
      default -> VALIDATION_ERROR;
    };
  }

  private static String sentence(int status) {
    return switch (status) {
      case 401 -> "Send `Authorization: Bearer <token>`.";
      case 404 -> "There is nothing at this path.";
      case 405 -> "The path exists, but not for this method.";
      case 406 -> "None of the media types in Accept can be produced here.";
      case 413 -> "The request's body is too large.";
      case 415 -> "This endpoint does not accept this Content-Type.";
      default -> "The request cannot be understood.";
    };
  }
}
