package dev.cairn.action;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.RequestBody;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The body of a callback; {@code docs/actions.md}, Callbacks.
 *
 * @param status the name of a {@link Kind} in lower case
 * @param message for people; null for none
 * @param progress 0 to 1; null if it is not given
 * @param errorCode only of a failure; null if it is not given
 * @param errorMessage only of a failure; null if it is not given
 */
@RegisterForReflection
public record Report(
    String status, String message, Double progress, String errorCode, String errorMessage) {
  private static final int MAX_CHARACTERS = 2000;
  private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

  /** What became of the action. */
  public enum Kind {
    PROGRESS,
    SUCCEEDED,
    FAILED,
    RETRY;

    boolean isFailure() {
      return this == FAILED || this == RETRY;
    }
  }

  /**
   * Reads a report.
   *
   * @throws Problem {@code VALIDATION_ERROR}
   */
  public static Report read(InputStream body) {
    var report = RequestBody.read(body, Report.class, Report::refuseNulls);
    var kind = report.kind();
    refuseLong("/message", report.message());
    refuseLong("/errorMessage", report.errorMessage());
    if (report.progress() != null && !(report.progress() >= 0 && report.progress() <= 1)) {
      throw Problem.invalid("/progress", "`progress` must be a number from 0 to 1.");
    }
    if (report.errorCode() != null && !CODE.matcher(report.errorCode()).matches()) {
      throw Problem.invalid(
          "/errorCode",
          "`errorCode` must be an upper-case letter followed by at most 63 upper-case letters, digits or"
              + " '_'.");
    }
    if (!kind.isFailure() && (report.errorCode() != null || report.errorMessage() != null)) {
      throw Problem.invalid(
          report.errorCode() != null ? "/errorCode" : "/errorMessage",
          "Errors go with the status `failed` or `retry` only.");
    }
    return report;
  }

  private static void refuseNulls(JsonNode body) {
    for (var member : body.properties()) {
      if (member.getValue().isNull()) {
        throw Problem.invalid(
            "/" + member.getKey(), "`null` is not a valid value: leave the member out.");
      }
    }
  }

  private static void refuseLong(String pointer, String text) {
    if (text != null && text.codePointCount(0, text.length()) > MAX_CHARACTERS) {
      throw Problem.invalid(
          pointer, "The text may have at most %,d characters.".formatted(MAX_CHARACTERS));
    }
  }

  /** What became of the action. */
  Kind kind() {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(status))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalid(
                    "/status", "`status` must be one of progress, succeeded, failed, retry."));
  }

  /** The same without secrets, such as one in a URL that a program could not call. */
  Report masking(SecretMask mask) {
    var texts = mask.masked(Arrays.asList(message, errorCode, errorMessage));
    return new Report(
        status,
        texts.get(0),
        progress,
        Objects.equals(errorCode, texts.get(1)) ? errorCode : null,
        texts.get(2));
  }

  /** Whether it has anything that could contain a secret. */
  boolean hasTexts() {
    return message != null || errorCode != null || errorMessage != null;
  }

  /** The failure that it reports; its message is not ours, see {@link RunVisibility#notOurs}. */
  AttemptResult.Failure failure(String otherwise) {
    return new AttemptResult.Failure(
        errorCode == null ? otherwise : errorCode,
        RunVisibility.notOurs(errorMessage == null ? message : errorMessage));
  }
}
