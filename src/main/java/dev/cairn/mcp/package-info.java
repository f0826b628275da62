/**
 * The door for agents: tools, resources and prompts over the Model Context Protocol; see {@code
 * docs/mcp.md}.
 *
 * <p>Start with {@link dev.cairn.mcp.Tool}, which says what a tool is, and a class that makes some,
 * such as {@link dev.cairn.mcp.ThingTools}. All of them stand in the {@link
 * dev.cairn.mcp.Catalogue}, and {@link dev.cairn.mcp.ToolRunner} runs them. Requests come in by
 * {@link dev.cairn.mcp.McpEndpoint}, and from there to one of two protocols: {@link
 * dev.cairn.mcp.Handshake} hands the revisions up to 2025-11-25 to the Quarkus extension, {@link
 * dev.cairn.mcp.Stateless} speaks 2026-07-28. A tool translates and nothing else; it may call every
 * service, and nothing calls this package.
 */
package dev.cairn.mcp;
