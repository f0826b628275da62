package dev.cairn.mcp;

import java.util.List;

/**
 * Provides the tools of one part of the service; the catalogue contains those of every bean of this
 * type.
 */
interface ToolSource {
  /** The tools, in the order in which they are listed. */
  List<Tool> tools();

  /** The position of these tools among those of other sources: the lowest comes first. */
  int order();
}
