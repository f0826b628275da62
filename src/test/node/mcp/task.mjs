// An agent's task, done twice by the same steps: as the tools allowed it before they had summaries,
// `missing`, `fields`, `patch` and differences, and with these. Counts what its model writes and
// reads, prints a table, and fails unless both ways find and leave the same, the second one with at
// most half of the bytes.
//
//   node task.mjs http://localhost:8080 TOKEN org
import assert from 'node:assert/strict';
import { sdks, tools, visit } from './sdks.mjs';

const [base, token, org] = process.argv.slice(2);
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
const sdk = sdks.at(-1);

/** The most items of a page. */
const MOST = 500;

/** What is known of the components: the releases, and what the sources say about most of them. */
const RELEASES = {
  postgresql: ['16.10', '16.11', '17.6', '17.7', '18.0', '18.1'],
  quarkus: ['3.15.1', '3.20.0', '3.24.1', '3.26.4', '3.27.0', '3.28.3'],
  temurin: ['17.0.17', '21.0.8', '21.0.9', '24.0.2', '25.0.0', '25.0.1'],
};
const WITHOUT_CLAIM = ['Release/postgresql/18.1', 'Release/quarkus/3.28.3', 'Release/temurin/24.0.2'];
const CORRECTED = 'Claim/temurin/25.0.1/security';

/** What others change, as differences show it. */
const CHANGES = [
  { wref: 'Claim/postgresql/16.10/upgrade', change: 'revised', fromVersion: 1, toVersion: 2 },
  { wref: 'Claim/postgresql/16.11/upgrade', change: 'revised', fromVersion: 1, toVersion: 2 },
  { wref: 'Claim/quarkus/3.15.1/security', change: 'retracted', fromVersion: 1, toVersion: 2 },
  { wref: 'Claim/temurin/25.0.2/security', change: 'added', toVersion: 1 },
  { wref: 'Claim/temurin/25.0.2/upgrade', change: 'added', toVersion: 1 },
  { wref: 'Release/temurin/25.0.2', change: 'added', toVersion: 1 },
];

const add = (name, data, about) => ({ operation: 'add', name, ...(about && { about }), data });

const shape = (name, description, fields) => add(`Shape/${name}`, { description, fields });

const shapes = () => [
  shape('Component', 'A program that we build on.', { name: 'string', homepage: 'string' }),
  shape('Release', 'A version that was published.', {
    component: { type: 'wref', shape: 'Component' },
    version: 'string',
    notes: 'string',
  }),
  shape('Claim', 'What a source says about a release.', {
    statement: 'string',
    source: 'string',
    quote: 'string',
    status: { type: 'string', enum: ['reported', 'confirmed', 'disputed'] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  }),
];

const release = (component, version) =>
  add(`Release/${component}/${version}`, {
    component: `Component/${component}`,
    version,
    notes: `https://${component}.example.org/releases/${version}/notes.html`,
  });

const claim = (component, version, topic, statement, source, quote, confidence) =>
  add(
    `Claim/${component}/${version}/${topic}`,
    { statement, source, quote, status: 'reported', confidence },
    `Release/${component}/${version}`,
  );

const claims = (component, version) => [
  claim(
    component,
    version,
    'upgrade',
    `${component} ${version} can replace the release before it without a change of configuration or data.`,
    `https://${component}.example.org/releases/${version}/notes.html#upgrade`,
    `Users of the previous release do not need to take further steps after they have installed ${version}.`,
    0.8,
  ),
  claim(
    component,
    version,
    'security',
    `${component} ${version} corrects at least one vulnerability of the releases before it.`,
    `https://advisories.example.com/${component}?fixed-in=${version}`,
    `Versions before ${version} are affected. There is no workaround; we recommend that everybody upgrades.`,
    0.6,
  ),
];

const each = (work) =>
  Object.entries(RELEASES).flatMap(([component, versions]) =>
    versions.flatMap((version) => work(component, version)));

const hasClaim = (component, version) => !WITHOUT_CLAIM.includes(`Release/${component}/${version}`);

const byWref = (a, b) => (a.wref < b.wref ? -1 : 1);

const bytes = (text) => Buffer.byteLength(text);

/** A connection, and what a model wrote and read over it so far. */
class Agent {
  calls = 0;
  sent = 0;
  received = 0;

  constructor(client) {
    this.client = client;
  }

  /**
   * Calls a tool as the model does, and counts it: what the model writes is the tool's name and its
   * arguments, and what it reads is the text of the result.
   *
   * @param uncounted arguments for what was the default before
   */
  async call(name, args, uncounted = {}) {
    const result = await this.uncounted(name, { ...args, ...uncounted });
    this.calls += 1;
    this.sent += bytes(JSON.stringify({ name, arguments: args }));
    this.received += bytes(result.content.map((content) => content.text).join(''));
    return result.structuredContent;
  }

  async uncounted(name, args) {
    const result = await this.client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result.content));
    const isWhole = args.limit !== MOST || !result.structuredContent.nextCursor;
    assert.ok(isWhole, `${name} has more than one page`);
    return result;
  }
}

