package dev.cairn.query;

import dev.cairn.access.ReadBounds;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.BuiltinShape;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** The texts that a repository serves as they are: {@code docs/reads.md}, Raw content. */
@ApplicationScoped
public class ContentReads {
  /** So many shapes are listed in {@code llms.txt}; describe has all of them. */
  private static final int MAX_SHAPES = 200;

  /** Characters of each shape's description there; describe has all of it. */
  private static final int MAX_SENTENCE = 500;

  private final Database database;
  private final RepositoryHeads heads;
  private final EntityCounts counts;
  private final ReadBounds bounds;

  /**
   * A shape of the list.
   *
   * @param description the beginning of what the shape says of itself, one character longer than is
   *     shown if it is cut; null if it says nothing
   */
  private record Shape(String name, String description) {}

  ContentReads(Database database, RepositoryHeads heads, EntityCounts counts, ReadBounds bounds) {
    this.database = database;
    this.heads = heads;
    this.counts = counts;
    this.bounds = bounds;
  }

  /**
   * The text of a thing of the shape {@code Content}; empty where there is none, or an inactive
   * one.
   *
   * @param name such as {@code Readme}
   */
  public String text(RepositoryAccess access, String name) {
    return bounds.within(
        access,
        () ->
            database
                .first(
                    """
                    select e.data::json ->> 'content' from entity e
                    where e.repo_id = ? and e.shape_name = ? and e.name = ? and e.active
                    """,
                    row -> row.getString(1),
                    access.repoId(),
                    BuiltinShape.CONTENT.shapeName(),
                    name)
                .orElse(""));
  }

  /**
   * The repository for language models, in the form of llmstxt.org; empty before the first commit.
   *
   * @param description of the repository
   * @param base the service's URL, without a slash at its end
   */
  public String llms(RepositoryAccess access, Optional<String> description, String base) {
    return bounds.within(access, () -> database.snapshot(() -> llmsNow(access, description, base)));
  }

  private String llmsNow(RepositoryAccess access, Optional<String> description, String base) {
    long seq = heads.newest(access.repoId());
    if (seq == 0) {
      return "";
    }
    var shapes = shapes(access);
    var counted = counts.at(access, seq, shapes.stream().map(Shape::name).toList());
    var name = access.org() + "/" + access.repo();
    var api = base + "/api/repos/" + name;
    var out = new StringBuilder("# ").append(name).append("\n\n");
    description.ifPresent(text -> out.append("> ").append(line(text)).append("\n\n"));
    out.append(
        """
        A Cairn repository: versioned things, each with a shape, and assertions about them. It holds %d entities, as of commit %d.

        ## Start here

        - [Describe](%s/describe): shapes with their fields, counts, samples, and operations to add to each, as JSON
        - [Readme](%s/%s/readme.md): what the repository's people say about it
        - [Agents](%s/%s/agents.md): what they say to agents
        - MCP at `%s/mcp/%s`: the same as tools of the Model Context Protocol

        ## Shapes

        """
            .formatted(counted.total(), seq, api, base, name, base, name, base, name));
    shapes.stream()
        .limit(MAX_SHAPES)
        .forEach(shape -> out.append(entry(shape, counted.of(shape.name()), api)));
    if (shapes.size() > MAX_SHAPES) {
      out.append("- [More](%s/shapes): all shapes, paged\n".formatted(api));
    }
    return out.append(
            """

            ## Reads

            - [Present state](%s/head): filtered by shape, kind, match, about
            - [Count](%s/count): how many entities the same filters select
            - [Commits](%s/commits): who changed what, newest first
            """
                .formatted(api, api, api))
        .toString();
  }

  private List<Shape> shapes(RepositoryAccess access) {
    return database.list(
        """
        select e.name, left(replace(e.data, U&'\\0001', '')::json ->> 'description', ?)
        from entity e
        where e.repo_id = ? and e.shape_name = 'Shape' and e.id >= ? and e.active
        order by e.name limit ?
        """,
        row -> new Shape(row.getString(1), row.getString(2)),
        MAX_SENTENCE + 1,
        access.repoId(),
        BuiltinShape.FIRST_FREE_ID,
        MAX_SHAPES + 1);
  }

  private static String entry(Shape shape, long count, String api) {
    var about = shape.description() == null ? "" : ". " + line(sentence(shape.description()));
    return "- [%s](%s/head?shape=%s): %d%s\n"
        .formatted(shape.name(), api, shape.name(), count, about);
  }

  private static String sentence(String description) {
    return description.codePointCount(0, description.length()) <= MAX_SENTENCE
        ? description
        : description.substring(0, description.offsetByCodePoints(0, MAX_SENTENCE)) + "…";
  }

  /** A text that somebody wrote, on one line, so that it makes no heading or list of its own. */
  private static String line(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
