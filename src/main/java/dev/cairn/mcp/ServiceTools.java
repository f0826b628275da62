package dev.cairn.mcp;

import dev.cairn.access.CurrentCaller;
import dev.cairn.tenant.Whoami;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tools about the service itself. */
@ApplicationScoped
class ServiceTools implements ToolSource {
  static final String CATEGORY = "The service";

  private final CurrentCaller caller;
  private final Whoami whoami;
  private final Instance<Catalogue> catalogue;

  /**
   * The capabilities of the service.
   *
   * @param tools the names and titles of the tools by category
   */
  @RegisterForReflection
  record Capabilities(
      String service,
      Map<String, List<ToolTitle>> tools,
      String wrefs,
      String operations,
      List<Guide.Recipe> cookbook) {}

  /** A tool in the catalogue. */
  @RegisterForReflection
  record ToolTitle(String name, String title) {}

  ServiceTools(CurrentCaller caller, Whoami whoami, Instance<Catalogue> catalogue) {
    this.caller = caller;
    this.whoami = whoami;
    this.catalogue = catalogue;
  }

  @Override
  public int order() {
    return 1;
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.named("capabilities", "What Cairn can do")
            .open()
            .describedAs(
                """
                Call this first, once: the tools by category, how entities are named (wrefs), what
                operations a commit accepts, and a short cookbook. Next: whoami, or repo_describe if
                you know the repository.
                """)
            .returns(
                Schema.object(
                    "service:string",
                    "tools:object",
                    "wrefs:string",
                    "operations:string",
                    "cookbook:object[]"))
            .handledBy(CATEGORY, this::capabilities),
        Tool.ofRoute("whoami", "Show your account")
            .describedAs(
                """
                Your account and token, and the first 200 organizations that they can access, with your
                role. For more, call org_list with the `cursor` at the end of orgsNext. Next: repo_list
                {org}.
                """)
            .handledBy(CATEGORY, _ -> whoami.of(caller.get())));
  }

  private Capabilities capabilities(ToolCall call) {
    var tools = new LinkedHashMap<String, List<ToolTitle>>();
    for (var tool : catalogue.get().tools(call.request().selection())) {
      tools
          .computeIfAbsent(tool.category(), _ -> new ArrayList<>())
          .add(new ToolTitle(tool.name(), tool.title()));
    }
    return new Capabilities(
        Guide.INSTRUCTIONS, tools, Guide.WREFS, Guide.OPERATIONS, Guide.COOKBOOK);
  }
}