/** Only what the tools took and gave before: whole data, all results, no differences. */
const before = {
  commit: (agent, args) => agent.call('commit_submit', args, { return: 'full' }),

  async unclaimed(agent) {
    const releases = await agent.call('thing_query', { shape: 'Release', limit: MOST });
    const claimed = await agent.call('thing_query', { shape: 'Claim', limit: MOST });
    const targets = new Set(claimed.items.map((claim) => claim.aboutWref.replace(/@v\d+$/, '')));
    return releases.items.map((item) => item.wref).filter((wref) => !targets.has(wref));
  },

  /** As the cookbook says: read it, keep its version, send the whole data. */
  async correct(agent) {
    const { data, version } = await agent.call('thing_get', { wref: CORRECTED });
    return this.commit(agent, {
      operations: [
        {
          operation: 'revise',
          name: CORRECTED,
          expectedVersion: version,
          data: { ...data, confidence: 0.95 },
        },
      ],
    });
  },

  async changes(agent, since) {
    const log = await agent.call('commit_log', { limit: 10 });
    const changed = new Map();
    for (const commit of log.items.filter((item) => item.repoSeq > since).reverse()) {
      const { operations } = await agent.call('commit_get', { commitId: commit.commitId, limit: MOST });
      for (const { wref, version, active } of operations) {
        const first = changed.get(wref)?.first ?? version;
        changed.set(wref, { first, version, active });
      }
    }
    return [...changed].map(([wref, { first, version, active }]) =>
      first === 1
        ? { wref, change: 'added', toVersion: version }
        : {
            wref,
            change: active ? 'revised' : 'retracted',
            fromVersion: first - 1,
            toVersion: version,
          });
  },

  async takeBack(agent, match) {
    const { items: [wrong] } = await agent.call('commit_log', { limit: 1 });
    const query = { shape: 'Claim', match, at: `${wrong.repoSeq - 1}`, limit: MOST };
    const { items } = await agent.call('thing_query', query);
    return this.commit(agent, {
      operations: items.map(({ wref, data }) => ({ operation: 'revise', name: wref, data })),
    });
  },
};

/** With summaries, `missing`, `fields`, `patch` and differences. */
const after = {
  commit: (agent, args) => agent.call('commit_submit', args),

  async unclaimed(agent) {
    const query = { shape: 'Release', missing: 'about:Claim', fields: 'version', limit: MOST };
    return (await agent.call('thing_query', query)).items.map((item) => item.wref);
  },

  correct(agent) {
    return this.commit(agent, {
      operations: [{ operation: 'revise', name: CORRECTED, patch: { confidence: 0.95 } }],
    });
  },

  async changes(agent, since) {
    return (await agent.call('commit_diff', { from: `${since}`, limit: MOST })).items;
  },

  async takeBack(agent, match) {
    const { items: [wrong] } = await agent.call('commit_log', { limit: 1 });
    const query = { shape: 'Claim', match, at: `${wrong.repoSeq - 1}`, fields: 'status', limit: MOST };
    const { items } = await agent.call('thing_query', query);
    return this.commit(agent, {
      operations: items.map(({ wref, data }) => ({ operation: 'revise', name: wref, patch: data })),
    });
  },
};

