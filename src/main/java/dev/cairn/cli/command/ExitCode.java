package dev.cairn.cli.command;

/** How a process ends, so that scripts can tell why: {@code docs/cli.md}, Errors and exit codes. */
public enum ExitCode {
  /** It was done. */
  OK(0, "Done"),
  /** It failed, for none of the other reasons; or what was checked is not as it should be. */
  FAILED(1, "Failed for another reason, or a check found a fault"),
  /** The command line was wrong. */
  USAGE(2, "The command line is wrong; nothing was sent"),
  /** Nobody is signed in, or the token is not valid (any more): HTTP 401. */
  UNAUTHENTICATED(3, "Not signed in, or the token has expired or was refused (401)"),
  /** The caller may not do it: HTTP 403. */
  FORBIDDEN(4, "No permission (403)"),
  /** It does not exist, or the caller may not know of it: HTTP 404 and 410. */
  NOT_FOUND(5, "Not found (404, 410)"),
  /** Something else is in the way: HTTP 409 and 412. */
  CONFLICT(6, "It exists already, conflicts, or has changed meanwhile (409, 412)"),
  /** The server found the input invalid, or a file is: other HTTP 4xx. */
  INVALID(7, "The input is invalid (400, 413, 422 and so on)"),
  /** Try again later: HTTP 429 and 503. */
  UNAVAILABLE(8, "A rate limit is exhausted, or the service is busy (429, 503): try again later"),
  /** No answer came from the server. */
  UNREACHABLE(9, "The server was not reached"),
  /** Ended by Ctrl-C. */
  INTERRUPTED(130, "Interrupted by Ctrl-C (SIGINT)"),
  /** The reader of the output has ended, as {@code head} does; what a shell reports for SIGPIPE. */
  BROKEN_PIPE(141, "The reader of a pipe ended first, as `head` does; without a message");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** What the process ends with. */
  public int code() {
    return code;
  }

  /** What it means, for the documentation. */
  public String meaning() {
    return meaning;
  }

  /** The code for the HTTP status of an error. */
  static ExitCode ofStatus(int status) {
    return switch (status) {
      case 401 -> UNAUTHENTICATED;
      case 403 -> FORBIDDEN;
      case 404, 410 -> NOT_FOUND;
      case 409, 412 -> CONFLICT;
      case 429, 503 -> UNAVAILABLE;
      default -> status >= 400 && status < 500 ? INVALID : FAILED;
    };
  }
}
