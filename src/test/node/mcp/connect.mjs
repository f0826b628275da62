// Knows the address of a Cairn, and a person who has an account there. All the rest it has to find
// out as the specification says: ask, be turned away, discover, register, authorize, call, refresh.
//
//   node connect.mjs http://localhost:8080 admin@localhost PASSWORD
import assert from 'node:assert/strict';
import { Person } from './person.mjs';
import { call, sdks, tools, visit } from './sdks.mjs';

const [base, email, password] = process.argv.slice(2);
const server = new URL('/mcp', base);

/** What an SDK asks of who embeds it; everything is kept in memory. */
class Embedder {
  redirectUrl = 'http://127.0.0.1:53682/callback';
  clientMetadata = {
    client_name: 'MCP client of the tests',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  person = new Person(email, password);

  state = () => 'the state';
  clientInformation = () => this.client;
  saveClientInformation = (client) => void (this.client = client);
  tokens = () => this.granted;
  saveTokens = (tokens) => void (this.granted = tokens);
  saveCodeVerifier = (verifier) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (found) => void (this.found = found);
  discoveryState = () => this.found;
  redirectToAuthorization = async (url) => void (this.callback = await this.person.agree(url));
}

for (const sdk of sdks) {
  const embedder = new Embedder();
  await visit(sdk, server, { authProvider: embedder }, async (client, transport) => {
    assert.ok((await tools(client)).length > 0, 'the list needs nobody');
    assert.equal(embedder.callback, undefined, 'nobody was asked so far');

    await assert.rejects(call(client, 'org_list'), sdk.Unauthorized);
    const answer = embedder.callback.searchParams;
    assert.equal(answer.get('state'), 'the state');
    assert.equal(answer.get('iss'), new URL(base).origin);
    await sdk.finish(transport, answer);

    assert.ok(Array.isArray((await call(client, 'org_list')).items));
    assert.equal((await call(client, 'whoami')).account.email, email);

    const first = embedder.granted;
    assert.equal(await sdk.auth(embedder, { serverUrl: server }), 'AUTHORIZED');
    assert.notEqual(embedder.granted.refresh_token, first.refresh_token, 'refresh tokens rotate');
    assert.equal((await call(client, 'whoami')).account.email, email);
  });
  console.log(`${sdk.name}: turned away, discovered, registered, authorized, called, refreshed`);
}
