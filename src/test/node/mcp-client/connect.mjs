// Knows the URL of an MCP server, and a person who has an account there. All the rest it has to find
// out as the specification says: discover, register, authorize, refresh, call.
//
//   node connect.mjs http://localhost:8080 admin@localhost PASSWORD [--authorize-only]
//
// With --authorize-only it ends before the first MCP message.
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import assert from 'node:assert/strict';
import { Person } from './person.mjs';

const [base, email, password, flag] = process.argv.slice(2);
const server = new URL('/mcp', base);
const person = new Person(email, password);

/** What the SDK asks of who embeds it; everything is kept in memory. */
class Embedder {
  redirectUrl = 'http://127.0.0.1:53682/callback';
  clientMetadata = {
    client_name: 'MCP client of the tests',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };

  state = () => 'the state';
  clientInformation = () => this.client;
  saveClientInformation = (client) => void (this.client = client);
  tokens = () => this.granted;
  saveTokens = (tokens) => void (this.granted = tokens);
  saveCodeVerifier = (verifier) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  redirectToAuthorization = async (url) => void (this.callback = await person.agree(url));
}

const embedder = new Embedder();
assert.equal(await auth(embedder, { serverUrl: server }), 'REDIRECT');
const answer = embedder.callback.searchParams;
assert.equal(answer.get('state'), 'the state');
assert.equal(answer.get('iss'), new URL(base).origin);
assert.equal(
  await auth(embedder, { serverUrl: server, authorizationCode: answer.get('code') }),
  'AUTHORIZED');

const first = embedder.granted;
assert.equal(await auth(embedder, { serverUrl: server }), 'AUTHORIZED');
assert.notEqual(embedder.granted.refresh_token, first.refresh_token, 'refresh tokens rotate');

const whoami = await fetch(new URL('/api/whoami', base), {
  headers: { Authorization: `Bearer ${embedder.granted.access_token}` },
});
assert.equal((await whoami.json()).account.email, email);
console.log('discovered, registered, authorized, refreshed');

if (flag !== '--authorize-only') {
  const client = new Client({ name: 'cairn-test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(server, { authProvider: embedder }));
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === 'whoami'), 'there is a tool `whoami`');
  const called = await client.callTool({ name: 'whoami', arguments: {} });
  assert.equal(called.structuredContent.account.email, email);
  await client.close();
  console.log(`connected, listed ${tools.length} tools, called whoami`);
}
