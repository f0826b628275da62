package dev.cairn.client;

/**
 * The error codes that the service has: {@code docs/errors.md}, The codes. New ones may be added.
 */
public final class ErrorCode {
  /** 400: The request is not valid. */
  public static final String VALIDATION_ERROR = "VALIDATION_ERROR";

  /** 400: The data does not match its shape. */
  public static final String SHAPE_MISMATCH = "SHAPE_MISMATCH";

  /** 400: The name is reserved. */
  public static final String RESERVED_NAME = "RESERVED_NAME";

  /** 400: The operations cannot follow each other. */
  public static final String ILLEGAL_OP_SEQUENCE = "ILLEGAL_OP_SEQUENCE";

  /** 400: A reference cannot be resolved. */
  public static final String UNRESOLVED_REFERENCE = "UNRESOLVED_REFERENCE";

  /** 400: An operation that this one needs has failed. */
  public static final String DEPENDENCY_FAILED = "DEPENDENCY_FAILED";

  /** 401: Authentication is required. */
  public static final String UNAUTHENTICATED = "UNAUTHENTICATED";

  /** 403: Not permitted. */
  public static final String FORBIDDEN = "FORBIDDEN";

  /** 404: Not found. */
  public static final String NOT_FOUND = "NOT_FOUND";

  /** 405: The method is not allowed here. */
  public static final String METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED";

  /** 406: No acceptable representation. */
  public static final String NOT_ACCEPTABLE = "NOT_ACCEPTABLE";

  /** 409: It exists already. */
  public static final String ALREADY_EXISTS = "ALREADY_EXISTS";

  /** 409: The state does not allow it. */
  public static final String CONFLICT = "CONFLICT";

  /** 409: Archived. */
  public static final String ARCHIVED = "ARCHIVED";

  /** 412: The precondition failed. */
  public static final String PRECONDITION_FAILED = "PRECONDITION_FAILED";

  /** 413: The request is too large. */
  public static final String PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE";

  /** 414: The URI is too long. */
  public static final String URI_TOO_LONG = "URI_TOO_LONG";

  /** 415: The media type is not supported. */
  public static final String UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE";

  /** 416: The range is outside of the content. */
  public static final String RANGE_NOT_SATISFIABLE = "RANGE_NOT_SATISFIABLE";

  /** 422: The idempotency key was used for another request. */
  public static final String IDEMPOTENCY_MISMATCH = "IDEMPOTENCY_MISMATCH";

  /** 429: Too many requests. */
  public static final String RATE_LIMITED = "RATE_LIMITED";

  /** 431: The headers are too large. */
  public static final String HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE";

  /** 500: Internal error. */
  public static final String INTERNAL_ERROR = "INTERNAL_ERROR";

  /** 503: Unavailable. */
  public static final String UNAVAILABLE = "UNAVAILABLE";

  /** No answer of the API: for example that of a proxy, or of another server. */
  public static final String UNEXPECTED_ANSWER = "UNEXPECTED_ANSWER";

  private ErrorCode() {}
}
