package dev.cairn.model;

/**
 * The RFC 6901 pointer to a value of a payload, written out only when it is needed. All values of
 * an object or array share its path: the pointers of many deeply nested references would together
 * take hundreds of times the payload's own length.
 */
public final class FieldPath {
  /** The whole payload, whose pointer is empty. */
  public static final FieldPath ROOT = new FieldPath(null, "", 0, 0);

  private final FieldPath parent;
  private final String segment;
  private final int index;
  private final int length;

  /**
   * @param segment a member's name with its slash, escaped; null for an item of an array
   */
  private FieldPath(FieldPath parent, String segment, int index, int length) {
    this.parent = parent;
    this.segment = segment;
    this.index = index;
    this.length = length;
  }

  /** The path of a member of the object at this path. */
  public FieldPath member(String name) {
    var added = IJson.pointer("", name);
    return new FieldPath(this, added, 0, length + added.length());
  }

  /** The path of an item of the array at this path. */
  public FieldPath item(int position) {
    int added = IJson.pointer("", position).length();
    return new FieldPath(this, null, position, length + added);
  }

  /**
   * The length of the pointer in characters, which are also bytes, because names of fields are
   * ASCII.
   */
  public int length() {
    return length;
  }

  /** The pointer. */
  @Override
  public String toString() {
    var pointer = new StringBuilder(length);
    appendTo(pointer);
    return pointer.toString();
  }

  private void appendTo(StringBuilder pointer) {
    if (parent == null) {
      return;
    }
    parent.appendTo(pointer);
    if (segment == null) {
      pointer.append('/').append(index);
    } else {
      pointer.append(segment);
    }
  }
}
