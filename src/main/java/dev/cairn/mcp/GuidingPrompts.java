package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.mcp.Prompt.Argument;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** The prompts that help somebody to begin. */
@ApplicationScoped
class GuidingPrompts implements PromptSource {
  private static final Argument REPOSITORY = new Argument("repository", "org/repo", true);

  @Override
  public List<Prompt> prompts() {
    return List.of(
        new Prompt(
            "model_domain",
            "Model a domain",
            "Find the shapes for a field of knowledge, and define them",
            List.of(REPOSITORY, new Argument("domain", "What is to be known, in a sentence", true)),
            call ->
                asked(
                    """
                    Help me model this in the Cairn repository %s: %s

                    Call repo_describe first, and reuse the shapes that fit. Then propose the missing ones: \
                    few, each a noun in the singular, with a description for itself and for every field; \
                    wref fields (with `shape`) for relations; assertions about a thing for claims that have \
                    a source, a date or a doubt of their own. Show me the definitions and two example things \
                    for each before you write. When I agree, call shape_create for each shape, with a message \
                    that says why.
                    """
                        .formatted(call.required("repository"), call.required("domain")))),
        new Prompt(
            "first_commit",
            "Write a first commit",
            "Turn what you have into things and assertions",
            List.of(
                REPOSITORY,
                new Argument("material", "What to write: a text, a list, a table", true)),
            call ->
                asked(
                    """
                    Write this into the Cairn repository %s:

                    %s

                    Read agents.md by repo_content_get, and the examples of repo_describe. Make one \
                    commit_submit with operations that use the shapes there are; names in the form the \
                    repository uses already. Send it with dryRun: true first, mend what its errors point to, \
                    then for good, with a message that says where the material comes from. At the end list \
                    the wrefs that you made.
                    """
                        .formatted(call.required("repository"), call.required("material")))),
        new Prompt(
            "what_is_known",
            "Find what is known about something",
            "Collect things, assertions and their history",
            List.of(REPOSITORY, new Argument("subject", "What about", true)),
            call ->
                asked(
                    """
                    What does the Cairn repository %s know about %s?

                    Find its things by repo_describe and thing_query (match, where). For each that fits read \
                    thing_get, thing_about with depth 2, and thing_refs. Where it matters who said it and \
                    when, look at thing_history. Answer with what is known, name the wref behind each \
                    statement, say what contradicts what, and what is missing.
                    """
                        .formatted(call.required("repository"), call.required("subject")))));
  }

  private static ObjectNode asked(String text) {
    var result = JsonNodeFactory.instance.objectNode();
    result
        .putArray("messages")
        .addObject()
        .put("role", "user")
        .putObject("content")
        .put("type", "text")
        .put("text", text);
    return result;
  }
}
