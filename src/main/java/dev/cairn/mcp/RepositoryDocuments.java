package dev.cairn.mcp;

import dev.cairn.platform.http.BaseUrl;
import dev.cairn.query.ContentReads;
import dev.cairn.query.DescribeReads;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Optional;

/** Reads the raw content of a repository, for tools and resources. */
@ApplicationScoped
class RepositoryDocuments {
  private final ReadAccess readAccess;
  private final DescribeReads describe;
  private final ContentReads contents;
  private final BaseUrl baseUrl;
  private final CurrentVertxRequest request;

  /** A document of raw content. */
  enum Document {
    README("readme.md", "Introduction", "text/markdown", "Content/Readme"),
    AGENTS("agents.md", "Instructions for agents", "text/markdown", "Content/Agents"),
    LLMS("llms.txt", "A summary for language models", "text/plain", null);

    private final String fileName;
    private final String title;
    private final String mimeType;
    private final String thing;

    Document(String fileName, String title, String mimeType, String thing) {
      this.fileName = fileName;
      this.title = title;
      this.mimeType = mimeType;
      this.thing = thing;
    }

    String fileName() {
      return fileName;
    }

    String title() {
      return title;
    }

    String mimeType() {
      return mimeType;
    }

    /** The wref of the thing that contains it; empty for a generated document. */
    Optional<String> thing() {
      return Optional.ofNullable(thing);
    }

    static Optional<Document> named(String fileName) {
      return Arrays.stream(values()).filter(d -> d.fileName.equals(fileName)).findFirst();
    }
  }

  RepositoryDocuments(
      ReadAccess readAccess,
      DescribeReads describe,
      ContentReads contents,
      BaseUrl baseUrl,
      CurrentVertxRequest request) {
    this.readAccess = readAccess;
    this.describe = describe;
    this.contents = contents;
    this.baseUrl = baseUrl;
    this.request = request;
  }

  /** The text of a document, empty if nobody has written it; requires unrestricted read access. */
  String text(Document document, String org, String repo) {
    var access = readAccess.of(org, repo).requireUnrestricted();
    return document
        .thing()
        .map(wref -> contents.text(access, wref.substring(wref.indexOf('/') + 1)))
        .orElseGet(
            () ->
                contents.llms(
                    access,
                    describe.description(access),
                    baseUrl.of(request.getCurrent().request())));
  }
}
