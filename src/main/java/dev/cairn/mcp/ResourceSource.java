package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

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
}
