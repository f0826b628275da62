// Knows the address of a Cairn, and that of a public repository there, and has no credentials.
//
//   node anonymous.mjs http://localhost:8080 org/repo
import assert from 'node:assert/strict';
import { call, sdks, tools, visit } from './sdks.mjs';

const [base, path] = process.argv.slice(2);
const [org, repo] = path.split('/');
const readOnlyByHeader = { requestInit: { headers: { 'X-MCP-Readonly': 'true' } } };

for (const sdk of sdks) {
  await visit(sdk, `${base}/mcp`, {}, async (client) => {
    const names = (await tools(client)).map((tool) => tool.name);
    assert.ok(names.includes('repo_get') && names.includes('commit_submit'), names.join());
    assert.equal((await call(client, 'repo_get', { org, repo })).name, repo);
    assert.ok((await call(client, 'thing_head', { org, repo })).items.length > 0);
    await assert.rejects(call(client, 'org_list'), /401|[Uu]nauthorized/);
  });
  await visit(sdk, `${base}/mcp/${path}`, {}, async (client) => {
    const head = (await tools(client)).find((tool) => tool.name === 'thing_head');
    assert.ok(!('org' in head.inputSchema.properties), 'the path says which repository');
    assert.ok((await call(client, 'thing_head')).items.length > 0);
  });
  await visit(sdk, `${base}/mcp?toolsets=read,commit&readonly=true`, {}, async (client) => {
    const selected = await tools(client);
    assert.ok(selected.some((tool) => tool.name === 'thing_head'));
    assert.ok(selected.every((tool) => tool.annotations.readOnlyHint), 'nothing can be changed');
    await assert.rejects(call(client, 'commit_submit', { org, repo, operations: [] }), /no tool/);
  });
  await visit(sdk, `${base}/mcp`, readOnlyByHeader, async (client) => {
    assert.ok((await tools(client)).every((tool) => tool.annotations.readOnlyHint));
  });
  console.log(`${sdk.name}: listed and called without credentials`);
}
