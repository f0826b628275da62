package dev.cairn.mcp;

import java.util.List;

/** Makes the tools of one part of the service; every bean of this type is in the catalogue. */
interface ToolSource {
  /** The tools, in the order in which they are listed. */
  List<Tool> tools();

  /** Where they stand among those of the others: the lowest come first. */
  int order();
}