/** The steps of the task. What others do meanwhile is not the agent's, and is not counted. */
const STEPS = {
  async 'Write the releases of three components, and claims about them'(way, agent) {
    await way.commit(agent, { message: 'What we know of components', operations: shapes() });
    const components = Object.keys(RELEASES).map((name) =>
      add(`Component/${name}`, { name, homepage: `https://${name}.example.org/` }));
    await way.commit(agent, {
      message: 'The releases, from the sites of the components',
      operations: [...components, ...each(release)],
    });
    await way.commit(agent, {
      message: 'The claims of the notes and of the advisories',
      operations: each((...of) => (hasClaim(...of) ? claims(...of) : [])),
    });
  },

  async 'Which releases have no claim yet?'(way, agent) {
    const found = await way.unclaimed(agent);
    assert.deepEqual(found, WITHOUT_CLAIM);
  },

  async 'Correct one field of one claim'(way, agent) {
    agent.known = (await way.correct(agent)).repoSeq;
  },

  async 'What changed since then?'(way, agent) {
    await others(agent, [release('temurin', '25.0.2'), ...claims('temurin', '25.0.2')]);
    await others(
      agent,
      ['16.10', '16.11'].map((version) => revise(`Claim/postgresql/${version}/upgrade`, 'confirmed')),
    );
    await others(agent, [{ operation: 'retract', name: 'Claim/quarkus/3.15.1/security' }]);
    const found = await way.changes(agent, agent.known);
    assert.deepEqual(found.sort(byWref), CHANGES);
  },

  async 'Take a wrong change back'(way, agent) {
    const names = RELEASES.temurin
      .filter((version) => hasClaim('temurin', version))
      .flatMap((version) => claims('temurin', version).map(({ name }) => name));
    await others(agent, names.map((name) => revise(name, 'disputed')));
    await way.takeBack(agent, 'Claim/temurin/**');
  },
};

const revise = (name, status) => ({ operation: 'revise', name, patch: { status } });

const others = (agent, operations) => agent.uncounted('commit_submit', { operations });

/** Does the task in a new repository; answers the counts of each step, and what was left. */
async function done(way, repo) {
  let outcome;
  await visit(sdk, `${base}/mcp`, options, (client) =>
    new Agent(client).uncounted('repo_create', { org, name: repo }));
  await visit(sdk, `${base}/mcp/${org}/${repo}`, options, async (client) => {
    const counts = [];
    const agent = new Agent(client);
    for (const step of Object.values(STEPS)) {
      Object.assign(agent, { calls: 0, sent: 0, received: 0 });
      await step(way, agent);
      counts.push({ calls: agent.calls, sent: agent.sent, received: agent.received });
    }
    const left = await agent.uncounted('thing_head', { includeInactive: true, limit: MOST });
    outcome = { counts, left: left.structuredContent.items };
  });
  return outcome;
}

/** How many bytes the list of tools has, of which a model reads all before it begins. */
async function listed(query) {
  let size;
  await visit(sdk, `${base}/mcp/${org}/old${query}`, options, async (client) => {
    size = bytes(JSON.stringify(await tools(client)));
  });
  return size;
}

const sum = (counts) =>
  counts.reduce((a, b) => ({
    calls: a.calls + b.calls,
    sent: a.sent + b.sent,
    received: a.received + b.received,
  }));

const total = ({ sent, received }) => sent + received;

const cells = (count) => [count.calls, count.sent, count.received].map((n) => n.toLocaleString('en'));

const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`;

const old = await done(before, 'old');
const now = await done(after, 'new');

console.log('| | Calls before | Written | Read | Calls now | Written | Read | Bytes now |');
console.log('|---|---|---|---|---|---|---|---|');
const rows = [...Object.keys(STEPS), '**All**'];
[...old.counts, sum(old.counts)].forEach((was, i) => {
  const is = [...now.counts, sum(now.counts)][i];
  console.log(`| ${[rows[i], ...cells(was), ...cells(is), percent(total(is), total(was))].join(' | ')} |`);
});

assert.deepEqual(now.left, old.left, 'both ways end in the same state');

const [bytesNow, bytesBefore] = [now, old].map(({ counts }) => total(sum(counts)));
const [all, selected] = [await listed(''), await listed('?toolsets=read,commit')];
console.error(`tools/list: ${all} bytes, of toolsets ${selected}`);
assert.ok(2 * bytesNow <= bytesBefore, 'at most half of the bytes');
assert.ok(2 * (bytesNow + selected) <= bytesBefore + all, 'also with the list of tools');
