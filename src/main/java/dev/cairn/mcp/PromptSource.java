package dev.cairn.mcp;

import java.util.List;

/** Provides prompts; the catalogue contains those of every bean of this type. */
@FunctionalInterface
interface PromptSource {
  /** The prompts, in the order in which they are listed. */
  List<Prompt> prompts();
}
