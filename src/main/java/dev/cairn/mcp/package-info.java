/**
 * The Model Context Protocol: tools, resources and prompts for agents; see {@code docs/mcp.md}.
 *
 * <p>Start with {@link dev.cairn.mcp.Tool}, which says what a tool is, and a class that makes some,
 * such as {@link dev.cairn.mcp.ThingTools}. All of them are in the {@link dev.cairn.mcp.Catalogue},
 * and {@link dev.cairn.mcp.ToolRunner} runs them. A request goes this way:
 *
 * <pre>
 * McpEndpoint     HTTP: origin, size, memory; AnonymousAccess: 401 if a sign-in is needed
 *   Revision      HandshakeRevisions or StatelessRevision: the rules in which revisions differ
 *     McpMethods  the methods that they share, on the Catalogue
 *   ResponseWriter
 * </pre>
 *
 * <p>A tool translates and nothing else; it may call every service, and nothing calls this package.
 */
package dev.cairn.mcp;
