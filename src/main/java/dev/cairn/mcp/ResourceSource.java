package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.live.ChangeStreams;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Provides resources; the catalogue contains those of every bean of this type. */
interface ResourceSource {
  /**
   * A resource, or a template of resources.
   *
   * @param uri the URI of the resource, or the URI template (RFC 6570)
   */
  record Resource(String uri, String name, String title, String description, String mimeType) {}

  /**
   * The resources that are listed.
   *
   * @param repository {@code org/repo} if the path names one
   */
  List<Resource> resources(Optional<String> repository);

  /** The resource templates. */
  List<Resource> templates();

  /**
   * The content of a URI: {@code uri}, {@code mimeType} and {@code text} or {@code blob}; empty if
   * this source does not have it.
   */
  Optional<ObjectNode> read(String uri);

  /**
   * Which changes of a repository may change the content of a URI; empty if this source does not
   * have it, or if nobody can subscribe to it.
   *
   * @param access grants the caller {@code repo:read} for an organization and a repository by name
   * @throws Problem as {@link #read}, if the caller may not read it
   */
  Optional<ChangeStreams.Source> changes(
      String uri, BiFunction<String, String, RepositoryAccess> access);
}
