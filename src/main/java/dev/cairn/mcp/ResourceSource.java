package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** Makes resources; those of every bean of this type are offered. */
interface ResourceSource {
  /**
   * A resource, or a template of resources.
   *
   * @param uri of the resource, or its template (RFC 6570)
   */
  record Resource(String uri, String name, String title, String description, String mimeType) {}

  /**
   * The resources that are listed.
   *
   * @param repository {@code org/repo} if the path names one
   */
  List<Resource> resources(Optional<String> repository);

  /** The templates. */
  List<Resource> templates();

  /**
   * What a URI holds: {@code uri}, {@code mimeType} and {@code text} or {@code blob}; empty for
   * another source's URI.
   */
  Optional<ObjectNode> read(String uri);
}
