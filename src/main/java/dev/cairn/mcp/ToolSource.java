package dev.cairn.mcp;

import java.util.List;
import java.util.Optional;

/**
 * Provides the tools of one part of the service; the catalogue contains those of every bean of this
 * type.
 */
interface ToolSource {
  /** The tools, in the order in which they are listed. */
  List<Tool> tools();

  /** The position of these tools among those of other sources: the lowest comes first. */
  int order();

  /**
   * The toolset of these tools; those of them that change nothing may belong to {@link
   * Toolset#READ} instead. Empty if they are always offered.
   */
  default Optional<Toolset> toolset() {
    return Optional.empty();
  }
}
