/**
 * The Model Context Protocol: tools, resources and prompts for agents; see {@code docs/mcp.md}.
 *
 * <p>Start with {@link dev.cairn.mcp.Tool}, which defines what a tool is, and a class that provides
 * tools, such as {@link dev.cairn.mcp.ThingTools}. All of them are in the {@link
 * dev.cairn.mcp.Catalogue}, and {@link dev.cairn.mcp.ToolRunner} runs them. A request is handled as
 * follows:
 *
 * <pre>
 * McpEndpoint     HTTP: origin, size, memory; AnonymousAccess: 401 if a sign-in is required
 *   Revision      HandshakeRevisions or StatelessRevision: the rules that differ between revisions
 *     McpMethods  the methods that all revisions share
 *     ResourceSubscriptions  those that are answered by a stream of live updates
 *   ResponseWriter
 * </pre>
 *
 * <p>A tool only translates; it may call every service, and nothing calls this package.
 */
package dev.cairn.mcp;
