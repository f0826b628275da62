// Knows the address of a Cairn and has a personal access token there.
//
//   node token.mjs http://localhost:8080 TOKEN whose@example.org
import assert from 'node:assert/strict';
import { call, sdks, tools, visit } from './sdks.mjs';

const [base, token, email] = process.argv.slice(2);
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };

for (const sdk of sdks) {
  await visit(sdk, `${base}/mcp`, options, async (client) => {
    assert.ok((await tools(client)).some((tool) => tool.name === 'whoami'));
    assert.equal((await call(client, 'whoami')).account.email, email);
    assert.ok(Array.isArray((await call(client, 'org_list')).items));
  });
  console.log(`${sdk.name}: listed and called with a token`);
}
