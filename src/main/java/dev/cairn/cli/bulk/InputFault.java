package dev.cairn.cli.bulk;

/** Why one item of the input cannot be imported; its message is a sentence for the user. */
final class InputFault extends Exception {
  private static final long serialVersionUID = 1L;

  InputFault(String sentence) {
    super(sentence);
  }
}
