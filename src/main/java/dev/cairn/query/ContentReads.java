package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.content.read.EntitiesByName;
import dev.cairn.content.read.EntityCounts;
import dev.cairn.content.read.ShapeList;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/**
 * Reads the texts that a repository serves as raw content; see {@code docs/reads.md}, Raw content.
 */
@ApplicationScoped
public class ContentReads {
  /** Maximum shapes that are listed in {@code llms.txt}; describe lists all of them. */
  private static final int MAX_SHAPES = 200;

  /** Maximum characters of a shape's description there; describe has the whole text. */
  private static final int MAX_DESCRIPTION = 500;

  private final Database database;
  private final RepositoryHeads heads;
  private final EntityCounts counts;
  private final EntitiesByName entities;
  private final ShapeList shapes;
  private final ReadBounds bounds;

  ContentReads(
      Database database,
      RepositoryHeads heads,
      EntityCounts counts,
      EntitiesByName entities,
      ShapeList shapes,
      ReadBounds bounds) {
    this.database = database;
    this.heads = heads;
    this.counts = counts;
    this.entities = entities;
    this.shapes = shapes;
    this.bounds = bounds;
  }

  /**
   * The text of a thing of the shape {@code Content}; empty if there is none or if it is inactive.
   *
   * @param name such as {@code Readme}
   */
  public String text(RepositoryAccess access, String name) {
    return bounds.within(access, () -> entities.content(access.repoId(), name).orElse(""));
  }

  /**
   * The repository for language models, in the form of llmstxt.org.
   *
   * @param description the repository's description
   * @param base the service's URL, without a slash at its end
   */
  public String llms(RepositoryAccess access, Optional<String> description, String base) {
    return bounds.within(access, () -> database.snapshot(() -> llmsNow(access, description, base)));
  }

  private static String asOf(long seq) {
    return seq == 0 ? ": nothing has been committed yet" : ", as of commit " + seq;
  }

  private String llmsNow(RepositoryAccess access, Optional<String> description, String base) {
    long seq = heads.newest(access.repoId());
    // One character more shows that a description must be cut.
    var listed = shapes.described(access.repoId(), MAX_DESCRIPTION + 1, MAX_SHAPES + 1);
    var counted = counts.at(access, seq, listed.stream().map(ShapeList.Described::name).toList());
    var name = access.fullName();
    var api = base + "/api/repos/" + name;
    var out = new StringBuilder("# ").append(name).append("\n\n");
    description.ifPresent(text -> out.append("> ").append(line(text)).append("\n\n"));
    out.append(
        """
        A Cairn repository: versioned things, each with a shape, and assertions about them. It has %d entities%s.

        ## Start here

        - [Describe](%s/describe): shapes with their fields, counts, samples, and example operations, as JSON
        - [Readme](%s/%s/readme.md): an introduction by the repository's maintainers
        - [Agents](%s/%s/agents.md): their instructions for agents
        - MCP at `%s/mcp/%s`: the same operations as tools of the Model Context Protocol

        ## Shapes

        """
            .formatted(counted.total(), asOf(seq), api, base, name, base, name, base, name));
    if (listed.isEmpty()) {
      out.append("None yet: a commit can add them.\n");
    }
    listed.stream()
        .limit(MAX_SHAPES)
        .forEach(shape -> out.append(entry(shape, counted.of(shape.name()), api)));
    if (listed.size() > MAX_SHAPES) {
      out.append("- [More](%s/shapes): all shapes, paged\n".formatted(api));
    }
    return out.append(
            """

            ## Reads

            - [Current state](%s/head): filtered by shape, kind, match, about
            - [Count](%s/count): how many entities the same filters select
            - [Commits](%s/commits): who changed what, newest first
            """
                .formatted(api, api, api))
        .toString();
  }

  private static String entry(ShapeList.Described shape, long count, String api) {
    var about = shape.description() == null ? "" : ". " + line(shortened(shape.description()));
    return "- [%s](%s/head?shape=%s): %d%s\n"
        .formatted(shape.name(), api, shape.name(), count, about);
  }

  private static String shortened(String description) {
    return description.codePointCount(0, description.length()) <= MAX_DESCRIPTION
        ? description
        : description.substring(0, description.offsetByCodePoints(0, MAX_DESCRIPTION)) + "…";
  }

  /** A user's text on one line, so that it cannot add headings or lists to the document. */
  private static String line(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
