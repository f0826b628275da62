package dev.cairn.mcp;

import java.util.List;

/** Makes prompts; those of every bean of this type are offered. */
@FunctionalInterface
interface PromptSource {
  /** The prompts, in the order in which they are listed. */
  List<Prompt> prompts();
}
