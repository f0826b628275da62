package dev.cairn.egress;

/** A URL that the policy does not let anybody call; the message is a sentence for its owner. */
final class ForbiddenTargetException extends Exception {
  private static final long serialVersionUID = 1L;

  ForbiddenTargetException(String sentence) {
    super(sentence, null, false, false);
  }
}
