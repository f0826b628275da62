// Subscribes to a resource with the SDK of 2026-07-28, changes it, and is told.
//
//   node subscribe.mjs http://localhost:8080 TOKEN org/repo
import assert from 'node:assert/strict';
import { call, sdks, visit } from './sdks.mjs';

const [base, token, path] = process.argv.slice(2);
const [org, repo] = path.split('/');
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
const uri = `cairn://${path}/readme.md`;

await visit(sdks[1], `${base}/mcp`, options, async (client) => {
  assert.equal(client.getServerCapabilities().resources.subscribe, true);
  const told = new Promise((resolve) =>
    client.setNotificationHandler('notifications/resources/updated', resolve));
  const subscription = await client.listen({ resourceSubscriptions: [uri], toolsListChanged: true });
  assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: [uri] });
  await call(client, 'repo_content_set', { org, repo, document: 'readme.md', content: '# New' });
  assert.equal((await told).params.uri, uri);
  assert.equal((await client.readResource({ uri })).contents[0].text, '# New');
  await subscription.close();
  assert.equal(await subscription.closed, 'local');
  const nothing = await client.listen({ toolsListChanged: true });
  assert.deepEqual(nothing.honoredFilter, {});
  assert.equal(await nothing.closed, 'graceful');
});
console.log('subscribed, and told of a change');
