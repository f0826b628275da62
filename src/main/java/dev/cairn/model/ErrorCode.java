package dev.cairn.model;

/**
 * The whole vocabulary of errors: the wire name is {@link #name()}. The page {@code docs/errors.md}
 * is generated from this enum, and a test checks that it is current.
 */
public enum ErrorCode {
  VALIDATION_ERROR(
      400,
      "The request is not valid",
      "A member, parameter or header breaks a rule; `errors` lists each with the rule."),
  SHAPE_MISMATCH(
      400,
      "The data does not match its shape",
      "The payload breaks the shape's current definition; `errors` lists the violations."),
  RESERVED_NAME(
      400, "The name is reserved", "The name belongs to the service: choose another one."),
  ILLEGAL_OP_SEQUENCE(
      400,
      "The operations cannot follow each other",
      "Two operations of one commit exclude each other, such as two adds of one entity."),
  UNRESOLVED_REFERENCE(
      400,
      "A reference cannot be resolved",
      "A wref value, a collection member or a `$n` names an entity that does not exist at this point."),
  DEPENDENCY_FAILED(
      400,
      "An operation that this one needs has failed",
      "Only in an operation's result: it refers to an operation of the same commit that failed."),
  UNAUTHENTICATED(
      401,
      "Authentication is required",
      "The request has no credentials although they are required, or invalid ones."),
  FORBIDDEN(
      403,
      "Not permitted",
      "The caller is known, and its role or its token's scopes do not allow this."),
  NOT_FOUND(
      404, "Not found", "The resource does not exist, or the caller may not know that it does."),
  METHOD_NOT_ALLOWED(
      405,
      "The method is not allowed here",
      "The path exists, but not for this method: see `Allow`."),
  NOT_ACCEPTABLE(
      406, "No acceptable representation", "None of the media types in `Accept` can be produced."),
  ALREADY_EXISTS(
      409,
      "It exists already",
      "Something with that name exists; retracted entities and revoked tokens keep their names."),
  CONFLICT(
      409,
      "The state does not allow it",
      "The resource is in another state than the request requires; `details.reason` says which."),
  ARCHIVED(409, "Archived", "The organization or repository is archived and accepts no writes."),
  PRECONDITION_FAILED(
      412, "The precondition failed", "`If-Match` does not match the current state."),
  PAYLOAD_TOO_LARGE(
      413, "The request is too large", "A limit on size or number is exceeded; `detail` names it."),
  URI_TOO_LONG(414, "The URI is too long", "The path and query together are longer than allowed."),
  UNSUPPORTED_MEDIA_TYPE(
      415,
      "The media type is not supported",
      "The body's `Content-Type` or `Content-Encoding` is not accepted here."),
  RANGE_NOT_SATISFIABLE(
      416, "The range is outside of the content", "`Range` contains no byte of the content."),
  IDEMPOTENCY_MISMATCH(
      422,
      "The idempotency key was used for another request",
      "For 24 hours a key belongs to the request body that it was first sent with."),
  RATE_LIMITED(
      429,
      "Too many requests",
      "A rate limit or quota is exhausted: wait for `Retry-After` seconds. `details.limit` names the quota that"
          + " is full or the budget that is used up. Without `Retry-After`, waiting does not help."),
  HEADERS_TOO_LARGE(
      431,
      "The headers are too large",
      "There are too many headers, or they are too long together."),
  INTERNAL_ERROR(
      500,
      "Internal error",
      "A fault of the service; the log has the same `traceId` as the answer."),
  UNAVAILABLE(
      503, "Unavailable", "The service cannot answer now; try again after `Retry-After` seconds.");

  private final int status;
  private final String title;
  private final String meaning;

  ErrorCode(int status, String title, String meaning) {
    this.status = status;
    this.title = title;
    this.meaning = meaning;
  }

  /** The HTTP status that goes with this code. */
  public int status() {
    return status;
  }

  /** The problem document's {@code title}: short, the same for every occurrence. */
  public String title() {
    return title;
  }

  /** The meaning for a client, in Markdown, for the reference page. */
  public String meaning() {
    return meaning;
  }
}
