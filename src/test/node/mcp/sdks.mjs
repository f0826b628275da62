// The two generations of the official TypeScript SDK, each of which speaks a protocol that the other
// does not: one begins with a handshake, the other says all with every request.
import * as handshakeAuth from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as HandshakeClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HandshakeTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as stateless from '@modelcontextprotocol/client';

const ME = { name: 'cairn-test', version: '1.0.0' };

export const sdks = [
  {
    name: 'the handshake of 2025-11-25',
    auth: handshakeAuth.auth,
    Unauthorized: handshakeAuth.UnauthorizedError,
    transport: (url, options) => new HandshakeTransport(url, options),
    client: () => new HandshakeClient(ME),
    finish: (transport, answer) => transport.finishAuth(answer.get('code')),
  },
  {
    name: '2026-07-28',
    auth: stateless.auth,
    Unauthorized: stateless.UnauthorizedError,
    transport: (url, options) => new stateless.StreamableHTTPClientTransport(url, options),
    client: () => new stateless.Client(ME, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    finish: (transport, answer) => transport.finishAuth(answer),
  },
];

/** Connects, does what is to be done, and leaves. */
export async function visit(sdk, url, options, work) {
  const client = sdk.client();
  const transport = sdk.transport(new URL(url), options);
  await client.connect(transport);
  try {
    await work(client, transport);
  } finally {
    await client.close();
  }
}

/** All pages of the list. */
export async function tools(client) {
  const all = [];
  let cursor;
  do {
    const page = await client.listTools(cursor ? { cursor } : {});
    all.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return all;
}

/** A tool's structured result; the SDK holds it against the tool's output schema. */
export async function call(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) {
    throw new Error(`${name}: ${JSON.stringify(result.structuredContent ?? result.content)}`);
  }
  return result.structuredContent;
}
