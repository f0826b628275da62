package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.mcp.Prompt.Argument;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Prompts that help users to get started. */
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
            List.of(
                REPOSITORY,
                new Argument("domain", "The field of knowledge, in one sentence", true)),
            call ->
                userMessage(
                    """
                    Help me model this in the Cairn repository %s: %s

                    Call repo_describe first, and reuse the shapes that fit. Then propose the missing ones: \
                    few, each a singular noun, with a description for the shape and for every field; \
                    wref fields (with `shape`) for relations; assertions about a thing for claims that have \
                    a source, a date or a degree of confidence of their own. Show me the definitions and two example things \
                    for each before you write. When I agree, call shape_create for each shape, with a message \
                    that gives the reason.
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
                userMessage(
                    """
                    Write this into the Cairn repository %s:

                    %s

                    Read agents.md with repo_content_get, and the examples of repo_describe. Make one \
                    commit_submit with operations that use the existing shapes, and names in the form that \
                    the repository already uses. Send it with dryRun: true first, fix its errors, and then \
                    send it without dryRun, with a message that gives the source of the material. Finally, \
                    list the wrefs that you created.
                    """
                        .formatted(call.required("repository"), call.required("material")))),
        new Prompt(
            "what_is_known",
            "Find what is known about something",
            "Collect things, assertions and their history",
            List.of(REPOSITORY, new Argument("subject", "The subject", true)),
            call ->
                userMessage(
                    """
                    What does the Cairn repository %s know about %s?

                    Find its things with repo_describe and thing_query (match, where). For each relevant thing \
                    read thing_get, thing_about with depth 2, and thing_refs. If it matters who said it and \
                    when, look at thing_history. Answer with what is known, give the wref for each \
                    statement, and point out contradictions and gaps.
                    """
                        .formatted(call.required("repository"), call.required("subject")))));
  }

  private static ObjectNode userMessage(String text) {
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
